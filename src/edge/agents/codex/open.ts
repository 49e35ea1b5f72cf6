import { z } from 'zod';
import { AgentFailure, type Failure } from '../../../contract/index.ts';
import { RpcRefusal } from './connection.ts';
import { testedVersion } from './installed.ts';
import type { CodexOptions } from './options.ts';
import { statusArgumentsSchema, statusTool } from './requests.ts';
import { toolServerConfig, toolsReady } from './tool-server.ts';
import type { Wire } from './wire.ts';

/** Initialises, opens or resumes the thread, and makes sure that the server asks as configured. */
export async function openThread(
  wire: Wire,
  options: CodexOptions,
  resume: string | null,
): Promise<{ id: string; version: string | null }> {
  let version: string | null = null;
  try {
    version = await hello(wire, options.hostVersion ?? '0');
    return { id: await threadOf(wire, options, resume), version };
  } catch (error) {
    throw otherVersion(setupFailure(error, resume), version);
  }
}

/** Introduces us. The server answers with its version, if it uses the known format. */
export async function hello({ connection, waits }: Wire, version: string): Promise<string | null> {
  const client = { name: 'tireless', title: 'Tireless', version };
  const params = { clientInfo: client, capabilities: { experimentalApi: true } };
  const said = helloSchema.safeParse(await connection.request('initialize', params, waits.openMs));
  connection.notify('initialized');
  return said.success ? (/^[^/]*\/(\d+\.\d+\.\d+\S*)/.exec(said.data.userAgent)?.[1] ?? null) : null;
}
const helloSchema = z.looseObject({ userAgent: z.string() });

/** A refusal by another version is most likely due to the version. */
function otherVersion(error: AgentFailure, version: string | null): AgentFailure {
  const { failure } = error;
  if (failure.kind !== 'setup' || version === null || version === testedVersion) return error;
  const message = `${failure.message} (this is Codex ${version}; we test with ${testedVersion}: npm install -g @openai/codex@${testedVersion})`;
  return new AgentFailure({ ...failure, message: message.slice(0, 2_000) });
}

async function threadOf(wire: Wire, options: CodexOptions, resume: string | null): Promise<string> {
  const { approvals = 'untrusted', sandbox = 'workspace-write' } = options;
  const { connection, waits } = wire;
  const settings = {
    cwd: options.cwd,
    approvalPolicy: approvals,
    // Never Codex's own reviewer: it would answer instead of us.
    approvalsReviewer: 'user',
    sandbox,
    model: options.model,
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
 * We own the loop: no goals of Codex that start turns, and a turn that fails when the model cannot be reached instead of
 * one that never ends. The plan is off by default and worth seeing.
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

export const setup = (message: string, raw?: string) =>
  new AgentFailure({ kind: 'setup', message: message.slice(0, 2_000), raw });

/** Whatever keeps a session from opening is a setup failure, except a missing conversation. */
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
