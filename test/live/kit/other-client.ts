import { onTestFinished } from 'vitest';
import type { StartChild } from '../../../src/edge/agents/codex/server.ts';

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
