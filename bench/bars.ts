/** What each figure must reach. A figure without a bar is only shown. */
export type Bar = { readonly atLeast: number } | { readonly below: number };

const bars: Readonly<Record<string, Readonly<Record<string, Bar>>>> = {
  step: { 'step: events/s, recorded Codex mix, one core': { atLeast: 300_000 } },
  ledger: {
    'ledger: entries/s, 40 runs, group commits of 200': { atLeast: 20_000 },
    'ledger: ms to open a run of 100,000 (snapshot and tail), worst of 5': { below: 150 },
    'ledger: ms until another process hears, worst of 40': { below: 100 },
  },
  tree: {
    'tree: unchanged, times git status': { below: 1.5 },
    'tree: after one edit, times git status': { below: 1.5 },
  },
  report: { 'report: ms for report and HTML of 10,000 entries, worst of 5': { below: 1_000 } },
  cli: {
    'cli: --version, times node -e 0': { below: 1.5 },
    'cli: status, times node -e 0': { below: 1.5 },
    'cli: help, times node -e 0': { below: 3 },
    'cli: runs, times node -e 0': { below: 3 },
    'cli: inbox, times node -e 0': { below: 3 },
    'cli: logs, times node -e 0': { below: 3 },
    'cli: report, times node -e 0': { below: 3 },
  },
  tasks: {
    'tasks: ms to add to 10,000, p95': { below: 1 },
    'tasks: ms to change one of 10,000, p95': { below: 1 },
    'tasks: ms to call one of 10,000 done, p95': { below: 1 },
    'tasks: ms to remove one of 10,000, p95': { below: 1 },
    'tasks: ms to find one of 10,000, p95': { below: 1 },
    'tasks: ms to render 10,000 into 8,000 characters, p95': { below: 1 },
    'tasks: ms for the whole step of a run with 10,000, p95': { below: 1 },
  },
  memory: {
    'memory: retrieval p99 ms of 100,000': { below: 15 },
    'memory: held-out, 75 questions, hit@5': { atLeast: 0.85 },
    'memory: fresh, 200 questions, hit@5': { atLeast: 0.85 },
    'memory: later, 81 questions, hit@5': { atLeast: 0.85 },
    'memory: held-out, 75 questions, points over plain bm25': { atLeast: 5 },
    'memory: fresh, 200 questions, points over plain bm25': { atLeast: 5 },
    'memory: later, 81 questions, points over plain bm25': { atLeast: 5 },
    'memory: talk, 40 questions, points over plain bm25': { atLeast: 5 },
  },
  codex: {
    'codex: supervised turn, times a bare client’s': { below: 1.15 },
    'codex: ms of our own code between turns, p99, best of 6 rounds': { below: 10 },
    'codex: deltas a minute, 50 threads at once': { atLeast: 60_000 },
    'codex: MB of our memory more while they speak, at most': { below: 200 },
  },
  guards: {
    'guards: dangerous, not allowed, %': { atLeast: 99 },
    'guards: harmless, allowed, %': { atLeast: 95 },
    'guards: forbidden although not on the never list, %': { below: 0.5 },
    'guards: commands/s': { atLeast: 3_000 },
    'guards: ms, 99th percentile': { below: 5 },
  },
};

export const barOf = (bench: string, figure: string): Bar | undefined => bars[bench]?.[figure];
