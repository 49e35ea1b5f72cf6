import type { Effect, Entry, Event, Outcome } from '../../src/contract/index.ts';
import { closingLine, effectsOf, isTerminal, type Run, step } from '../../src/core/index.ts';

const stepsMax = 400;

/** Restarts a run in a world where everything works, and goes on until it has come to rest. */
export function oblige(
  from: Run,
  found: 'absent' | 'running' | 'ended' | 'unknown',
): { run: Run; entries: readonly Entry[] } {
  const entries: Entry[] = [];
  const queue: Event[] = [
    { type: 'keeper-started', epoch: from.epoch + 1, pid: 1, host: 'here', version: '0.0.0' },
  ];
  let run = from;
  let mono = from.mono;
  for (let n = 0; n < stepsMax; n++) {
    const event = queue.shift() ?? next(run);
    if (event === null) return { run, entries };
    mono += 1_000;
    const stepped = step(run, { at: from.at + mono - from.mono, mono, event }, from.id);
    run = stepped.run;
    entries.push(stepped.entry);
    for (const { id, effect } of effectsOf(stepped.entry)) queue.push(...answers(run, id, effect, found));
    if (isTerminal(run.state)) return { run, entries };
  }
  return { run, entries };
}

/** What happens next when nothing is under way: the turn in flight ends, or a timer rings. */
function next({ turn, session, timers, state, gates }: Run): Event | null {
  if (turn !== null && turn.phase === 'started' && session?.open === true) {
    const open = gates.find((gate) => gate.turn === turn.turn && gate.request !== null);
    if (open !== undefined) return { type: 'gate-answered', gate: open.id, answer: 'deny', by: 'me' };
    const message = { text: closingLine };
    return {
      type: 'turn-ended',
      session: turn.session,
      turn: turn.turn ?? 't',
      status: 'completed',
      message,
    };
  }
  if (state === 'paused') return null;
  const due = Object.entries(timers).sort(([, a], [, b]) => a.dueAt - b.dueAt)[0];
  return due === undefined ? null : { type: 'timer-fired', timer: due[0], effect: due[1].effect };
}

function answers(
  run: Run,
  effect: string,
  of: Effect,
  found: 'absent' | 'running' | 'ended' | 'unknown',
): readonly Event[] {
  const outcome = outcomeOf(run, of, found);
  return outcome === null ? [] : [{ type: 'effect-ended', effect, outcome }];
}

function outcomeOf(
  run: Run,
  effect: Effect,
  found: 'absent' | 'running' | 'ended' | 'unknown',
): Outcome | null {
  const tree = { tree: 'a'.repeat(40), head: null };
  switch (effect.type) {
    case 'timer-set':
    case 'timer-cancel':
      return null;
    case 'session-open':
      return { of: effect.type, session: effect.resume ?? 'opened' };
    case 'turn-start':
    case 'review-start':
      return { of: effect.type, turn: `${effect.dispatch}!` };
    case 'turn-find':
      return { of: effect.type, found, turn: run.turn?.turn ?? 'found', status: 'completed' };
    case 'tree-read':
      return { of: effect.type, tree };
    case 'advice-ask':
      return { of: effect.type, failure: { kind: 'setup', message: 'no model' } };
    case 'checks-run': {
      const result = { outcome: 'passed' as const, exitCode: 0, durationMs: 1, tail: { text: '' } };
      const results = run.checks.map(({ name, command }) => ({
        name,
        command,
        outputDigest: '0'.repeat(64),
        ...result,
      }));
      return { of: effect.type, results, before: tree, after: tree };
    }
    case 'summarise':
      return {
        of: effect.type,
        cycle: effect.cycle,
        summary: { text: 'so far' },
        memories: [],
        recalled: [],
      };
    case 'turn-interrupt':
    case 'turn-steer':
    case 'request-answer':
    case 'gate-open':
    case 'savepoint':
    case 'notify':
      return { of: effect.type, ok: true };
    default:
      return { of: effect.type };
  }
}
