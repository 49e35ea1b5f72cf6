import type { EventOf, Text } from '../../contract/index.ts';
import { withoutGates } from '../approvals/gates.ts';
import type { RuleName } from '../decide/order.ts';
import type { Run } from '../run.ts';
import { passesByItself } from '../waits.ts';
import { interrupted, move } from './lifecycle.ts';
import { toDeciding } from './to-deciding.ts';
import { untraceable } from './turns.ts';
import { boundedTexts } from './unsent.ts';

/** A person spoke. Heard in every state; what follows is the first group of rules. */
export function foldAsk(run: Run, event: EventOf<'person-asked' | 'steer-given'>): Run {
  if (event.type === 'steer-given') return steered(run, event.text);
  if (event.ask === 'resume') return resumed(run);
  const asked = {
    stop: run.asked.stop || event.ask === 'stop',
    off: run.asked.off || event.ask === 'off',
    pause: run.asked.pause || event.ask === 'pause',
  };
  const next = { ...run, asked };
  // A turn that waits for an answer would never end by itself: stopping interrupts it.
  const blocked = run.state === 'waiting' && event.ask !== 'pause';
  if (next.turn === null) return toDeciding(next, `the person asked to ${event.ask}`);
  if (event.now !== true && !blocked) return next;
  const ending: Run = { ...next, turn: { ...next.turn, endAs: 'person' } };
  // Nobody needs to know what became of a turn in doubt that is not wanted any more.
  return next.turn.phase === 'doubt' ? untraceable(ending, null) : interrupted(ending, 'person');
}

/** New directions. Where the run only waits for a person to accept the work, they are the answer: not yet. */
function steered(run: Run, text: Text): Run {
  const next: Run = { ...run, steers: boundedTexts([...run.steers, text]) };
  const isAccepting = run.waiting?.on === 'input' && run.turn === null;
  if (!isAccepting) return next;
  const withdrawn = withoutGates({ ...next, claim: null, refusals: null }, (gate) => gate.request === null);
  return move(withdrawn, 'deciding', { because: 'the person gave new directions' });
}

/** Rules whose wait is over when the person resumes. */
const waits: readonly RuleName[] = ['failed-turn', 'away', 'background', 'cooldown', 'agent-waiting'];

/**
 * Resuming forgives what asked for attention (no progress, errors, unsafe context) and ends a wait; budgets are
 * sticky. After too many failures it grants exactly one more try. What the person ended is not revived.
 */
function resumed(run: Run): Run {
  const forgiven: Run = {
    ...run,
    asked: { ...run.asked, pause: false },
    noProgressTurns: 0,
    shortTurns: 0,
    sameError: null,
    compactions: [],
    unsafe: null,
    expiriesInRow: 0,
    limit: null,
    awayInRow: 0,
    adviceMisses: 0,
    // What the guard sees is found out anew, and asked about again where it is still less.
    reachDenied: false,
    proven: run.reachDenied ? null : run.proven,
    failuresInRow: Math.min(run.failuresInRow, run.policy.limits.failuresMax - 1),
    last: run.last === null ? null : { ...run.last, waited: waits, reported: null, denials: 0 },
  };
  const on = run.waiting?.on;
  const waitsForTime = on !== undefined && passesByItself.has(on);
  return run.state === 'paused' || waitsForTime
    ? toDeciding(forgiven, 'the person asked to resume')
    : forgiven;
}
