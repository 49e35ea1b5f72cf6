/** The same turns of the real Codex twice: under the smallest client there is, and under `supervise`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createRun } from '../src/app/create-run.ts';
import type { Dependencies } from '../src/app/dependencies.ts';
import { supervise } from '../src/app/supervise.ts';
import { type Agent, policySchema } from '../src/contract/index.ts';
import { renderInput } from '../src/core/index.ts';
import { codexAgent } from '../src/edge/agents/codex/adapter.ts';
import { makeClock } from '../src/edge/clock.ts';
import { makeIngest } from '../src/edge/ingest/ingest.ts';
import { makeRedactor } from '../src/edge/ingest/redact.ts';
import { holderHere, processStart } from '../src/edge/lock.ts';
import { openThreaded } from '../src/edge/store/sqlite.ts';
import { openWorkspace } from '../src/edge/workspace/index.ts';
import type { CodexHome } from '../test/live/kit/codex-home.ts';

export type Command = readonly [string, ...string[]];

const prompt = 'Take the next step.';

interface Wire {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly thread?: { readonly id: string } };
}

/** One prompt after another over one thread, each sent when the last was answered. The ms each turn took. */
export async function bareTurns(
  home: CodexHome,
  [program, ...args]: Command,
  turns: number,
): Promise<number[]> {
  const child = spawn(program, [...args, 'app-server'], {
    cwd: home.workspace,
    env: home.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<string | number, (message: Wire) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Wire;
    waiting.get(message.method ?? message.id ?? '')?.(message);
  });
  const stamped = (key: string | number) => new Promise<Wire>((resolve) => waiting.set(key, resolve));
  let id = 0;
  const ask = (method: string, params: object): Promise<Wire> => {
    const answer = stamped(++id);
    child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    return answer;
  };
  const clientInfo = { name: 'bare', version: '0' };
  await ask('initialize', { clientInfo, capabilities: { experimentalApi: true } });
  child.stdin.write('{"method":"initialized"}\n');
  // What the model is shown is the same in both: settings, and a prompt as long as ours.
  const settings = { approvalPolicy: 'untrusted', sandbox: 'danger-full-access' };
  const config = { 'features.goals': false, 'tools.update_plan.enabled': true };
  const { result } = await ask('thread/start', { cwd: home.workspace, ...settings, config });
  const text = renderInput({ parts: [{ part: 'mission' }, { part: 'ask-status' }] }, { text: prompt });
  const input = [{ type: 'text', text, text_elements: [] }];
  const took: number[] = [];
  for (let n = 0; n < turns; n++) {
    const start = performance.now();
    const ended = stamped('turn/completed');
    void ask('turn/start', { threadId: result?.thread?.id, input });
    await ended;
    took.push(performance.now() - start);
  }
  child.stdin.end();
  await new Promise((resolve) => child.once('exit', resolve));
  return took;
}

/** A stretch of time in which something was waited for. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** From the end of a turn to the start of the next: what git and durable writes took of it, and what is ours. */
interface Between {
  readonly ms: number;
  readonly gitMs: number;
  readonly diskMs: number;
  readonly ownMs: number;
}

export interface Supervised {
  /** The ms each turn took. */
  readonly took: readonly number[];
  readonly between: readonly Between[];
}

/** The same turns with everything a run has: ledger, durable commits, the tree from git before and after each. */
export async function supervisedTurns(home: CodexHome, command: Command, turns: number): Promise<Supervised> {
  const seen = { git: [] as Span[], disk: [] as Span[], starts: [] as number[], ends: [] as number[] };
  const run = `20300101-000000-${Math.floor(performance.now())}`;
  const stop = new AbortController();
  const clock = makeClock();
  const store = openThreaded(join(home.folder, `${run}.db`));
  const ingest = makeIngest({
    clock,
    redact: makeRedactor({ env: {}, declared: [], key: Buffer.alloc(32, 1) }),
  });
  const agent = watched(home, command, run, seen, () => seen.ends.length > turns && stop.abort());
  const opened = await openWorkspace({
    path: home.workspace,
    stateDir: join(home.folder, run),
    clock,
    env: home.env,
  });
  const parts = { store, ingest, holder: holderHere(run) };
  const created = { agent: agent.facts, policy: policySchema.parse({}), configDigest: '0'.repeat(64) };
  await createRun(parts, {
    id: run,
    mission: prompt,
    checks: [],
    created: { ...created, mode: 'once', setup: {}, by: 'bench', workspace: home.workspace },
  });
  const deps: Dependencies = {
    ...parts,
    agent,
    clock,
    version: '0',
    startOf: processStart,
    store: { ...store, append: (...args) => timed(seen.disk, store.append(...args)) },
    workspace: { ...opened, tree: () => timed(seen.git, opened.tree()) },
    notify: async () => undefined,
    endOrphan: async () => undefined,
  };
  try {
    await supervise(deps, { run, signal: stop.signal });
  } finally {
    await store.close();
  }
  const took = seen.ends.slice(0, turns).map((end, n) => end - (seen.starts[n] ?? Number.NaN));
  const between = seen.starts.slice(1, turns).map((to, n) => betweenOf(seen, seen.ends[n] ?? to, to));
  return { took, between };
}

type Seen = Readonly<Record<'git' | 'disk', Span[]> & Record<'starts' | 'ends', number[]>>;

/** Codex, with the moments noted at which our code has a turn's end and lets go of the next prompt. */
function watched(home: CodexHome, command: Command, run: string, seen: Seen, ended: () => void): Agent {
  const codex = codexAgent({
    run,
    cwd: home.workspace,
    env: home.env,
    sandbox: 'danger-full-access',
    command: [...command] as [string, ...string[]],
  });
  return {
    ...codex,
    async open(listener) {
      const session = await codex.open({
        ...listener,
        onEvent(event, body) {
          if (event.type === 'turn-ended') {
            seen.ends.push(performance.now());
            ended();
          }
          listener.onEvent(event, body);
        },
      });
      return {
        ...session,
        turn(dispatch, text) {
          seen.starts.push(performance.now());
          return session.turn(dispatch, text);
        },
      };
    },
  };
}

async function timed<T>(spans: Span[], work: Promise<T>): Promise<T> {
  const from = performance.now();
  try {
    return await work;
  } finally {
    spans.push({ from, to: performance.now() });
  }
}

function betweenOf({ git, disk }: Seen, from: number, to: number): Between {
  const within = (spans: readonly Span[]): readonly Span[] =>
    spans
      .filter((span) => span.to > from && span.from < to)
      .map((span) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }));
  const gitMs = covered(within(git));
  const waitedMs = covered([...within(git), ...within(disk)]);
  return { ms: to - from, gitMs, diskMs: waitedMs - gitMs, ownMs: to - from - waitedMs };
}

/** How much time these spans cover together; what two of them share counts once. */
function covered(spans: readonly Span[]): number {
  let reached = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}
