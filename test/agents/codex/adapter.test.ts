import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentSession } from '../../../src/contract/index.ts';
import { codexAgent } from '../../../src/edge/agents/codex/adapter.ts';
import type { CodexOptions } from '../../../src/edge/agents/codex/options.ts';
import { processStart } from '../../../src/edge/lock.ts';
import { type RecordingListener, recordingListener } from '../../live/kit/recording-listener.ts';

const waits = { openMs: 5_000, requestMs: 300, interruptTryMs: 100, interruptTotalMs: 300, graceMs: 500 };
const fakeServer = fileURLToPath(new URL('./fake-server.ts', import.meta.url));
const sessions: AgentSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function agentThat(scenario: string, options: Partial<CodexOptions> = {}) {
  return codexAgent({
    run: 'run-1',
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
    command: [process.execPath, fakeServer, scenario],
    waits,
    ...options,
  });
}

async function opened(scenario: string): Promise<{ session: AgentSession; listener: RecordingListener }> {
  const listener = recordingListener();
  const session = await agentThat(scenario).open(listener);
  sessions.push(session);
  return { session, listener };
}

const opening = async (scenario: string, options?: Partial<CodexOptions>) => {
  const listener = recordingListener();
  const failure = await agentThat(scenario, options)
    .open(listener)
    .then(() => undefined)
    .catch((error: { failure?: { kind: string; message: string } }) => error.failure);
  expect(listener.pids.filter((pid) => processStart(pid) !== null)).toEqual([]);
  return failure;
};

describe('an agent that does not open', () => {
  it('because it is not installed says how to install it', async () => {
    const failure = await opening('', { command: ['no-such-codex'] });
    expect(failure).toMatchObject({
      kind: 'setup',
      message: expect.stringContaining('npm install -g @openai/codex'),
    });
  });

  it('because its folder is missing names the folder', async () => {
    const failure = await opening('', { cwd: join(tmpdir(), 'no-such-folder') });
    expect(failure).toMatchObject({
      kind: 'setup',
      message: expect.stringContaining('no-such-folder does not exist'),
    });
  });

  it('because it exits at once repeats its last words', async () => {
    const failure = await opening('exits');
    expect(failure).toMatchObject({
      kind: 'setup',
      message: 'Codex ended with exit code 1 at start: Error: config.toml:3: unknown key',
    });
  });

  it('because it never answers is ended', async () => {
    const failure = await opening('silent', { waits: { ...waits, openMs: 300 } });
    expect(failure).toMatchObject({
      kind: 'setup',
      message: expect.stringContaining('did not answer initialize within 300 ms'),
    });
  });

  it.each([
    ['asks less', 'told to ask as untrusted and works as on-request'],
    ['no sandbox', 'told to stay in the sandbox workspace-write and uses none'],
  ])('because it %s than it was told', async (scenario, message) => {
    expect(await opening(scenario)).toMatchObject({
      kind: 'setup',
      message: expect.stringContaining(message),
    });
  });

  it('because it is another version than the one we know names both', async () => {
    expect(await opening('is old')).toMatchObject({
      kind: 'setup',
      message:
        'Codex refused to open a thread: thread/start: unknown variant `untrusted` (this is Codex 0.42.0; we test with 0.166.0: npm install -g @openai/codex@0.166.0)',
    });
  });

  it('because its conversation is gone says so', async () => {
    await expect(agentThat('forgot').resume?.('thread-9', recordingListener())).rejects.toMatchObject({
      failure: { kind: 'gone' },
    });
  });
});

