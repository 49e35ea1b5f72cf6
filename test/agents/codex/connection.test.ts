import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { connect } from '../../../src/edge/agents/codex/connection.ts';
import type { StartedChild } from '../../../src/edge/agents/shared/process.ts';

it('a pipe that breaks while we write is no error of ours: the request goes unanswered, the exit is told', async () => {
  const stdin = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const exited = Promise.withResolvers<{ code: number | null; signal: NodeJS.Signals | null }>();
  const child: StartedChild = {
    pid: 0,
    streams: { stdin, stdout: new PassThrough(), stderr: new PassThrough() },
    exited: exited.promise,
    end: async () => [],
  };
  const connection = connect(child, { onEvent: () => {}, sent: () => {} });
  await expect(connection.request('turn/start', {}, 50)).rejects.toMatchObject({
    failure: { kind: 'silent' },
  });
  const pending = connection.request('turn/start', {}, 60_000);
  exited.resolve({ code: null, signal: 'SIGKILL' });
  await expect(pending).rejects.toMatchObject({
    failure: { kind: 'crashed', message: 'Codex ended by SIGKILL' },
  });
  expect(() => connection.mustLive()).toThrow('SIGKILL');
});
