/** A stand-in for `codex app-server` that misbehaves as its first argument says. Real frames come from recordings; this shows the rest. */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** As in a prompt of ours; this program stands alone. */
const closingLine = 'TIRELESS: MISSION COMPLETE';
const [scenario = ''] = process.argv.slice(2);
const say = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`);
const thread = { thread: { id: 'thread-1' }, cwd: process.cwd(), sandbox: { type: 'workspaceWrite' } };
const place = { threadId: 'thread-1', turnId: 'turn-1' };

if (scenario === 'exits') {
  console.error('Error: config.toml:3: unknown key');
  process.exit(1);
}

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
};

const answers: Record<string, (message: Message) => void> = {
  initialize: ({ id }) => {
    if (scenario === 'babbles') process.stdout.write(`Welcome to Codex, ${process.env.TIRELESS_RUN}!\n`);
    say({ id, result: { userAgent: scenario === 'is old' ? 'tireless/0.42.0 (Debian)' : 'fake/0' } });
  },
  'thread/start': ({ id, params }) => {
    if (scenario === 'is old') {
      say({ id, error: { code: -32600, message: 'unknown variant `untrusted`' } });
      return;
    }
    const approvalPolicy = scenario === 'asks less' ? 'on-request' : params?.approvalPolicy;
    const sandbox = scenario === 'no sandbox' ? { type: 'dangerFullAccess' } : thread.sandbox;
    say({ id, result: { ...thread, approvalPolicy, sandbox } });
    const status = scenario === 'has no tools' ? 'failed' : 'ready';
    const error = status === 'failed' ? 'No such file or directory' : null;
    const told = { threadId: 'thread-1', name: 'tireless', status, error };
    if (scenario !== 'forgets our tools') say({ method: 'mcpServer/startupStatus/updated', params: told });
  },
  'thread/resume': ({ id, params }) => {
    if (scenario === 'forgot')
      say({ id, error: { code: -32600, message: `no rollout found for thread id ${params?.threadId}` } });
    else say({ id, result: { ...thread, approvalPolicy: params?.approvalPolicy } });
  },
  'turn/start': ({ id }) => {
    if (scenario === 'mute') return;
    if (scenario === 'deaf') {
      process.stdin.destroy();
      closeSync(0);
      return;
    }
    if (scenario === 'refuses') {
      say({ id, error: { code: -32603, message: 'not now' } });
      return;
    }
    say({ id, result: { turn: { id: 'turn-1' } } });
    say({ method: 'turn/started', params: { threadId: 'thread-1', turn: { id: 'turn-1' } } });
    if (scenario === 'dies') {
      const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      say({
        method: 'item/completed',
        params: { ...place, item: { type: 'agentMessage', id: 'm', text: `${pid}` } },
      });
      process.stdout.write('{"method":"turn/comp');
      console.error('thread main panicked at src/lib.rs');
      process.exitCode = 101;
      process.exit();
    }
    if (scenario === 'is used up' || scenario === 'is used up and mute') {
      const error = { message: 'You have hit your usage limit.', codexErrorInfo: 'usageLimitExceeded' };
      const turn = { id: 'turn-1', status: 'failed', error };
      say({ method: 'turn/completed', params: { threadId: 'thread-1', turn } });
    }
    if (scenario === 'says too much' || scenario === 'says a lot') {
      const [megabytes, repeats] = scenario === 'says a lot' ? [8, 1] : [65, 2];
      const item = { type: 'agentMessage', id: 'm', text: 'x'.repeat(megabytes * 1_048_576) };
      for (let n = 0; n < repeats; n++) say({ method: 'item/completed', params: { ...place, item } });
      const message = { type: 'agentMessage', id: 'm2', text: closingLine };
      say({ method: 'item/completed', params: { ...place, item: message } });
    }
    if (['says too much', 'says a lot', 'babbles'].includes(scenario)) {
      const items = [{ type: 'agentMessage', id: 'm3', text: closingLine }];
      const turn = { id: 'turn-1', status: 'completed', items };
      say({ method: 'turn/completed', params: { threadId: 'thread-1', turn } });
    }
    if (scenario === 'asks strangely') say({ id: 0, method: 'weather/read', params: {} });
    if (scenario === 'asks for permissions') {
      const permissions = { network: { enabled: true }, fileSystem: null };
      say({
        id: 0,
        method: 'item/permissions/requestApproval',
        params: { ...place, permissions, reason: null },
      });
    }
    if (scenario === 'asks two things') {
      const questions = ['a', 'b'].map((name) => ({ id: name, question: `${name}?` }));
      say({ id: 0, method: 'item/tool/requestUserInput', params: { ...place, questions } });
    }
  },
  'account/rateLimits/read': ({ id }) => {
    const primary = { usedPercent: 100, windowDurationMins: 300, resetsAt: 1_900_000_000 };
    const rateLimits = { limitId: 'codex', primary, secondary: null, rateLimitReachedType: null };
    if (scenario === 'is used up') say({ id, result: { rateLimits, rateLimitsByLimitId: null } });
    else say({ id, error: { code: -32600, message: 'codex account authentication required' } });
  },
  'turn/interrupt': ({ id }) => {
    if (scenario === 'stubborn') say({ id, error: { code: -32600, message: 'no active turn to interrupt' } });
    else say({ id, result: {} });
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  if (scenario === 'silent') return;
  const message: Message = JSON.parse(line);
  if (message.method !== undefined) {
    answers[message.method]?.(message);
    return;
  }
  // What we were answered is shown as a message of the agent.
  const text = JSON.stringify(message.result ?? message.error);
  say({ method: 'item/completed', params: { ...place, item: { type: 'agentMessage', id: 'm', text } } });
});
if (scenario === 'silent' || scenario === 'deaf') setInterval(() => {}, 60_000);
