import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { ModelOutput, ModelStep, ModelUsage } from './responses-steps.ts';

/** One request as it arrived, and which step answered it. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The `thread-id` header: which conversation of the agent asks. */
  readonly thread: string | undefined;
  /** The parsed JSON body; null when there was none. */
  readonly body: unknown;
}

export interface ScriptedModel {
  /** Base address for a provider entry, ending in `/v1`. */
  readonly url: string;
  /** Every request to the model, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** Adds steps for whichever conversation asks next. */
  push(...steps: readonly ModelStep[]): void;
  /** Adds steps for one conversation; they go before the common ones. */
  pushFor(thread: string, ...steps: readonly ModelStep[]): void;
  /** Ends every open stream and stops listening. */
  close(): Promise<void>;
}

export interface ScriptedModelOptions {
  /** Chooses a step from the request; undefined falls through to the queues. */
  readonly choose?: (request: ModelRequest) => ModelStep | undefined;
  /** Answers when no step is left. Without it the model answers 500 and names the lack. */
  readonly otherwise?: ModelStep;
  /** Where to listen on loopback, such as where a closed one did; default: any free port. */
  readonly port?: number;
}

/**
 * A model server on loopback that speaks the OpenAI Responses protocol as Codex needs it and does only what the
 * script says. One step answers one request.
 */
export const scriptedResponses = (options: ScriptedModelOptions = {}): Promise<ScriptedModel> =>
  scriptedModel({ path: '/responses', id: 'resp', play }, options);

/** How a protocol is spoken: where it is asked, and how a step is told. */
export interface Protocol {
  readonly path: string;
  readonly id: string;
  readonly play: (step: ModelStream, id: string, send: SendEvent) => void;
}

export type ModelStream = Extract<ModelStep, { do: 'stream' }>;
export type SendEvent = (event: StreamEvent) => void;

export async function scriptedModel(
  protocol: Protocol,
  options: ScriptedModelOptions,
): Promise<ScriptedModel> {
  const common: ModelStep[] = [];
  const byThread = new Map<string, ModelStep[]>();
  const requests: ModelRequest[] = [];
  const nextFor = (request: ModelRequest): ModelStep =>
    options.choose?.(request) ??
    byThread.get(request.thread ?? '')?.shift() ??
    common.shift() ??
    options.otherwise ?? {
      do: 'refuse',
      status: 500,
      body: { error: { message: 'the script has no step left' } },
    };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = requestOf(incoming, Buffer.concat(chunks));
      if (!request) return sendJson(response, 400, { error: { message: 'the body is not JSON' } });
      if (request.method === 'GET' && request.path.endsWith('/models')) {
        return sendJson(response, 200, { object: 'list', data: [], models: [] });
      }
      if (!request.path.endsWith(protocol.path))
        return sendJson(response, 404, { error: { message: 'no such path' } });
      requests.push(request);
      const step = nextFor(request);
      const id = `${protocol.id}_${requests.length}`;
      if (step.delayMs) setTimeout(() => answer(protocol, step, id, response), step.delayMs).unref();
      else answer(protocol, step, id, response);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    push: (...steps) => void common.push(...steps),
    pushFor: (thread, ...steps) => void byThread.set(thread, [...(byThread.get(thread) ?? []), ...steps]),
    close: () =>
      new Promise((resolve, reject) => {
        if (!server.listening) return resolve();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function requestOf(incoming: IncomingMessage, raw: Buffer): ModelRequest | undefined {
  const encoding = incoming.headers['content-encoding'];
  const plain = encoding === 'zstd' ? zstdDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw;
  const body = plain.length > 0 ? parsed(plain.toString('utf8')) : null;
  if (body === undefined) return undefined;
  const thread = incoming.headers['thread-id'];
  return {
    method: incoming.method ?? '',
    path: (incoming.url ?? '').split('?')[0] ?? '',
    headers: incoming.headers,
    thread: Array.isArray(thread) ? thread[0] : thread,
    body,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function answer(protocol: Protocol, step: ModelStep, id: string, response: ServerResponse): void {
  if (step.do === 'refuse') {
    sendJson(response, step.status, step.body, step.headers);
    return;
  }
  if (step.do === 'babble') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(step.bytes);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...step.headers });
  protocol.play(step, id, (event) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
  if (step.end === 'hang') return;
  // Destroyed only after the bytes left, else the reader sees no stream at all instead of a broken one.
  if (step.end === 'cut') response.write(': cut\n\n', () => response.socket?.destroy());
  else response.end();
}

function play(step: ModelStream, id: string, send: SendEvent): void {
  send({ type: 'response.created', response: { id } });
  for (const [index, output] of step.outputs.entries())
    for (const event of eventsOf(output, `${id}_${index}`)) send(event);
  if (step.end === 'complete')
    send({ type: 'response.completed', response: { id, usage: usageOf(step.usage) } });
  else if (typeof step.end === 'object') send({ type: 'response.failed', response: { id, error: step.end } });
}

function eventsOf(output: ModelOutput, id: string): StreamEvent[] {
  const done = (item: object) => ({ type: 'response.output_item.done', item });
  const message = (text: string) => ({
    type: 'message',
    role: 'assistant',
    id: `msg_${id}`,
    content: [{ type: 'output_text', text }],
  });
  const begun = (deltas: readonly string[]) => [
    { type: 'response.output_item.added', item: message('') },
    ...deltas.map((delta) => ({ type: 'response.output_text.delta', delta })),
  ];
  switch (output.out) {
    case 'message':
      return [...begun(output.deltas), done(message(output.text))];
    case 'message-begun':
      return begun([output.text]);
    case 'reasoning':
      return [
        done({
          type: 'reasoning',
          id: `rs_${id}`,
          summary: output.summary.map((text) => ({ type: 'summary_text', text })),
          encrypted_content: 'AAAA',
        }),
      ];
    case 'function-call': {
      const { id: call_id, name, args, namespace } = output;
      return [done({ type: 'function_call', call_id, name, namespace, arguments: args })];
    }
    case 'custom-call':
      return [done({ type: 'custom_tool_call', call_id: output.id, name: output.name, input: output.input })];
  }
}

function usageOf({ input = 10, cached = 0, output = 5, reasoning = 0 }: ModelUsage = {}) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
