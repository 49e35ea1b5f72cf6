import type { Entry, RunState } from '../contract/index.ts';
import { isTerminal, type Run, remember } from '../core/index.ts';
import { watchCycles } from './cycle-watch.ts';

/** Reads every entry as it is written and holds it against what Tireless promises. */
export interface LedgerWatch {
  readonly entries: Entry[];
  readonly rules: Set<string>;
  run(): Run | null;
  see(entry: Entry): void;
}

/** What the watch counts by itself, from the entries alone. */
interface Tally {
  turns: number;
  readonly tokens: Map<string, number>;
}

const works: ReadonlySet<RunState> = new Set(['running', 'deciding', 'verifying']);

export function watchLedger(complain: (what: string) => void): LedgerWatch {
  const entries: Entry[] = [];
  const rules = new Set<string>();
  const dispatched = new Map<string, string>();
  const tally: Tally = { turns: 0, tokens: new Map() };
  const cycles = watchCycles(complain);
  let run: Run | null = null;

  return {
    entries,
    rules,
    run: () => run,
    see(entry) {
      const before = run;
      run = remember(before, entry);
      entries.push(entry);
      if (entry.decision !== undefined) rules.add(entry.decision.rule);
      if (before !== null && isTerminal(before.state)) {
        if (run.state !== before.state || entry.late !== true)
          complain(`entry ${entry.seq} changed a run that was ${before.state}`);
      }
      if ((run.state === 'waiting') !== (run.waiting !== null)) complain(`${run.state} without its reason`);
      if (run.turn !== null && run.state !== 'running' && run.state !== 'waiting')
        complain(`a turn is in flight while the run is ${run.state}`);
      if (run.state === 'running' && run.turn === null) complain('running without a turn');
      if (works.has(run.state) && run.launch !== null) complain(`a launch while ${run.state}`);
      if (isUnanswered(entry)) complain(`nobody answers the sub-agent of entry ${entry.seq}`);
      cycles(run, entry);
      if (before !== null) count(tally, before, run, entry);
      for (const effect of entry.effects ?? [])
        if ((effect.type === 'turn-start' || effect.type === 'review-start') && before !== null)
          dispatchedNow(before, run, effect, { tally, dispatched, complain });
    },
  };
}

/** A sub-agent asked in time, and nothing came of it. */
const isUnanswered = ({ event, late, effects = [] }: Entry): boolean =>
  event.type === 'approval-asked' &&
  event.subagent !== undefined &&
  late !== true &&
  !effects.some(({ type }) => type === 'gate-open' || type === 'request-answer' || type === 'savepoint');

/** Counted here once more, by other means than the run's own. */
function count(tally: Tally, before: Run, run: Run, { event, late }: Entry): void {
  if (event.type === 'usage-reported' && late === undefined)
    tally.tokens.set(
      event.session,
      Math.max(tally.tokens.get(event.session) ?? 0, event.usage.totalTokens ?? 0),
    );
  if (before.turn === null || run.turn !== null) return;
  const kind = run.last?.failure?.kind ?? '';
  if (!['usage-limit', 'unreachable', 'overloaded'].includes(kind)) tally.turns += 1;
}

function dispatchedNow(
  before: Run,
  run: Run,
  { dispatch, input }: { dispatch: string; input: unknown },
  {
    tally,
    dispatched,
    complain,
  }: { tally: Tally; dispatched: Map<string, string>; complain: (what: string) => void },
): void {
  const { asked, foreign } = run;
  const { limits } = run.policy;
  if (asked.stop || asked.off || asked.pause) complain(`${dispatch} was sent after the person said halt`);
  if (foreign !== null) complain(`${dispatch} was sent into a foreign turn`);
  if (before.state === 'paused' || isTerminal(before.state))
    complain(`${dispatch} was sent while ${before.state}`);
  if (before.turn !== null && before.turn.dispatch !== dispatch)
    complain(`${dispatch} was sent while ${before.turn.dispatch} is in flight`);
  const said = JSON.stringify(input);
  const known = dispatched.get(dispatch);
  if (known !== undefined && (known !== said || before.turn?.phase !== 'doubt'))
    complain(`${dispatch} was sent again without having been found absent`);
  dispatched.set(dispatch, said);
  if (known !== undefined) return;
  const isServed = before.last === null || before.last.waited.includes('background');
  if (before.background.length > 0 && !isServed && !said.includes('"steer"'))
    complain(`${dispatch} was sent while background work runs`);
  const tokens = [...tally.tokens.values()].reduce((a, b) => a + b, 0);
  if (tally.turns >= limits.turnsMax) complain(`turn ${tally.turns + 1} of ${limits.turnsMax} was started`);
  if (limits.tokensMax !== undefined && tokens >= limits.tokensMax)
    complain(`a turn was started with ${tokens} of ${limits.tokensMax} tokens used`);
  if (limits.until !== undefined && run.at >= limits.until) complain('a turn was started after its time');
  if (run.activeMs >= limits.activeHoursMax * 3_600_000) complain('a turn was started without time left');
}
