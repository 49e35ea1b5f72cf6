import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { findHome } from '../../src/edge/home.ts';
import { findSockets } from '../../src/edge/sockets/place.ts';
import { type Desk, program } from '../cli/kit.ts';

/** A message as it stands on the wire. */
export interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Called {
  readonly text: string;
  readonly isError: boolean;
}

/** Our MCP server as an agent has it: a real process, spoken to line by line. */
export interface Client {
  readonly server: ChildProcessWithoutNullStreams;
  request(method: string, params?: unknown): Promise<Message>;
  raw(line: string): void;
  notify(method: string): void;
  call(tool: string, args?: unknown): Promise<Called>;
  tools(): Promise<string[]>;
  ended: Promise<{ code: number | null; stderr: string }>;
}

const answerMs = 60_000;

export function startServer(desk: Desk, args: readonly string[], env: Record<string, string> = {}): Client {
  const server = spawn(process.execPath, [program, 'mcp', ...args], {
    cwd: desk.workspace,
    env: { ...desk.env, ...env } as NodeJS.ProcessEnv,
    stdio: 'pipe',
  });
  onTestFinished(() => void server.kill());
  const waiting = new Map<number, (message: Message) => void>();
  let next = 0;
  let stderr = '';
  server.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  server.stdin.on('error', () => undefined);
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(message.id ?? -1)?.(message);
  });
  const raw = (line: string): void => void server.stdin.write(`${line}\n`);
  const request: Client['request'] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      next += 1;
      const id = next;
      const late = setTimeout(() => reject(new Error(`${method} was not answered: ${stderr}`)), answerMs);
      waiting.set(id, (message) => {
        clearTimeout(late);
        resolve(message);
      });
      raw(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  return {
    server,
    request,
    raw,
    notify: (method) => raw(JSON.stringify({ jsonrpc: '2.0', method })),
    async call(tool, args = {}) {
      const { result, error } = await request('tools/call', { name: tool, arguments: args });
      const content = (result?.content ?? []) as { text: string }[];
      const text = error?.message ?? content.map((part) => part.text).join('\n');
      return { text, isError: error !== undefined || result?.isError === true };
    },
    async tools() {
      const { result } = await request('tools/list');
      return ((result?.tools ?? []) as { name: string }[]).map(({ name }) => name);
    },
    ended: new Promise((resolve) => server.once('close', (code) => resolve({ code, stderr }))),
  };
}

/** What the keeper of a run gives its agent to reach it. */
export function socketOf(desk: Desk, run: string): Record<string, string> {
  const address = findSockets(findHome(desk.env), run)?.agent;
  if (address === undefined) throw new Error(`run ${run} has no socket`);
  return { TIRELESS_SOCKET: address.path, TIRELESS_TOKEN: address.token };
}

/** A client after the handshake. */
export async function connected(
  desk: Desk,
  run: string,
  { waitMs = 50_000, env = { TIRELESS_RUN: run } }: { waitMs?: number; env?: Record<string, string> } = {},
): Promise<Client> {
  const client = startServer(desk, ['--run', run, '--wait-ms', String(waitMs)], {
    ...socketOf(desk, run),
    ...env,
  });
  await client.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  client.notify('notifications/initialized');
  return client;
}

/** Starts a run in the background whose agent is in the middle of a turn that does not end. */
export async function atWork(desk: Desk, ...flags: string[]): Promise<string> {
  const script = { asks: false, paceMs: 0, turns: [{ steps: [{ hang: true as const }], message: '' }] };
  const begun = await desk.tireless([...desk.run(script, ...flags), '--detach', '--json']);
  if (begun.code !== 0) throw new Error(`the run did not start: ${begun.stderr}`);
  const { run } = JSON.parse(begun.stdout) as { run: string };
  await desk.seen((view) => view.id === run && view.state === 'running');
  return run;
}

export const autonomous = ['--mode', 'autonomous', '--check', 'test -f one.txt'] as const;
