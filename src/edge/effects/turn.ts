import type { AgentSession } from '../../contract/index.ts';
import { AgentFailure, hookRequestPrefix, type Input, toolRequestPrefix } from '../../contract/index.ts';
import { renderInput, renderReview } from '../../core/index.ts';
import type { Handler, HandlerContext } from './context.ts';
import { failureOf } from './failure-of.ts';

const sessionOf = (context: HandlerContext, id: string): AgentSession => {
  const session = context.sessions.get(id);
  if (session === undefined) throw new AgentFailure({ kind: 'crashed', message: 'the agent is not running' });
  return session;
};

const unable = (what: string): AgentFailure =>
  new AgentFailure({ kind: 'other', message: `the agent cannot ${what}` });

/** The prompt as the agent will read it, with every text whole. */
async function promptOf(input: Input, context: HandlerContext): Promise<string> {
  const { mission } = context.run();
  const texts = [
    mission,
    ...input.parts.flatMap((part) =>
      part.part === 'steer'
        ? part.texts
        : part.part === 'advised' || part.part === 'findings'
          ? [part.text]
          : [],
    ),
  ];
  const whole = new Map<string, string>();
  for (const { body } of texts) {
    const text = body === undefined ? null : await context.bodyOf(body);
    if (body !== undefined && text !== null) whole.set(body, text);
  }
  return renderInput(input, mission, (text) =>
    text.body === undefined ? text.text : (whole.get(text.body) ?? text.text),
  );
}

export const startTurn: Handler<'turn-start'> = async (effect, context) => {
  const prompt = await promptOf(effect.input, context);
  try {
    const { turn } = await sessionOf(context, effect.session).turn(effect.dispatch, prompt);
    return { outcome: turn === undefined ? { of: 'turn-start' } : { of: 'turn-start', turn }, body: prompt };
  } catch (error) {
    return { outcome: { of: 'turn-start', failure: failureOf(error) }, body: prompt };
  }
};

/** What the review is told is small: mission and how to answer. */
export const startReview: Handler<'review-start'> = async (effect, context) => {
  const { mission } = context.run();
  const whole = mission.body === undefined ? null : await context.bodyOf(mission.body);
  const instructions = renderReview(mission, (text) => whole ?? text.text);
  try {
    const session = sessionOf(context, effect.session);
    if (session.review === undefined) throw unable('review its work');
    const { turn } = await session.review(effect.dispatch, instructions);
    const outcome = { of: 'review-start' as const, turn };
    return { outcome, body: instructions };
  } catch (error) {
    return { outcome: { of: 'review-start', failure: failureOf(error) }, body: instructions };
  }
};

export const steerTurn: Handler<'turn-steer'> = async (effect, context) => {
  const prompt = await promptOf(effect.input, context);
  try {
    const session = sessionOf(context, effect.session);
    if (session.steer === undefined) throw unable('steer a running turn');
    await session.steer(effect.turn, effect.dispatch, prompt);
    return { outcome: { of: 'turn-steer', ok: true }, body: prompt };
  } catch (error) {
    return { outcome: { of: 'turn-steer', ok: false }, body: failureOf(error).message };
  }
};

export const interruptTurn: Handler<'turn-interrupt'> = async (effect, context) => {
  try {
    await sessionOf(context, effect.session).interrupt(effect.turn);
    return { outcome: { of: 'turn-interrupt', ok: true } };
  } catch (error) {
    // The grace timer is already running: an interrupt that fails ends in the agent being ended.
    return { outcome: { of: 'turn-interrupt', ok: false }, body: failureOf(error).message };
  }
};

/** Asks the agent whether a dispatch reached it. Any doubt is `unknown`. */
export const findTurn: Handler<'turn-find'> = async (effect, context) => {
  try {
    const found = await sessionOf(context, effect.session).find?.(effect.dispatch);
    return { outcome: { of: 'turn-find', ...(found ?? { found: 'unknown' }) } };
  } catch (error) {
    return { outcome: { of: 'turn-find', found: 'unknown' }, body: failureOf(error).message };
  }
};

export const answerRequest: Handler<'request-answer'> = async (effect, context) => {
  const { answer, because, text, answers } = effect;
  if (effect.request.startsWith(toolRequestPrefix)) return { outcome: { of: 'request-answer', ok: true } };
  if (effect.request.startsWith(hookRequestPrefix)) {
    const ok = context.answerHook?.(effect.request, { answer, because, text, answers }) === true;
    return { outcome: { of: 'request-answer', ok } };
  }
  try {
    await sessionOf(context, effect.session).answer(effect.request, { answer, because, text, answers });
    return { outcome: { of: 'request-answer', ok: true } };
  } catch (error) {
    return { outcome: { of: 'request-answer', ok: false }, body: failureOf(error).message };
  }
};
