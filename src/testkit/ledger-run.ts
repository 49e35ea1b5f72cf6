import {
  type Check,
  type CheckResult,
  type Effect,
  type Entry,
  type Event,
  type EventOf,
  eventSchema,
  type Outcome,
  type Policy,
  policySchema,
  type Site,
} from '../contract/index.ts';
import { effectsOf, policyVersion, type Run, step } from '../core/index.ts';

/** A run stepped by hand, without processes: events in, entries out. The shortest way to a scenario. */
export interface LedgerRun {
  readonly run: () => Run;
  readonly entries: readonly Entry[];
  /** Hears one event, `afterMs` later. */
  onEvent(event: Event, afterMs?: number): Entry;
  /** The newest effect of a type that still waits for its outcome. */
  pending<T extends Effect['type']>(type: T): { id: string; effect: Extract<Effect, { type: T }> };
  has(type: Effect['type']): boolean;
  outcome(type: Effect['type'], outcome: Outcome, afterMs?: number): Entry;
  /** Lets a cycle be summarised and an old session close, and answers session, slot and tree. */
  prepare(tree?: string): void;
  /** The same until the turn is on its way; gives its dispatch id. */
  launch(tree?: string): string;
  /** The agent takes the turn: started and acknowledged. */
  started(turn?: string): string;
  /** The turn ends and the tree is read; what the rules then decide is the last entry. */
  ended(ended?: Partial<Extract<Event, { type: 'turn-ended' }>>, tree?: string): Entry;
  /** A new process takes the run over. */
  restarted(): Entry;
}

export interface LedgerRunOptions {
  readonly policy?: Record<string, unknown>;
  readonly checks?: readonly Check[];
  /** How the checks stood before the first turn; default: passing. */
  readonly baseline?: readonly CheckResult[];
  readonly agent?: Partial<Extract<Event, { type: 'run-created' }>['agent']>;
  readonly mode?: 'once' | 'autonomous';
  /** Where the run lives; without it the guard knows nothing and asks. */
  readonly site?: Site;
}

export const noDigest = '0'.repeat(64);
export const someCheck: Check = { name: 'test', command: 'npm test', cwd: '.', source: 'config' };
/** A tree id made from a short word, so that scenarios read as stories. */
export const treeOf = (word: string): string =>
  [...word]
    .map((c) => (c.codePointAt(0) ?? 0).toString(16))
    .join('')
    .padEnd(40, '0')
    .slice(0, 40);

/** A check's result as scenarios need it. */
export const passed = (over: Partial<CheckResult> = {}): CheckResult => ({
  name: 'test',
  command: 'npm test',
  outcome: 'passed',
  exitCode: 0,
  durationMs: 1,
  outputDigest: noDigest,
  tail: { text: '' },
  ...over,
});
export const failed = (over: Partial<CheckResult> = {}): CheckResult =>
  passed({ outcome: 'failed', exitCode: 1, tail: { text: '1 failed' }, ...over });

/** The outcome of a verification on the tree of a short word. */
export const checksOutcome = (
  results: readonly CheckResult[],
  tree: string,
): Extract<Outcome, { of: 'checks-run' }> => {
  const at = { tree: tree === 'unknown' ? tree : treeOf(tree), head: null };
  return { of: 'checks-run', results: [...results], before: at, after: at };
};

const treeOutcome = (word: string): Extract<Outcome, { of: 'tree-read' }> => ({
  of: 'tree-read',
  tree: { tree: word === 'unknown' ? word : treeOf(word), head: null },
});

/** The outcome of a summary that had nothing to say. */
const unsummarised = (cycle: number): Extract<Outcome, { of: 'summarise' }> => ({
  of: 'summarise',
  cycle,
  summary: { text: '' },
  memories: [],
  recalled: [],
});

