import type { Agent, AgentSession } from '../../../src/contract/ports.ts';
import * as real from '../../../src/edge/agents/scripted/adapter.ts';
import { fused } from './fuse.ts';

const fusedSession = (session: AgentSession): AgentSession =>
  fused('session', session, ['turn', 'interrupt', 'answer', 'steer', 'find', 'close']);

export const scriptedAgent: typeof real.scriptedAgent = (options) => {
  const agent = real.scriptedAgent(options);
  const within: Agent = {
    facts: agent.facts,
    open: async (listener) => fusedSession(await agent.open(listener)),
    resume: async (session, listener) =>
      fusedSession(await (agent.resume ?? agent.open)(session as never, listener)),
  };
  return fused('agent', within, ['open', 'resume']);
};
