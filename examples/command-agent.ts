/**
 * A complete adapter for any program that reads a prompt from standard input, works, prints its answer and exits.
 * Each turn is a new process.
 */
import { type Agent, AgentFailure, type AgentListener, type AgentSession, startChild } from 'tireless';

export interface CommandAgentOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The program's whole environment. Add TIRELESS_RUN, so that it cannot answer its own questions. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const messageCharsMax = 100_000;
const endGraceMs = 2_000;

export function commandAgent(options: CommandAgentOptions): Agent {
  return {
    // It asks nothing, so the guard sees nothing; it reports no usage, so only turns and time can be limited.
    facts: { name: options.name, door: 'command', sees: 'nothing', usage: 'none' },
    open: async (listener) => sessionOf(options, listener),
  };
}

function sessionOf({ name, command, cwd, env }: CommandAgentOptions, listener: AgentListener): AgentSession {
  const session = `${name}-session`;
  let turns = 0;
  let endRunning = async (): Promise<void> => undefined;

  const turn: AgentSession['turn'] = async (dispatch, prompt) => {
    const id = `turn-${++turns}`;
    // `onChildStarted` is awaited inside, so that an orphan can be found and ended after a crash.
    const child = await startChild({ command, cwd, env }, (pid) => listener.onChildStarted(pid)).catch(
      (error) => {
        throw new AgentFailure({
          kind: 'setup',
          message: `${command[0]} could not be started: ${error.message}`,
        });
      },
    );
    let text = '';
    let wasEnded = false;
    endRunning = async () => {
      wasEnded = true;
      await child.end(endGraceMs);
    };
    child.streams.stdout.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-messageCharsMax);
      listener.onLive({ session, kind: 'message', text: chunk.toString('utf8') });
    });
    child.streams.stdin.on('error', () => undefined); // it may exit without reading; `exited` reports its end
    child.streams.stdin.end(prompt);
    listener.onEvent({ type: 'turn-started', session, turn: id, dispatch });
    void child.exited.then(({ code }) => {
      const status = wasEnded ? 'interrupted' : code === 0 ? 'completed' : 'failed';
      const failure = { kind: 'other' as const, message: `${command[0]} ended with exit code ${code}` };
      listener.onEvent({
        type: 'turn-ended',
        session,
        turn: id,
        dispatch,
        status,
        message: { text: text.trimEnd() },
        failure: status === 'failed' ? failure : undefined,
      });
    });
    return { turn: id };
  };

  return {
    id: session,
    turn,
    interrupt: () => endRunning(),
    answer: async () => undefined,
    close: () => endRunning(),
  };
}
