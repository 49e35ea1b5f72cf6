import {
  type Check,
  type CheckResult,
  type Effect,
  type Event,
  type Failure,
  factCharsMax,
  type Outcome,
} from '../../src/contract/index.ts';
import type { Run } from '../../src/core/index.ts';
import type { Dice } from '../../src/testkit/dice.ts';

/** The longest texts that may stand in an entry. */
const long = (letter: string): { text: string } => ({ text: letter.repeat(factCharsMax) });
const by = 'b'.repeat(200);
const digest = (dice: Dice): string => dice.between(0, 999_999).toString(16).padStart(64, '0');
const id = (dice: Dice, kind: string): string => `${kind}-${dice.between(0, 99_999)}`.padEnd(300, '-');

export const manyChecks: readonly Check[] = Array.from({ length: 8 }, (_, n) => ({
  name: `check ${n}`,
  command: 'c'.repeat(400),
  cwd: 'd'.repeat(200),
  source: 's'.repeat(100),
}));

/** Anything that can happen to a run, in sizes that hurt, except what would end it. */
export function randomEvent(run: Run, dice: Dice): Event {
  const under = run.pending[dice.between(0, run.pending.length - 1)];
  if (under !== undefined && dice.chance(0.45))
    return { type: 'effect-ended', effect: under.id, outcome: randomOutcome(under, dice) };
  const timers = Object.entries(run.timers);
  if (timers.length > 0 && dice.chance(0.2)) {
    const [timer, { effect }] = dice.pick(timers);
    return { type: 'timer-fired', timer, effect };
  }
  return dice.chance(0.25) ? fromPeople(run, dice) : fromAgent(run, dice);
}

function fromPeople(run: Run, dice: Dice): Event {
  const gate = run.gates[dice.between(0, run.gates.length - 1)];
  if (gate !== undefined && dice.chance(0.3))
    return {
      type: 'gate-answered',
      gate: gate.id,
      by,
      answer: dice.pick(['approve', 'deny', 'text'] as const),
      text: long('t'),
    };
  if (run.state === 'paused' || dice.chance(0.3)) return { type: 'person-asked', ask: 'resume', by };
  if (dice.chance(0.1)) return { type: 'person-asked', ask: 'pause', now: dice.chance(0.5), by };
  if (dice.chance(0.1))
    return { type: 'keeper-started', epoch: run.epoch + 1, pid: 1, host: 'h'.repeat(300), version: '0' };
  if (dice.chance(0.1)) return { type: 'sleep-detected', sleptMs: 1_000, countedMs: 1_000 };
  return { type: 'steer-given', text: long('s'), by };
}

