import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the scripted model does with one request. */
export type ChatStep =
  | {
      readonly do: 'say';
      readonly text: string;
      readonly tokens?: { readonly in: number; readonly out: number } | null;
    }
  | { readonly do: 'refuse'; readonly status: number; readonly body: string }
  /** 200, and then bytes that are no answer. */
  | { readonly do: 'babble'; readonly bytes: string }
  /** Endless bytes, until the reader goes away. */
  | { readonly do: 'flood' }
  | { readonly do: 'hang' }
  | { readonly do: 'cut' };

export interface ChatRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ScriptedChat {
  /** Base address, ending in `/v1`. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  push(...steps: readonly ChatStep[]): void;
  close(): Promise<void>;
}

export interface ScriptedChatOptions {
  /** Chooses a step from the request; undefined falls through to the queue. */
  readonly choose?: (request: ChatRequest) => ChatStep | undefined;
}

/**
 * A model server on loopback that does only what the script says. Speaks chat completions as OpenAI and Ollama serve
 * them (`/v1/chat/completions`), and the same unstreamed answers over `/v1/responses` and Anthropic's `/v1/messages`.
 */
export async function scriptedChat(options: ScriptedChatOptions = {}): Promise<ScriptedChat> {
  const queue: ChatStep[] = [];
  const requests: ChatRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const path = (incoming.url ?? '').split('?')[0] ?? '';
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
      const request = { path, headers: incoming.headers, body };
      const shape = Object.hasOwn(shapes, path) ? shapes[path] : undefined;
      if (shape === undefined) {
        send(response, 404, JSON.stringify({ error: { message: 'no such path' } }));
        return;
      }
      requests.push(request);
      const none: ChatStep = { do: 'refuse', status: 500, body: 'the script has no step left' };
      play(options.choose?.(request) ?? queue.shift() ?? none, shape, response);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    push: (...steps) => void queue.push(...steps),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

type Shape = (text: string, tokens: { readonly in: number; readonly out: number } | null) => object;

const shapes: Readonly<Record<string, Shape>> = {
  '/v1/chat/completions': (text, tokens) => ({
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage:
      tokens === null
        ? undefined
        : { prompt_tokens: tokens.in, completion_tokens: tokens.out, total_tokens: tokens.in + tokens.out },
  }),
  '/v1/responses': (text, tokens) => ({
    id: 'resp-1',
    object: 'response',
    created_at: 1,
    model: 'scripted',
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg-1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: tokens?.in ?? 0, output_tokens: tokens?.out ?? 0 },
  }),
  '/v1/messages': (text, tokens) => ({
    id: 'msg-1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_reason: 'end_turn',
    stop_sequence: null,
    content: [{ type: 'text', text }],
    usage: { input_tokens: tokens?.in ?? 0, output_tokens: tokens?.out ?? 0 },
  }),
};

const usual = { in: 90, out: 10 };

function play(step: ChatStep, shape: Shape, response: ServerResponse): void {
  if (step.do === 'hang') return;
  if (step.do === 'say')
    send(response, 200, JSON.stringify(shape(step.text, step.tokens === undefined ? usual : step.tokens)));
  else if (step.do === 'refuse') send(response, step.status, step.body);
  else if (step.do === 'babble') send(response, 200, step.bytes);
  else {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (step.do === 'flood') flood(response);
    else response.write('{"id":"chat-1","choi', () => response.socket?.destroy());
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body);
}

const flooding = Buffer.alloc(65_536, ' ');

function flood(response: ServerResponse): void {
  if (response.destroyed) return;
  if (response.write(flooding)) setImmediate(() => flood(response));
  else response.once('drain', () => flood(response));
}
