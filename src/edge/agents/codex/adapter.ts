import { existsSync } from 'node:fs';
import { z } from 'zod';
import {
  type Agent,
  type AgentEars,
  type AgentFacts,
  AgentFailure,
  type AgentSession,
  type Failure,
} from '../../../contract/index.ts';
import { type StartedChild, startChild } from '../shared/process.ts';
import type { ToolServer } from '../shared/tool-server.ts';
import { RpcRefusal } from './connection.ts';
import { type CodexWaits, listen, sessionOn, type Wire } from './drive.ts';
import { statusArgumentsSchema, statusTool } from './requests.ts';
import type { StartChild } from './server.ts';
import { toolServerConfig, toolsReady } from './tool-server.ts';

export interface CodexOptions {
  /** The run this agent works for; its processes carry it as TIRELESS_RUN. */
  readonly run: string;
  readonly cwd: string;
  /** The environment of the agent's process, whole. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How Codex is started, `app-server` is added. Default: `codex` from PATH. */
  readonly command?: readonly [string, ...string[]];
  /** `untrusted` makes Codex ask before every command and every patch, so that the guard sees them. */
  readonly approvals?: 'untrusted' | 'on-request' | 'never';
  readonly sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
  readonly model?: string;
  /** Version of the installed Codex, when the caller asked it. */
  readonly version?: string;
  /** Our own version, which Codex shows in its user agent. */
  readonly hostVersion?: string;
  readonly waits?: Partial<CodexWaits>;
  /** The server of our own tools, if this run has one. */
  readonly tools?: ToolServer;
  /** How the process is started: a `codexServer`'s `start` shares one. Default: a process for each session. */
  readonly start?: StartChild;
}

const defaultWaits: CodexWaits = {
  openMs: 30_000,
  requestMs: 30_000,
  interruptTryMs: 3_000,
  interruptTotalMs: 25_000,
  graceMs: 2_000,
};

/** Codex through `codex app-server`: one process for each session, spoken to over its standard streams. */
export function codexAgent(options: CodexOptions): Agent {
  return {
    facts: factsOf(options),
    open: (ears) => begin(options, ears, null),
    resume: (session, ears) => begin(options, ears, session),
  };
}

function factsOf({
  approvals = 'untrusted',
  sandbox = 'workspace-write',
  version,
}: CodexOptions): AgentFacts {
  const sees = { untrusted: 'every-action', 'on-request': 'asks', never: 'nothing' } as const;
  return {
    name: 'codex',
    door: 'app-server',
    ...(version === undefined ? {} : { version }),
    sees: sees[approvals],
    usage: 'tokens',
    finds: true,
    steers: true,
    resumes: true,
    reviews: true,
    sandbox:
      sandbox === 'danger-full-access' ? 'none' : `${sandbox}; an approved command may ask to leave it`,
  };
}

async function begin(options: CodexOptions, ears: AgentEars, resume: string | null): Promise<AgentSession> {
  const waits = { ...defaultWaits, ...options.waits };
  const child = await started(options, ears);
  const wire = listen(child, ears, waits, resume);
  let isClosing = false;
  const end = async () => {
    isClosing = true;
    await child.end(waits.graceMs);
  };
  try {
    const id = await openThread(wire, options, resume);
    void wire.connection.gone.then(async (failure) => {
      if (isClosing) return;
      // What the dead process started would otherwise go on working unseen.
      const left = await child.end(0).catch((error: Error) => error.message);
      if (isClosing) return;
      const message = left.length === 0 ? failure.message : `${failure.message}; still running: ${left}`;
      ears.hear({ type: 'session-ended', session: id, failure: { ...failure, message } }, failure.raw);
    });
    return sessionOn(wire, id, end);
  } catch (error) {
    await end();
    throw setupFailure(error, resume);
  }
}

