import type { Effect, EffectType, EventOf } from '../../contract/index.ts';
import { unheardApproval } from '../approvals/deliver.ts';
import type { Run } from '../run.ts';
import { withTasksWaiting } from '../tasks/task-checks.ts';
import { backgroundOver } from './lifecycle.ts';

/**
 * How an intent without an outcome is recovered after a crash. `repeat` is safe to do again; `reconcile` first asks
 * the world what happened; `abandon` has lost its object with the process.
 */
export const recoveryOf: Readonly<Record<EffectType, 'repeat' | 'reconcile' | 'abandon'>> = {
  'session-open': 'repeat',
  'session-close': 'abandon',
  // The session is marked until it is done: what is read off the run asks for it again.
  'session-renew': 'abandon',
  'slot-request': 'repeat',
  'turn-start': 'reconcile',
  // It changes nothing. Lost on its way, it is looked for like a turn and asked for again.
  'review-start': 'reconcile',
  'turn-find': 'repeat',
  'turn-interrupt': 'abandon',
  'turn-steer': 'reconcile',
  'request-answer': 'reconcile',
  // A savepoint is never made twice under one name; the approval behind it waits for the action to be asked again.
  savepoint: 'reconcile',
  'gate-open': 'repeat',
  'tree-read': 'repeat',
  'checks-run': 'repeat',
  'advice-ask': 'repeat',
  // Whoever summarises the same cycle again writes nothing twice.
  summarise: 'repeat',
  // The agent that asked is gone; it asks again.
  'input-advise': 'abandon',
  notify: 'repeat',
  'timer-set': 'repeat',
  'timer-cancel': 'abandon',
};

/** Sessions and searches are opened anew from what the run needs, so only these are literally started again. */
const isAgain = (run: Run, effect: Effect): boolean =>
  recoveryOf[effect.type] === 'repeat' &&
  effect.type !== 'session-open' &&
  effect.type !== 'turn-find' &&
  (effect.type !== 'gate-open' || run.gates.some((gate) => gate.id === effect.gate));

/** A session that outlives us was left running, by us or by the keeper that died. */
const isLeft = ({ agent, session }: Run): boolean =>
  agent.outlives === true && (session?.open === true || session?.detached === true);

/**
 * A new process holds the run. Whatever the last one had under way died with it: safe effects are repeated, a turn
 * or steering on its way is in doubt until the agent was asked, an approval that may not have arrived waits for the
 * same action. Deadlines of the dead turn are dropped; timers on the wall clock stay due.
 */
export function foldKeeper(run: Run, event: EventOf<'keeper-started'>): Run {
  const { pending } = run;
  const timers = Object.fromEntries(Object.entries(run.timers).filter(([, timer]) => timer.clock === 'wall'));
  const next: Run = {
    ...run,
    epoch: event.epoch,
    policyVersion: event.policyUpgrade?.to ?? run.policyVersion,
    session: run.session === null ? null : { ...run.session, open: false, detached: isLeft(run) },
    foreign: null,
    turn:
      run.turn === null
        ? null
        : {
            ...run.turn,
            phase: 'doubt',
            interrupt: run.turn.endAs === null ? null : 'wanted',
            startedMono: run.mono,
            requests: [],
          },
    awaiting: { ...run.awaiting, find: run.turn !== null || run.steering !== null },
    pending: [],
    redo: pending.filter((effect) => isAgain(run, effect)).map(({ id: _old, ...effect }) => effect),
    timers,
  };
  const left = run.agent.outlives === true ? next : backgroundOver(next);
  return pending.reduce(unheardApproval, withTasksWaiting(left));
}
