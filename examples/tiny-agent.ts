/** The smallest possible agent: it runs in this process, and each turn does the next thing on its list. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, type AgentListener, type AgentSession, closingLine } from 'tireless';

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
  // The optional methods of a session are its capabilities: this one has none.
  return { facts: { name: 'tiny', door: 'in-process', sees: 'nothing', usage: 'none' }, open };
}

/** Writes a text into notes.txt and says something. */
export const writes = (workspace: string, text: string, message: string) => (): string => {
  writeFileSync(join(workspace, 'notes.txt'), text);
  return message;
};

/** Claims to be finished too early. The check fails, it gets the evidence, and its second claim holds. */
export const hastyAgent = (workspace: string): Agent =>
  tinyAgent([
    () => `It was done already, I think.\n\n${closingLine}`,
    (prompt) => {
      console.log(
        `the agent reads: ${prompt.split('\n').find((line) => line.startsWith('## Not finished'))}`,
      );
      return writes(workspace, 'done\n', `Now it says done.\n\n${closingLine}`)();
    },
  ]);

/** A git repository with one file, and beside it a folder for Tireless's own records. */
export function makePlace(): { readonly workspace: string; readonly home: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-example-')));
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'notes.txt'), 'todo\n');
  execFileSync('git', ['init', '--quiet'], { cwd: workspace });
  return { workspace, home: join(folder, 'state') };
}