function createdEvent(options: LedgerRunOptions, policy: Policy): EventOf<'run-created'> {
  return {
    type: 'run-created',
    mission: { text: 'make it work' },
    workspace: '/w',
    policyVersion,
    policy,
    configDigest: noDigest,
    checks: [...(options.checks ?? [someCheck])],
    mode: options.mode ?? 'once',
    setup: {},
    by: 'test',
    site: options.site,
    agent: {
      name: 'scripted',
      door: 'in-process',
      sees: 'every-action',
      usage: 'tokens',
      finds: true,
      steers: true,
      resumes: true,
      ...options.agent,
    },
  };
}

export function ledgerRun(options: LedgerRunOptions = {}): LedgerRun {
  const id = '20260101-000000-00aaaa';
  const policy: Policy = policySchema.parse(options.policy ?? {});
  const entries: Entry[] = [];
  let at = Date.UTC(2026, 0, 1);
  let mono = 1_000;
  let run: Run | null = null;
  let turns = 0;
  let trees = 0;
  let epoch = 0;

  const now = (): Run => {
    if (run === null) throw new Error('the run was not created');
    return run;
  };
  const onEvent = (event: Event, afterMs = 10): Entry => {
    at += afterMs;
    mono += afterMs;
    const stepped = step(run, { at, mono, event: eventSchema.parse(event) }, id);
    run = stepped.run;
    entries.push(stepped.entry);
    return stepped.entry;
  };
  const pending: LedgerRun['pending'] = (type) => {
    const all = entries
      .flatMap(effectsOf)
      .filter((e) => e.effect.type === type && now().pending.some((one) => one.id === e.id));
    const last = all.at(-1);
    if (last === undefined)
      throw new Error(
        `no ${type} is under way (${now()
          .pending.map((e) => e.type)
          .join(', ')})`,
      );
    return last as never;
  };
  const has = (type: Effect['type']): boolean => now().pending.some((e) => e.type === type);
  const outcome: LedgerRun['outcome'] = (type, value, afterMs) =>
    onEvent({ type: 'effect-ended', effect: pending(type).id, outcome: value }, afterMs);
  const restarted = (): Entry => {
    epoch += 1;
    return onEvent({ type: 'keeper-started', epoch, pid: 1, host: 'here', version: '0.0.0' });
  };

  const prepare = (tree = `t${trees}`): void => {
    if (has('summarise')) outcome('summarise', unsummarised(now().cycle.n));
    if (has('session-close')) outcome('session-close', { of: 'session-close' });
    if (has('session-open')) {
      const session = pending('session-open').effect.resume ?? `s${now().cycle.n}`;
      outcome('session-open', { of: 'session-open', session });
    }
    if (has('session-renew')) outcome('session-renew', { of: 'session-renew', session: `s${now().cycle.n}` });
    if (has('slot-request')) outcome('slot-request', { of: 'slot-request' });
    if (has('tree-read')) outcome('tree-read', treeOutcome(tree));
  };

  onEvent(createdEvent(options, policy));
  restarted();
  if (has('checks-run')) outcome('checks-run', checksOutcome(options.baseline ?? [passed()], 't0'));

  return {
    run: now,
    entries,
    onEvent,
    pending,
    has,
    outcome,
    restarted,
    prepare,
    launch(tree) {
      prepare(tree);
      return pending('turn-start').effect.dispatch;
    },
    started(turn = `turn-${++turns}`) {
      const { dispatch, session } = pending('turn-start').effect;
      onEvent({ type: 'turn-started', session, turn, dispatch });
      outcome('turn-start', { of: 'turn-start', turn });
      return turn;
    },
    ended(ended = {}, tree = `t${++trees}`) {
      const { turn } = now();
      if (turn === null) throw new Error('no turn is in flight');
      const { session, dispatch } = turn;
      const id = { session, dispatch, turn: turn.turn ?? '?' };
      onEvent({ type: 'turn-ended', ...id, status: 'completed', ...ended }, 10_000);
      return outcome('tree-read', treeOutcome(tree));
    },
  };
}
