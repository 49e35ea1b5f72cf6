import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { jsonLines } from '../shared/frames.ts';

/** The protocol version most agents use today. */
const protocolVersion = '2025-06-18';

export interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
}

/** Calls tools of the server named in the environment, as a real agent does: a child process, over its streams. */
export interface ToolClient {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  close(): void;
}

interface Answer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
  readonly error?: { readonly message?: string };
}

/** The name of the variable that holds the command, as a JSON list. */
export const toolServerVariable = 'TIRELESS_MCP';

export function toolClient(env: NodeJS.ProcessEnv): ToolClient {
  let server: ChildProcessWithoutNullStreams | null = null;
  let next = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  const send = (message: object): void =>
    void server?.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method: string, params: object): Promise<Answer> =>
    new Promise((resolve) => {
      next += 1;
      waiting.set(next, resolve);
      send({ id: next, method, params });
    });
  const start = async (): Promise<void> => {
    const [program, ...args] = JSON.parse(env[toolServerVariable] ?? '[]') as string[];
    if (program === undefined) throw new Error(`${toolServerVariable} names no server of tools`);
    server = spawn(program, args, { env, stdio: 'pipe' });
    const framer = jsonLines();
    server.stdout.on('data', (chunk: Uint8Array) => {
      for (const frame of framer.push(chunk)) {
        if (!('value' in frame)) continue;
        const answer = frame.value as Answer;
        waiting.get(answer.id ?? -1)?.(answer);
        waiting.delete(answer.id ?? -1);
      }
    });
    server.stdin.on('error', () => undefined); // `close` reports its end
    server.once('close', (code) => {
      for (const resolve of waiting.values()) resolve({ error: { message: `the tools ended with ${code}` } });
      waiting.clear();
    });
    await ask('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'scripted', version: '1' },
    });
    send({ method: 'notifications/initialized' });
  };
  return {
    async call(name, args) {
      if (server === null) await start();
      const { result, error } = await ask('tools/call', { name, arguments: args });
      const text = (result?.content ?? []).map((part) => part.text ?? '').join('\n');
      return { ok: error === undefined && result?.isError !== true, text: error?.message ?? text };
    },
    close: () => void server?.stdin.end(),
  };
}