function fromAgent(run: Run, dice: Dice): Event {
  const session = run.session?.id ?? id(dice, 'session');
  const isForeign = dice.chance(0.1);
  const turn = isForeign ? (run.foreign ?? id(dice, 'turn')) : (run.turn?.turn ?? id(dice, 'turn'));
  const at = { session, turn };
  const dispatch = run.turn === null || isForeign ? {} : { dispatch: run.turn.dispatch };
  const text = long('x');
  switch (dice.between(0, 17)) {
    case 0:
      return { type: 'session-ended', session };
    case 1:
    case 2:
      return {
        ...{ type: 'turn-started', ...at, ...dispatch },
        origin: dice.pick(['background', 'agent', undefined] as const),
      };
    case 3:
    case 4:
    case 5:
      return { type: 'turn-ended', ...at, ...dispatch, status: 'completed', message: text };
    case 6:
      return { type: 'turn-ended', ...at, ...dispatch, status: 'failed', failure: failure(dice) };
    case 7:
      return {
        type: 'plan-changed',
        ...at,
        digest: digest(dice),
        done: 1,
        total: 2,
        current: 'p'.repeat(500),
        steps: Array.from({ length: 100 }, () => ({ text: 'p'.repeat(500), status: 'active' as const })),
      };
    case 8:
      return {
        type: 'usage-reported',
        session: dice.chance(0.2) ? id(dice, 'sub') : session,
        usage: { totalTokens: dice.between(0, 1_000), money: dice.roll() },
      };
    case 9:
      return {
        type: 'status-reported',
        ...at,
        status: dice.pick(['done', 'blocked', 'waiting'] as const),
        text,
      };
    case 10:
      return { type: 'compaction-seen', ...at };
    case 11:
      return { type: 'error-seen', ...at, failure: failure(dice), willRetry: false };
    case 12:
      return {
        type: 'approval-asked',
        ...at,
        request: id(dice, 'request'),
        action: { kind: 'command', rendered: text, digest: digest(dice) },
        subagent: dice.chance(0.3) ? { id: id(dice, 'sub') } : undefined,
      };
    case 15:
      return { type: 'session-changed', session, to: id(dice, 'session'), because: 'clear' };
    case 16:
    case 17: {
      const tasks = Array.from({ length: dice.pick([0, 50]) }, () => ({
        ...{ id: id(dice, 'task'), kind: 'shell' as const },
        label: 'l'.repeat(300),
      }));
      return { type: 'background-changed', session, tasks };
    }
    case 13: {
      const options = Array.from({ length: 50 }, () => 'o'.repeat(1_000));
      const questions = Array.from({ length: 20 }, () => ({ id: 'q', question: 'q'.repeat(4_000), options }));
      return { type: 'input-asked', ...at, request: id(dice, 'request'), questions, digest: digest(dice) };
    }
    default:
      return {
        type: 'item-ended',
        ...at,
        item: id(dice, 'item'),
        kind: 'command',
        outcome: 'ok',
        label: 'l'.repeat(1_000),
      };
  }
}

const failure = (dice: Dice): Failure => ({
  kind: dice.pick(['server-error', 'unreachable', 'usage-limit', 'other'] as const),
  message: 'm'.repeat(2_000),
  raw: 'r'.repeat(2_000),
});

function randomOutcome(effect: Effect, dice: Dice): Outcome {
  const tree = { tree: digest(dice).slice(-40), head: digest(dice).slice(-40) };
  const ok = dice.chance(0.7);
  switch (effect.type) {
    case 'session-open':
      return ok
        ? { of: effect.type, session: id(dice, 'session'), agent: { renews: dice.chance(0.5), finds: true } }
        : { of: effect.type, failure: failure(dice) };
    case 'turn-start':
      return ok ? { of: effect.type, turn: id(dice, 'turn') } : { of: effect.type, failure: failure(dice) };
    case 'turn-find': {
      const found = dice.pick(['running', 'ended', 'absent', 'unknown'] as const);
      return { of: effect.type, found, turn: id(dice, 'turn'), status: 'interrupted', message: long('f') };
    }
    case 'tree-read':
      return { of: effect.type, tree, diff: { files: 99, added: 1, removed: 1, paths: longPaths } };
    case 'session-renew':
      return ok
        ? { of: effect.type, session: id(dice, 'session') }
        : { of: effect.type, failure: failure(dice) };
    case 'checks-run':
      return { of: effect.type, results: manyChecks.map(failing), before: tree, after: tree };
    case 'advice-ask':
      return {
        of: effect.type,
        advice: {
          action: 'continue',
          reason: 'r'.repeat(2_000),
          confidence: 0.9,
          nextInput: long('n'),
          raw: long('w'),
          problems: Array.from({ length: 20 }, () => 'p'.repeat(500)),
        },
      };
    case 'summarise':
      return {
        of: effect.type,
        cycle: effect.cycle,
        summary: long('s'),
        memories: ['m'.repeat(500)],
        recalled: Array.from({ length: 25 }, () => 'r'.repeat(4_000)),
      };
    case 'session-close':
    case 'slot-request':
    case 'timer-set':
    case 'timer-cancel':
      return { of: effect.type };
    default:
      return { of: effect.type, ok };
  }
}

const longPaths = Array.from({ length: 20 }, () => 'p'.repeat(300));

const failing = ({ name, command }: Check): CheckResult => ({
  name,
  command,
  outcome: 'failed',
  exitCode: 1,
  durationMs: 1,
  outputDigest: '0'.repeat(64),
  tail: long('o'),
});
