import { onTestFinished } from 'vitest';
import { codexAgent } from '../../../src/edge/agents/codex/adapter.ts';
import { codexServer, type StartChild } from '../../../src/edge/agents/codex/server.ts';
import { type LiveRun, type LiveRunOptions, liveRun } from './live-run.ts';

/** Somebody else at the same app-server: speaks the wire by hand, and hears only what it is answered. */
export interface OtherClient {
  ask(method: string, params: object): Promise<unknown>;
}

export async function otherClient(start: StartChild): Promise<OtherClient> {
  const child = await start({ command: ['unused'], cwd: '.', env: {} }, async () => undefined);
  onTestFinished(async () => void (await child.end(0)));
  const waiting = new Map<number, (answer: unknown) => void>();
  let held = '';
  child.streams.stdout.on('data', (bytes: Buffer) => {
    const lines = (held + bytes.toString('utf8')).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const { id, method, result, error } = JSON.parse(line) as Record<string, unknown>;
      if (method === undefined) waiting.get(id as number)?.(result ?? error);
    }
  });
  let nextId = 1;
  return {
    ask: (method, params) =>
      new Promise((resolve) => {
        const id = nextId++;
        waiting.set(id, resolve);
        child.streams.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
      }),
  };
}

/** A run whose app-server somebody else can reach too. */
export async function sharedRun(
  options: LiveRunOptions = {},
): Promise<{ run: LiveRun; start: () => StartChild }> {
  let start: StartChild | undefined;
  const run = await liveRun({
    ...options,
    agent: ({ cwd, env, command = ['codex'], ...more }) => {
      start = codexServer({ cwd, env: { ...env, TIRELESS_RUN: more.run }, command }).start;
      return codexAgent({ cwd, env, command, ...more, start });
    },
  });
  const started = (): StartChild => {
    if (start === undefined) throw new Error('no agent yet');
    return start;
  };
  return { run, start: started };
}

/** The thread the run works in, once a turn of it has begun. */
export const threadOf = async (run: LiveRun): Promise<string> => {
  const { event } = await run.entry('the session', ({ event }) => event.type === 'turn-started');
  return event.type === 'turn-started' ? event.session : '';
};
