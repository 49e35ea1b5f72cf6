import type { EventOf } from '../../contract/index.ts';
import { expireGate, gateTimer } from '../approvals/gates.ts';
import { type Run, without } from '../run.ts';
import { endTurn } from './end-turn.ts';
import { interrupted, move } from './lifecycle.ts';

/** A timer fired. One that was called off or replaced says nothing any more. */
export function foldTimer(run: Run, event: EventOf<'timer-fired'>): Run | null {
  if (run.timers[event.timer]?.effect !== event.effect) return null;
  const next: Run = { ...run, timers: without(run.timers, event.timer) };
  switch (event.timer) {
    case 'wait':
      return run.state === 'waiting' ? waitOver(next) : next;
    case 'turn-total':
      return interrupted(next, 'overlong');
    case 'interrupt-grace':
      return graceOver(next);
    default:
      return event.timer.startsWith(gateTimer('')) ? expireGate(next, event.timer) : null;
  }
}

/** The wait was served: the rule that asked for it stays silent for the same turn. */
function waitOver(run: Run): Run {
  const rule = run.recent.at(-1)?.rule ?? '';
  const last = run.last === null ? null : { ...run.last, waited: [...run.last.waited, rule] };
  const limit = run.waiting?.on === 'usage-limit' ? null : run.limit;
  // What ran beside the turns may have changed what was proven before.
  const proof = run.waiting?.on === 'background' ? null : run.proof;
  return move({ ...run, last, limit, proof }, 'deciding', {
    because: `waited for ${run.waiting?.on ?? 'nothing'}`,
  });
}

/** The agent did not end an interrupted turn in time: its process is ended, and the turn with it. */
function graceOver(run: Run): Run {
  const turn = run.turn;
  if (turn === null || run.session === null) return run;
  const ended = endTurn(run, turn, { id: turn.turn, status: 'interrupted' });
  return { ...ended, session: { ...run.session, open: false } };
}
