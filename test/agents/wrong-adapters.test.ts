import { describe, expect, it } from 'vitest';
import type { Agent, AgentEvent, AgentListener, AgentSession } from '../../src/contract/index.ts';
import { agentCases, agentConformance } from '../../src/testkit/agent-conformance.ts';
import { type SmallAgent, smallAgent } from './small-agent.ts';

/** How an adapter is wrong: in what it tells, or in what its session does. */
interface Wrong {
  readonly tells?: (event: AgentEvent) => readonly AgentEvent[];
  readonly does?: (session: AgentSession, small: SmallAgent) => Partial<AgentSession>;
  readonly claims?: Partial<Agent['facts']>;
  /** The one sentence that must fail. */
  readonly breaks: RegExp;
}

/** Only waits for what never comes take this long. */
const withinMs = 1_500;

const only = <T extends AgentEvent['type']>(
  type: T,
  change: (event: Extract<AgentEvent, { type: T }>) => readonly AgentEvent[],
) => ({
  tells: (event: AgentEvent) =>
    event.type === type ? change(event as Extract<AgentEvent, { type: T }>) : [event],
});

const wrongs: Readonly<Record<string, Wrong>> = {
  'delivers every prompt twice': {
    does: (session, { deliveries }) => ({
      turn: (dispatch, prompt) => {
        deliveries.push(prompt);
        return session.turn(dispatch, prompt);
      },
    }),
    breaks: /reaches the agent exactly once/,
  },
  'tells the end of a turn twice': {
    ...only('turn-ended', (end) => (end.status === 'completed' ? [end, end] : [end])),
    breaks: /starts once and ends once/,
  },
  'ignores an interrupt': {
    // Only the silent turn of the case about working would otherwise hang too.
    does: () => ({ interrupt: async () => undefined, working: undefined }),
    breaks: /an interrupt ends the turn/,
  },
  'swallows words for a running turn': {
    does: () => ({ steer: async () => undefined }),
    breaks: /taken or refused, never swallowed/,
  },
  'offers find and always says absent': {
    does: () => ({ find: async () => ({ found: 'absent' }) }),
    breaks: /find knows/,
  },
  'loses denials': {
    does: ({ answer }) => ({
      answer: async (request, given) => (given.answer === 'deny' ? undefined : answer(request, given)),
    }),
    breaks: /an approved action happens and a denied one does not/,
  },
  'passes no text of an answer on': {
    does: ({ answer }) => ({ answer: (request, given) => answer(request, { ...given, text: undefined }) }),
    breaks: /the answer to a question/,
  },
  'leaves its processes behind': {
    does: () => ({ close: async () => undefined }),
    breaks: /close ends every process/,
  },
  'reports usage since the last report': {
    ...only('usage-reported', (event) => [{ ...event, usage: { totalTokens: 100 } }]),
    breaks: /usage is the sum/,
  },
  'drops the steps of a plan': {
    ...only('plan-changed', (event) => [{ ...event, steps: undefined }]),
    breaks: /a plan is told with its steps/,
  },
  'swallows garbage': { ...only('unreadable', () => []), breaks: /told as unreadable/ },
  'never tells that background work has ended': {
    ...only('background-changed', (event) => (event.tasks.length === 0 ? [] : [event])),
    breaks: /work that outlives its turn/,
  },
  'tells a sub-agent’s request under a session of its own': {
    ...only('approval-asked', (event) => [
      event.subagent === undefined ? event : { ...event, session: event.subagent.id },
    ]),
    breaks: /request of a sub-agent/,
  },
  'does not say that its session has another id now': {
    ...only('session-changed', () => []),
    breaks: /changes its id says so/,
  },
  'claims what it has no method for': { claims: { reviews: true }, breaks: /what the session offers works/ },
};

function wronged({ tells, does, claims }: Wrong, small: SmallAgent): SmallAgent {
  const { agent } = small;
  const hearing = (listener: AgentListener): AgentListener => ({
    ...listener,
    onEvent: (event, body) => {
      for (const told of tells?.(event) ?? [event]) listener.onEvent(told, body);
    },
  });
  const changed = (session: AgentSession): AgentSession => ({ ...session, ...does?.(session, small) });
  return {
    ...small,
    agent: {
      facts: { ...agent.facts, ...claims },
      open: async (listener) => changed(await agent.open(hearing(listener))),
      resume: async (id, listener) =>
        changed(await (agent.resume ?? agent.open)(id as never, hearing(listener))),
    },
  };
}

agentConformance('an agent in this process', { make: async (turns) => smallAgent(turns) }, { describe, it });

describe('an adapter that', () => {
  for (const [what, wrong] of Object.entries(wrongs))
    it(`${what} fails by the one sentence about that`, async () => {
      const subject = {
        withinMs,
        make: async (turns: Parameters<typeof smallAgent>[0]) => wronged(wrong, smallAgent(turns)),
      };
      const runs = agentCases(subject).map(async ({ sentence, run }) =>
        run().then(
          () => [],
          () => [sentence],
        ),
      );
      const failed = (await Promise.all(runs)).flat();
      expect(failed).toEqual([expect.stringMatching(wrong.breaks)]);
    });
});
