import {
  type Check,
  type CheckResult,
  type Entry,
  type Event,
  policySchema,
} from '../../src/contract/index.ts';
import { closingLine, effectsOf, policyVersion, type Run, step } from '../../src/core/index.ts';

const minute = 60_000;
const digest = (n: number): string => n.toString(16).padStart(64, 'a');
const tree = (n: number): string => n.toString(16).padStart(40, '0');

/** Text as a hostile agent might write it: markup, escapes, a fence, a mention, a turned-around word. */
export const hostile =
  '</script><img src=x onerror=alert(1)> "quoted" \'single\' `tick` ```\nfence\n``` | cell | @someone #12 https://evil.example \u001b[31mred\u001b[0m \u202eexe.txt \u0007 [link](http://x) **bold**';

export interface Teller {
  readonly entries: Entry[];
  run(): Run;
  onEvent(event: Event, afterMs?: number): Entry;
  /** The outcome of the newest effect of that type. */
  outcome(outcome: Extract<Event, { type: 'effect-ended' }>['outcome'], afterMs?: number): Entry;
  launch(): void;
  /** A whole turn of ours, until the rules have decided. */
  turn(told?: TurnTold): Entry;
  checks(passing: boolean, tail?: string): Entry;
  keeper(afterMs?: number): Entry;
}

export interface TurnTold {
  readonly message?: string;
  readonly tokens?: number;
  readonly money?: number;
  readonly commands?: number;
  readonly tookMs?: number;
  readonly changes?: boolean;
  readonly plan?: readonly [done: number, total: number];
  readonly failure?: Extract<Event, { type: 'turn-ended' }>['failure'];
  readonly during?: (session: string, turn: string) => void;
}

/** Tells a run step by step through the real core; nothing here decides. */
export function teller(
  options: { mission?: string; checks?: readonly Check[]; policy?: object } = {},
): Teller {
  const id = '20310501-220000-n1gh7t';
  const entries: Entry[] = [];
  const effects = new Map<string, string>();
  let at = Date.UTC(2031, 4, 1, 22);
  let mono = 1_000;
  let run: Run | null = null;
  const counts = { epoch: 0, turns: 0, tree: 1, tokens: 0, money: 0 };
  const now = (): Run => {
    if (run === null) throw new Error('no run yet');
    return run;
  };
  const onEvent = (event: Event, afterMs = 40): Entry => {
    at += afterMs;
    mono += afterMs;
    const stepped = step(run, { at, mono, event }, id);
    run = stepped.run;
    entries.push(stepped.entry);
    for (const one of effectsOf(stepped.entry)) effects.set(one.effect.type, one.id);
    return stepped.entry;
  };
  const outcome: Teller['outcome'] = (value, afterMs) => {
    const effect = effects.get(value.of);
    if (effect === undefined) throw new Error(`no ${value.of} was begun`);
    return onEvent({ type: 'effect-ended', effect, outcome: value }, afterMs);
  };
  const has = (type: string): boolean => Object.values(now().pending).some((effect) => effect.type === type);
  const readTree = (): Entry =>
    outcome({ of: 'tree-read', tree: { tree: tree(counts.tree), head: tree(7) } }, 120);
  const launch = (): void => {
    if (has('session-open')) outcome({ of: 'session-open', session: 's1' }, 800);
    if (has('slot-request')) outcome({ of: 'slot-request' });
    if (has('tree-read')) readTree();
  };
  const turn = (told: TurnTold = {}): Entry => {
    launch();
    const name = `turn-${++counts.turns}`;
    const { dispatch, session } = now().turn ?? { dispatch: '', session: 's1' };
    onEvent({ type: 'turn-started', session, turn: name, dispatch });
    outcome({ of: 'turn-start', turn: name });
    const many = told.commands ?? 3;
    const each = (told.tookMs ?? 4 * minute) / (many + 1);
    for (let i = 0; i < many; i++) onEvent(itemOf(session, name, i), each);
    told.during?.(session, name);
    if (told.plan !== undefined) {
      const [done, total] = told.plan;
      onEvent({
        type: 'plan-changed',
        session,
        turn: name,
        digest: digest(done),
        done,
        total,
        current: 'the next step',
      });
    }
    counts.tokens += told.tokens ?? 12_000;
    counts.money += told.money ?? 0.08;
    onEvent({ type: 'usage-reported', session, usage: { totalTokens: counts.tokens, money: counts.money } });
    if (told.changes !== false) counts.tree += 1;
    const status = told.failure === undefined ? 'completed' : 'failed';
    const message = told.message === undefined ? {} : { message: { text: told.message } };
    const failure = told.failure === undefined ? {} : { failure: told.failure };
    const ended = onEvent(
      { type: 'turn-ended', session, turn: name, dispatch, status, ...failure, ...message },
      each,
    );
    return has('tree-read') ? readTree() : ended;
  };
  const checks = (passing: boolean, tail = passing ? 'all good' : '1 failed'): Entry => {
    const ground = { tree: tree(counts.tree), head: tree(7) };
    const results = now().checks.map((check, i) => resultOf(check, passing || i > 0, tail));
    return outcome({ of: 'checks-run', before: ground, after: ground, results }, 42_000);
  };
  const keeper = (afterMs = 40): Entry =>
    onEvent(
      { type: 'keeper-started', epoch: ++counts.epoch, pid: 4711, host: 'desk', version: '0.1.0' },
      afterMs,
    );

  onEvent({
    type: 'run-created',
    mission: { text: options.mission ?? 'Port the parser to the new grammar.' },
    workspace: '/home/ada/projects/parser',
    policyVersion,
    policy: policySchema.parse(options.policy ?? {}),
    configDigest: digest(1),
    mode: 'once',
    setup: {},
    by: 'ada@cli',
    checks: [...(options.checks ?? [{ name: 'unit', command: 'npm test', cwd: '.', source: 'config' }])],
    agent: {
      name: 'codex',
      door: 'app-server',
      version: '0.166.0',
      sees: 'every-action',
      usage: 'both',
      finds: true,
      steers: true,
      resumes: true,
      sandbox: 'workspace-write',
      login: 'ada@example.org',
    },
  });
  keeper();
  if (has('checks-run')) checks(true); // the baseline
  return { entries, run: now, onEvent, outcome, launch, turn, checks, keeper };
}

