import type { Agent, AgentListener, AgentSession, EffectOf, OpenedFacts } from '../../contract/index.ts';
import type { Handler } from './context.ts';
import { failureOf } from './failure-of.ts';

export const openSession: Handler<'session-open'> = async (effect, { agent, listener, sessions }) => {
  try {
    const resume = effect.resume === undefined ? undefined : agent.resume?.(effect.resume, listener);
    const session = await (resume ?? agent.open(listener));
    sessions.set(session.id, session);
    return { outcome: { of: 'session-open', session: session.id, agent: openedFacts(agent, session) } };
  } catch (error) {
    return { outcome: { of: 'session-open', failure: failureOf(error) } };
  }
};

/** What the session proved, and what it can do: a method that is there is a capability, and nothing else is. */
const openedFacts = (agent: Agent, session: AgentSession): OpenedFacts => ({
  ...session.facts,
  resumes: agent.resume !== undefined,
  finds: session.find !== undefined,
  steers: session.steer !== undefined,
  reviews: session.review !== undefined,
  forks: session.fork !== undefined,
  compacts: session.compact !== undefined,
  renews: session.renew !== undefined,
  // Left running, it must be found again, and what it works on with it.
  outlives: session.detach !== undefined && session.find !== undefined && agent.resume !== undefined,
});

export const closeSession: Handler<'session-close'> = async (effect, { agent, listener, sessions }) => {
  const session = sessions.get(effect.session) ?? (await left(effect, agent, listener));
  if (session !== undefined) forget(sessions, session);
  await (effect.keep === true && session?.detach !== undefined ? session.detach() : session?.close());
  return { outcome: { of: 'session-close' } };
};

/** A session that was left running, to be ended. */
async function left(
  { attach, session }: EffectOf<'session-close'>,
  agent: Agent,
  listener: AgentListener,
): Promise<AgentSession | undefined> {
  if (attach !== true) return undefined;
  return agent.resume?.(session, listener).catch(() => undefined); // what cannot be attached to any more is gone
}

/** A session may go by several ids. */
function forget(sessions: Map<string, AgentSession>, gone: AgentSession): void {
  for (const [id, session] of sessions) if (session === gone) sessions.delete(id);
}

export const renewSession: Handler<'session-renew'> = async (effect, { sessions }) => {
  const session = sessions.get(effect.session);
  try {
    if (session?.renew === undefined) throw new Error('the session cannot begin a fresh context');
    const renewed = await session.renew();
    sessions.set(renewed.session, session);
    return { outcome: { of: 'session-renew', session: renewed.session } };
  } catch (error) {
    return { outcome: { of: 'session-renew', failure: failureOf(error) } };
  }
};
