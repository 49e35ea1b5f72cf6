import type { Handler } from './context.ts';
import { failureOf } from './failure-of.ts';

export const openSession: Handler<'session-open'> = async (effect, { agent, listener, sessions }) => {
  try {
    const resume = effect.resume === undefined ? undefined : agent.resume?.(effect.resume, listener);
    const session = await (resume ?? agent.open(listener));
    sessions.set(session.id, session);
    return { outcome: { of: 'session-open', session: session.id } };
  } catch (error) {
    return { outcome: { of: 'session-open', failure: failureOf(error) } };
  }
};

export const closeSession: Handler<'session-close'> = async (effect, { sessions }) => {
  const session = sessions.get(effect.session);
  sessions.delete(effect.session);
  await session?.close();
  return { outcome: { of: 'session-close' } };
};
