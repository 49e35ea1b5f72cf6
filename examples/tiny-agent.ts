/** The smallest possible agent: it runs in this process, and each turn does the next thing on its list. */
import type { Agent, AgentListener, AgentSession } from '../src/index.ts';

/** What one turn does; it returns the agent's last message. */
export type Deed = (prompt: string) => string;

export function tinyAgent(deeds: readonly Deed[]): Agent {
  let turns = 0;
  const open = async (listener: AgentListener): Promise<AgentSession> => {
    const session = 'tiny-1';
    return {
      id: session,
      async turn(dispatch, prompt) {
        const turn = `turn-${++turns}`;
        const deed = deeds[Math.min(turns, deeds.length) - 1];
        listener.onEvent({ type: 'turn-started', session, turn, dispatch });
        // The prompt is delivered when this resolves; the end of the turn comes later, as an event.
        setImmediate(() => {
          const message = { text: deed?.(prompt) ?? '' };
          listener.onEvent({ type: 'turn-ended', session, turn, dispatch, status: 'completed', message });
        });
        return { turn };
      },
      interrupt: async () => undefined,
      answer: async () => undefined,
      close: async () => undefined,
    };
  };
  return {
    // No find, steer or resume: the core reads that from the facts and does without.
    facts: {
      name: 'tiny',
      door: 'in-process',
      sees: 'nothing',
      usage: 'none',
      finds: false,
      steers: false,
      resumes: false,
    },
    open,
  };
}
