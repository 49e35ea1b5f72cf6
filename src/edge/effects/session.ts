import type { Hand } from './context.ts';
import { failureOf } from './failure-of.ts';

export const openSession: Hand<'session-open'> = async (effect, { agent, ears, sessions }) => {
  try {
    const resume = effect.resume === undefined ? undefined : agent.resume?.(effect.resume, ears);
    const session = await (resume ?? agent.open(ears));
    sessions.set(session.id, session);
    return { outcome: { of: 'session-open', session: session.id } };
  } catch (error) {
    return { outcome: { of: 'session-open', failure: failureOf(error) } };
  }
};

export const closeSession: Hand<'session-close'> = async (effect, { sessions }) => {
  const session = sessions.get(effect.session);
  sessions.delete(effect.session);
  await session?.close();
  return { outcome: { of: 'session-close' } };
};
