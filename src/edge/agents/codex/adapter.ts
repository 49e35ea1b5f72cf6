import { existsSync } from 'node:fs';
import type { Agent, AgentFacts, AgentListener, AgentSession } from '../../../contract/index.ts';
import { type StartedChild, startChild } from '../shared/process.ts';
import { listen, sessionOn } from './drive.ts';
import { openThread, setup } from './open.ts';
import { type CodexOptions, defaultWaits } from './options.ts';
import type { Wire } from './wire.ts';

/** Codex through `codex app-server`: one process per session, over its standard streams. */
export function codexAgent(options: CodexOptions): Agent {
  return {
    facts: factsOf(options),
    open: (listener) => begin(options, listener, null),
    resume: (session, listener) => begin(options, listener, session),
  };
}

const sees = { untrusted: 'every-action', 'on-request': 'asks', never: 'nothing' } as const;

const sandboxText = (sandbox: string) =>
  sandbox === 'danger-full-access' ? 'none' : `${sandbox}; an approved command may ask to leave it`;

function factsOf({
  approvals = 'untrusted',
  sandbox = 'workspace-write',
  version,
}: CodexOptions): AgentFacts {
  return {
    name: 'codex',
    door: 'app-server',
    version,
    sees: sees[approvals],
    usage: 'tokens',
    sandbox: sandboxText(sandbox),
  };
}

/** What the opened thread answered with. The app-server does not say who is logged in: `tireless doctor` does. */
function proven({ sandbox = 'workspace-write' }: CodexOptions, wire: Wire, version: string | null) {
  const { policy } = wire.state();
  const approval = (Object.keys(sees) as (keyof typeof sees)[]).find((one) => one === policy?.approval);
  const sandboxed = policy?.sandbox === 'dangerFullAccess' ? 'none' : sandboxText(sandbox);
  return { version: version ?? undefined, sandbox: sandboxed, sees: approval && sees[approval] };
}

async function begin(
  options: CodexOptions,
  listener: AgentListener,
  resume: string | null,
): Promise<AgentSession> {
  const waits = { ...defaultWaits, ...options.waits };
  const child = await started(options, listener);
  const wire = listen(child, listener, waits, resume);
  let isClosing = false;
  const end = async () => {
    isClosing = true;
    await child.end(waits.graceMs);
  };
  try {
    const { id, version } = await openThread(wire, options, resume);
    void wire.connection.gone.then(async (failure) => {
      if (isClosing) return;
      // What the dead process started would otherwise go on unseen.
      const left = await child.end(0).catch((error: Error) => error.message);
      if (isClosing) return;
      const message = left.length === 0 ? failure.message : `${failure.message}; still running: ${left}`;
      listener.onEvent({ type: 'session-ended', session: id, failure: { ...failure, message } }, failure.raw);
    });
    return { ...sessionOn(wire, id, end), facts: proven(options, wire, version) };
  } catch (error) {
    await end();
    throw error;
  }
}

async function started(options: CodexOptions, listener: AgentListener): Promise<StartedChild> {
  const [program, ...args] = options.command ?? ['codex'];
  if (!existsSync(options.cwd)) throw setup(`the workspace ${options.cwd} does not exist`);
  try {
    return await (options.start ?? startChild)(
      {
        command: [program, ...args, 'app-server'],
        cwd: options.cwd,
        env: { ...options.env, TIRELESS_RUN: options.run },
      },
      (pid) => listener.onChildStarted(pid),
    );
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (!syscall?.startsWith('spawn')) throw error;
    throw setup(
      code === 'ENOENT'
        ? `${program} was not found. Install Codex with \`npm install -g @openai/codex\`, or name its program in the configuration`
        : `${program} could not be started: ${message}`,
    );
  }
}
