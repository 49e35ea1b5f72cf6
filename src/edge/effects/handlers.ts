import type { Effect, EffectType } from '../../contract/index.ts';
import type { Done, Handler, HandlerContext } from './context.ts';
import { summariseCycle } from './cycle.ts';
import { readTree, runChecks } from './evidence.ts';
import { adviseInput, askAdvice, openGate, requestSlot, sendNote } from './outward.ts';
import { keepSavepoint } from './savepoint.ts';
import { closeSession, openSession, renewSession } from './session.ts';
import { answerRequest, findTurn, interruptTurn, startReview, startTurn, steerTurn } from './turn.ts';

/** Timers belong to the run loop's clock; every other effect has its handler here. */
type HandledType = Exclude<EffectType, 'timer-set' | 'timer-cancel'>;

/** Total over the effects: a new one does not compile until somebody does it. */
const handlers: { readonly [T in HandledType]: Handler<T> } = {
  'session-open': openSession,
  'session-close': closeSession,
  'session-renew': renewSession,
  'slot-request': requestSlot,
  'turn-start': startTurn,
  'review-start': startReview,
  'turn-steer': steerTurn,
  'turn-find': findTurn,
  'turn-interrupt': interruptTurn,
  'request-answer': answerRequest,
  savepoint: keepSavepoint,
  'gate-open': openGate,
  'tree-read': readTree,
  'checks-run': runChecks,
  'advice-ask': askAdvice,
  'input-advise': adviseInput,
  summarise: summariseCycle,
  notify: sendNote,
};

/** Does one effect. */
export function handle(
  effect: Extract<Effect, { type: HandledType }>,
  context: HandlerContext,
): Promise<Done> {
  return (handlers[effect.type] as Handler<HandledType>)(effect, context);
}