describe('an agent that has opened', () => {
  it('tells what it said that is no message, and works on', async () => {
    const { listener, session } = await opened('babbles');
    expect(await listener.received('unreadable')).toMatchObject({ sample: 'Welcome to Codex, run-1!' });
    expect(await session.turn('dispatch-1', 'Hello')).toEqual({ turn: 'turn-1' });
  });

  it('and sends a frame of several megabytes is read whole', async () => {
    const { listener, session } = await opened('says a lot');
    await session.turn('dispatch-1', 'Hello');
    const item = await listener.received('item-ended');
    expect(item).toMatchObject({ kind: 'message', outcome: 'ok' });
    expect(listener.bodies.get(item)?.length).toBeGreaterThan(8 * 1_048_576);
    expect(await listener.received('turn-ended')).toMatchObject({ status: 'completed' });
  });

  it('and sends frames over 64 MB has them told as unreadable, and works on', async () => {
    const { listener, session } = await opened('says too much');
    await session.turn('dispatch-1', 'Hello');
    expect(await listener.received('turn-ended')).toMatchObject({ status: 'completed' });
    const unreadable = listener.events.filter((event) => event.type === 'unreadable');
    expect(unreadable).toHaveLength(2);
    expect(unreadable[0]).toMatchObject({ because: expect.stringMatching(/6815\d{4} bytes/) });
  });

  it('and dies is a session that ended, not a turn, and leaves nothing running', async () => {
    const { listener, session } = await opened('dies');
    await session.turn('dispatch-1', 'Hello');
    expect(await listener.received('session-ended')).toMatchObject({
      session: 'thread-1',
      failure: {
        kind: 'crashed',
        message: 'Codex ended with exit code 101',
        raw: expect.stringContaining('panicked'),
      },
    });
    expect(listener.events.map((event) => event.type)).toEqual([
      'turn-started',
      'item-ended',
      'unreadable',
      'session-ended',
    ]);
    const { label } = await listener.received('item-ended');
    expect(processStart(Number(label))).toBeNull();
    await expect(session.turn('dispatch-2', 'Hello?')).rejects.toMatchObject({
      failure: { kind: 'crashed' },
    });
  });

  it.each(['mute', 'deaf'])(
    'and is %s leaves a prompt in doubt: nobody may say it did not arrive',
    async (scenario) => {
      const { session } = await opened(scenario);
      await expect(session.turn('dispatch-1', 'Hello')).rejects.toMatchObject({
        failure: { kind: 'silent' },
      });
      expect(await session.find?.('dispatch-1')).toEqual({ found: 'unknown' });
    },
  );

  it('and refuses a turn says why', async () => {
    const { session } = await opened('refuses');
    await expect(session.turn('dispatch-1', 'Hello')).rejects.toMatchObject({
      failure: { kind: 'refused', message: 'turn/start: not now', raw: '-32603' },
    });
  });

  it('and asks what nobody knows gets a refusal', async () => {
    const { session, listener } = await opened('asks strangely');
    await session.turn('dispatch-1', 'Hello');
    expect(await listener.received('unreadable')).toMatchObject({
      because: expect.stringContaining('weather/read'),
    });
    expect(await listener.received('item-ended')).toMatchObject({ label: expect.stringContaining('-32601') });
  });

  it.each([
    ['approve', '{"permissions":{"network":{"enabled":true}},"scope":"turn"}'],
    ['deny', '{"permissions":{},"scope":"turn"}'],
  ] as const)('and wants permissions gets them for the turn at most (%s)', async (answer, label) => {
    const { session, listener } = await opened('asks for permissions');
    await session.turn('dispatch-1', 'Hello');
    const { request, action } = await listener.received('approval-asked');
    expect(action.kind).toBe('permission');
    await session.answer(request, { answer, because: 'so it is' });
    expect(await listener.received('item-ended')).toMatchObject({ label });
  });

  it('and asks two things at once gets the answer under both names', async () => {
    const { session, listener } = await opened('asks two things');
    await session.turn('dispatch-1', 'Hello');
    const { request } = await listener.received('input-asked');
    await session.answer(request, { answer: 'text', because: 'so it is', text: 'yes' });
    expect(await listener.received('item-ended')).toMatchObject({
      label: '{"answers":{"a":{"answers":["yes"]},"b":{"answers":["yes"]}}}',
    });
  });

  it('and asks two things at once gets each its own answer, where there are two', async () => {
    const { session, listener } = await opened('asks two things');
    await session.turn('dispatch-1', 'Hello');
    const { request } = await listener.received('input-asked');
    const answers = [
      { id: 'b', answer: 'no' },
      { id: 'a', answer: 'yes' },
    ];
    await session.answer(request, { answer: 'text', because: 'so it is', text: 'yes\nno', answers });
    expect(await listener.received('item-ended')).toMatchObject({
      label: '{"answers":{"a":{"answers":["yes"]},"b":{"answers":["no"]}}}',
    });
  });

  it('and met a limit without a reset time asks the account for it', async () => {
    const { session, listener } = await opened('is used up');
    await session.turn('dispatch-1', 'Hello');
    expect(await listener.received('turn-ended')).toMatchObject({ failure: { kind: 'usage-limit' } });
    expect(await listener.received('limit-seen')).toMatchObject({ resetAt: 1_900_000_000_000 });
  });

  it('and has no account to ask leaves the limit without a time', async () => {
    const { session, listener } = await opened('is used up and mute');
    await session.turn('dispatch-1', 'Hello');
    await listener.received('turn-ended');
    expect(await session.find?.('dispatch-2').catch(() => 'asked')).toBe('asked');
    expect(listener.events.map((event) => event.type)).toEqual(['turn-started', 'turn-ended']);
  });

  it.each(['stubborn', 'slow'])(
    'and does not end its turn (%s) makes the interrupt fail in time',
    async (scenario) => {
      const { session } = await opened(scenario);
      await session.turn('dispatch-1', 'Hello');
      await expect(session.interrupt('turn-1')).rejects.toMatchObject({ failure: { kind: 'silent' } });
      await session.interrupt('turn-of-old');
    },
  );
});

it('an open session says what it proved: the version, what it asks about, its sandbox', async () => {
  const { session } = await opened('');
  expect(session.facts).toMatchObject({ sees: 'every-action', sandbox: expect.stringMatching(/./) });
});

it('what the guard sees follows from how Codex asks', () => {
  const sees = (approvals: CodexOptions['approvals']) => agentThat('', { approvals }).facts.sees;
  expect([sees(undefined), sees('untrusted'), sees('on-request'), sees('never')]).toEqual([
    'every-action',
    'every-action',
    'asks',
    'nothing',
  ]);
  expect(agentThat('', { version: '0.166.0' }).facts).toEqual({
    name: 'codex',
    door: 'app-server',
    version: '0.166.0',
    sees: 'every-action',
    usage: 'tokens',
    sandbox: 'workspace-write; an approved command may ask to leave it',
  });
});