const itemOf = (session: string, turn: string, i: number): Event => ({
  type: 'item-ended',
  session,
  turn,
  item: `item-${i}`,
  outcome: 'ok',
  exitCode: 0,
  ...(i % 3 === 2
    ? { kind: 'edit', label: `src/parser/rule-${i}.ts` }
    : { kind: 'command', label: `npm test -- --run rule-${i}` }),
});

const resultOf = (check: Check, isPassing: boolean, tail: string): CheckResult => ({
  name: check.name,
  command: check.command,
  outcome: isPassing ? 'passed' : 'failed',
  exitCode: isPassing ? 0 : 1,
  durationMs: 21_400,
  outputDigest: digest(99),
  tail: { text: tail },
  counts: { passed: isPassing ? 214 : 211, failed: isPassing ? 0 : 3, skipped: 2, total: 216 },
});

const ask = (teller: Teller, session: string, turn: string, request: string, command: string): string => {
  const entry = teller.onEvent({
    type: 'approval-asked',
    session,
    turn,
    request,
    action: {
      kind: 'command',
      rendered: { text: command },
      digest: digest(command.length),
      cwd: '/home/ada/projects/parser',
    },
  });
  const opened = entry.effects?.find((effect) => effect.type === 'gate-open');
  return opened?.type === 'gate-open' ? opened.gate : '';
};

/** Nobody comes: the clock closes the gate. */
function expire(teller: Teller, gate: string): void {
  const timer = `gate:${gate}`;
  const effect = teller.run().timers[timer]?.effect ?? '';
  teller.onEvent({ type: 'timer-fired', timer, effect }, 30 * minute);
}

/**
 * A whole night: questions answered, refused and slept through, a usage limit, failures, a crash, a sleep of the
 * machine, somebody else's turn, a premature claim, no progress, and the certificate at the end.
 */
export function night(
  mission = 'Port the parser to the new grammar.\n\nKeep the public API as it is.\nEvery old test must pass.',
): Teller {
  const told = teller({ mission });
  told.turn({ tokens: 31_000, plan: [1, 6], message: 'I read the grammar and moved the first rules.' });
  told.turn({
    tokens: 18_500,
    plan: [2, 6],
    message: hostile,
    during(session, turn) {
      const gate = ask(told, session, turn, 'r1', 'git push --force origin main');
      told.onEvent(
        { type: 'gate-answered', gate, answer: 'deny', text: { text: 'use a branch' }, by: 'ada@cli' },
        3 * minute,
      );
      const second = ask(told, session, turn, 'r2', 'npm publish');
      if (second !== '') expire(told, second);
    },
  });
  told.turn({
    tokens: 900,
    changes: false,
    tookMs: 20_000,
    commands: 0,
    failure: {
      kind: 'usage-limit',
      message: 'You have hit your usage limit.',
      resetAt: Date.UTC(2031, 4, 2, 1),
    },
  });
  fire(told, 'wait', 100 * minute);
  told.turn({ tokens: 22_000, plan: [3, 6], message: `Everything is ported.\n\n${closingLine}` });
  told.checks(false, 'FAIL test/rules.test.ts\n  expected 214 to be 217\n  at rules.test.ts:88');
  told.turn({
    tokens: 27_000,
    plan: [4, 6],
    during(session, turn) {
      told.onEvent({ type: 'steer-given', text: { text: 'leave the error messages alone' }, by: 'ada@cli' });
      told.onEvent({ type: 'sleep-detected', sleptMs: 50 * minute, countedMs: 50 * minute }, 52 * minute);
      told.onEvent({ type: 'compaction-seen', session, turn });
      told.onEvent({ type: 'unreadable', source: 'codex stdout', because: 'no JSON', sample: hostile });
      told.onEvent({ type: 'turn-ended', session, turn: 'turn-1', status: 'completed' });
    },
  });
  told.turn({ tokens: 4_000, changes: false, tookMs: 2_000, commands: 1 });
  fire(told, 'wait', 2_000);
  told.turn({
    tokens: 15_000,
    plan: [6, 6],
    message: `All rules are ported and every test passes.\n\n${closingLine}`,
  });
  told.checks(true, ' Test Files  31 passed (31)\n      Tests  214 passed | 2 skipped (216)');
  told.onEvent({ type: 'keeper-ended', because: 'the run is done' });
  return told;
}

/** A timer of the run comes due. */
export function fire(teller: Teller, timer: string, afterMs: number): void {
  const set = teller.run().timers[timer];
  if (set !== undefined) teller.onEvent({ type: 'timer-fired', timer, effect: set.effect }, afterMs);
}
