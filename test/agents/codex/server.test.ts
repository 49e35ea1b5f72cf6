import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { codexAgent } from '../../../src/edge/agents/codex/adapter.ts';
import { codexServer } from '../../../src/edge/agents/codex/server.ts';
import { processStart } from '../../../src/edge/lock.ts';
import { recordingListener } from '../../live/kit/recording-listener.ts';

const fakeServer = fileURLToPath(new URL('./fake-server.ts', import.meta.url));

it('a shared server ends with its sessions, also when they all leave at once', async () => {
  const site = { cwd: tmpdir(), env: { PATH: process.env.PATH } };
  const { start } = codexServer({ ...site, command: [process.execPath, fakeServer, 'plain'] });
  const listener = [recordingListener(), recordingListener()];
  const sessions = await Promise.all(
    listener.map((heard, n) => codexAgent({ ...site, run: `run-${n}`, start }).open(heard)),
  );
  const [pid = 0] = listener[0]?.pids ?? [];
  expect(processStart(pid)).not.toBeNull();
  await Promise.all(sessions.map((session) => session.close()));
  expect(processStart(pid)).toBeNull();
});
