import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { closingLine } from '../../src/core/index.ts';
import type { Script, Step } from '../../src/edge/agents/scripted/script.ts';
import { type Desk, git, ownDesk, program } from '../cli/kit.ts';

export { program };

/** A desk whose workspace has a remote of its own: pushes really arrive somewhere. */
export function deskWithRemote(settings: Record<string, unknown> = {}): Desk & { readonly remote: string } {
  const desk = ownDesk();
  const remote = join(desk.folder, 'remote.git');
  mkdirSync(remote);
  git(remote, 'init', '--quiet', '--bare');
  git(desk.workspace, 'remote', 'add', 'origin', remote);
  git(desk.workspace, 'branch', '--move', 'work');
  const config = join(desk.folder, '.config', 'tireless');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.yaml'), stringify({ notifications: { desktop: false }, ...settings }));
  return { ...desk, remote };
}

/** The branches of the remote. */
export const branches = (remote: string): string[] =>
  git(remote, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
    .split('\n')
    .filter((name) => name !== '');

/** One turn with these steps that claims to be done. */
export const oneTurn = (...steps: Step[]): Script => ({
  asks: true,
  paceMs: 0,
  turns: [{ steps: [...steps, { write: 'one.txt', text: '1\n' }], message: `Done.\n\n${closingLine}` }],
});

export const proof = ['--check', 'test -f one.txt'];

/** Starts a script in the background and gives its run. */
export async function started(desk: Desk, script: Script, ...flags: string[]): Promise<string> {
  const ended = await desk.tireless([...desk.run(script, ...flags), ...proof, '--detach', '--json']);
  expect(ended).toMatchObject({ code: 0 });
  return (JSON.parse(ended.stdout) as { run: string }).run;
}

/** The process that keeps the run now. */
export async function keeperOf(desk: Desk, run: string): Promise<number> {
  const event = (await desk.entries(run)).map((e) => e.event).findLast((e) => e.type === 'keeper-started');
  return event?.type === 'keeper-started' ? event.pid : 0;
}

/** A webhook that keeps what it is sent. */
export async function webhook(): Promise<{
  readonly url: string;
  readonly notes: Record<string, unknown>[];
}> {
  const notes: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      notes.push(JSON.parse(body) as Record<string, unknown>);
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, notes };
}
