import type { EventOf } from '../contract/index.ts';
import { move } from './lifecycle.ts';
import { bounds } from './limits.ts';
import type { Run } from './run-state.ts';

/** A person spoke. Heard in every state; what follows is the first group of rules. */
export function foldAsk(run: Run, event: EventOf<'person-asked' | 'steer-given'>): Run {
  if (event.type === 'steer-given')
    return { ...run, steers: [...run.steers, event.text].slice(-bounds.steersMax) };
  if (event.ask === 'resume') return resumed(run);
  const asked = {
    stop: run.asked.stop || event.ask === 'stop',
    off: run.asked.off || event.ask === 'off',
    pause: run.asked.pause || event.ask === 'pause',
  };
  const next = { ...run, asked };
  // A turn that waits for an answer would never end by itself: stopping interrupts it.
  const blocked = run.state === 'waiting' && event.ask !== 'pause';
  if (next.turn !== null) return event.now === true || blocked ? interruptFor(next) : next;
  return toDeciding(next, `the person asked to ${event.ask}`);
}

/** Interrupt what runs, as the person's wish: neither a failure nor missing progress. */
const interruptFor = (run: Run): Run =>
  run.turn === null
    ? run
    : { ...run, turn: { ...run.turn, endAs: 'person', interrupt: run.turn.interrupt ?? 'wanted' } };

/** Back to the rules, from wherever the run stands without a turn in flight. Whatever was waited for is dropped. */
function toDeciding(run: Run, because: string): Run {
  if (run.state === 'ready' || run.state === 'deciding') return { ...run, launch: null };
  const timers = Object.fromEntries(Object.entries(run.timers).filter(([name]) => name !== 'wait'));
  const pending = Object.fromEntries(
    Object.entries(run.pending).filter(([, effect]) => !dropped.has(effect.type)),
  );
  const cleared: Run = {
    ...run,
    timers,
    pending,
    launch: null,
    awaiting: { ...run.awaiting, tree: false, advice: false },
  };
  return move(cleared, 'deciding', { because });
}

/** Effects that serve the next turn or its proof: no longer wanted once a person took the word. */
const dropped: ReadonlySet<string> = new Set(['slot-request', 'tree-read', 'checks-run', 'advice-ask']);

/**
 * Resuming forgives what asked for attention (no progress, errors, unsafe context) and ends a wait; budgets are
 * sticky. After too many failures it grants exactly one more try.
 */
function resumed(run: Run): Run {
  const forgiven: Run = {
    ...run,
    asked: { stop: false, off: false, pause: false },
    ...{
      noProgressTurns: 0,
      shortTurns: 0,
      sameError: null,
      compactions: [],
      unsafe: null,
      expiriesInRow: 0,
      limit: null,
      awayInRow: 0,
      adviceMisses: 0,
    },
    failuresInRow: Math.min(run.failuresInRow, run.policy.limits.failuresMax - 1),
    last:
      run.last === null
        ? null
        : {
            ...run.last,
            waited: ['failed-turn', 'away', 'cooldown', 'agent-waiting'],
            reported: null,
            denials: 0,
          },
  };
  const on = run.state === 'waiting' ? run.waiting?.on : undefined;
  const waitsForTime = on === 'usage-limit' || on === 'backoff' || on === 'external';
  return run.state === 'paused' || waitsForTime
    ? toDeciding(forgiven, 'the person asked to resume')
    : forgiven;
}