async function started(options: CodexOptions, ears: AgentEars): Promise<StartedChild> {
  const [program, ...args] = options.command ?? ['codex'];
  if (!existsSync(options.cwd)) throw setup(`the workspace ${options.cwd} does not exist`);
  try {
    return await (options.start ?? startChild)(
      {
        command: [program, ...args, 'app-server'],
        cwd: options.cwd,
        env: { ...options.env, TIRELESS_RUN: options.run },
      },
      (pid) => ears.childStarted(pid),
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

/** Says hello and opens or resumes the thread, and makes sure that the server asks as we told it to. */
async function openThread(wire: Wire, options: CodexOptions, resume: string | null): Promise<string> {
  const { approvals = 'untrusted', sandbox = 'workspace-write' } = options;
  const { connection, waits } = wire;
  await connection.request(
    'initialize',
    {
      clientInfo: { name: 'tireless', title: 'Tireless', version: options.hostVersion ?? '0' },
      capabilities: { experimentalApi: true },
    },
    waits.openMs,
  );
  connection.notify('initialized');
  const settings = {
    cwd: options.cwd,
    approvalPolicy: approvals,
    // Never Codex's own reviewer: it would answer in our place.
    approvalsReviewer: 'user',
    sandbox,
    ...(options.model === undefined ? {} : { model: options.model }),
    config: { ...threadConfig, ...toolServerConfig(options.tools) },
  };
  if (resume === null)
    await connection.request('thread/start', { ...settings, dynamicTools: [reportStatus] }, waits.openMs);
  else
    await connection.request(
      'thread/resume',
      { ...settings, threadId: resume, excludeTurns: true },
      waits.openMs,
    );
  const { session, policy } = wire.state();
  if (session === null) throw setup('Codex answered without a thread');
  if (policy?.approval !== approvals) {
    throw setup(`Codex was told to ask as ${approvals} and works as ${policy?.approval ?? 'unknown'}`);
  }
  if (policy.sandbox === 'dangerFullAccess' && sandbox !== 'danger-full-access') {
    throw setup(`Codex was told to stay in the sandbox ${sandbox} and uses none`);
  }
  if (options.tools !== undefined) await toolsReady(wire, waits.openMs);
  return session;
}

/**
 * We own the loop: no goals of Codex's own that start turns behind our back, and a turn that fails when the model
 * cannot be reached instead of one that never ends. The plan is off by default and worth seeing.
 */
const threadConfig = {
  'features.goals': false,
  'features.unbounded_connection_retries': false,
  'tools.update_plan.enabled': true,
};

const reportStatus = {
  type: 'function',
  name: statusTool,
  description:
    'Say how far the mission is. done: everything that was asked is finished, with the evidence (commands run and what they showed). ' +
    'blocked: you cannot go on without a person, and why. waiting: something outside must happen first, and what. ' +
    'Call it once, as the last thing before you stop.',
  inputSchema: z.toJSONSchema(statusArgumentsSchema, { target: 'draft-7' }),
};

const setup = (message: string, raw?: string) =>
  new AgentFailure({
    kind: 'setup',
    message: message.slice(0, 2_000),
    ...(raw === undefined ? {} : { raw }),
  });

/** Whatever keeps a session from opening is a matter of setting up, except a conversation that does not exist. */
function setupFailure(error: unknown, resume: string | null): AgentFailure {
  if (error instanceof RpcRefusal) {
    const isGone =
      resume !== null && /no rollout found|thread not found|invalid thread id/i.test(error.message);
    if (/already has an active writer/i.test(error.message))
      return new AgentFailure({
        kind: 'refused',
        message: `another process works in the thread ${resume}: end that one (another Tireless, or \`codex resume\`) and resume this run`,
        raw: error.message.slice(0, 2_000),
      });
    if (!isGone) return setup(`Codex refused to open a thread: ${error.message}`);
    return new AgentFailure({
      kind: 'gone',
      message: `Codex does not have the thread ${resume}: ${error.message}`,
    });
  }
  if (!(error instanceof AgentFailure)) return setup(String(error));
  const { failure } = error;
  if (failure.kind === 'setup') return error;
  return setup(startProblem(failure), failure.raw);
}

function startProblem({ kind, message, raw }: Failure): string {
  if (kind === 'silent') return `${message}. Try \`codex app-server\` by hand`;
  return raw === undefined ? `${message} at start` : `${message} at start: ${raw.slice(-1_000)}`;
}
