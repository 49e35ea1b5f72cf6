import type { Writable } from 'node:stream';
import { AgentFailure, type Failure } from '../../../contract/index.ts';
import { type Frame, jsonLines } from '../shared/frames.ts';
import type { Exit, StartedChild } from '../shared/process.ts';
import type { Reply } from './meaning.ts';
import { envelopeSchema } from './native.ts';

const stderrCharsMax = 8_000;
/** How long output may still arrive after the exit: other processes may hold its pipes open. */
const drainMs = 500;

/** The app-server refused a request of ours. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message}`);
    this.code = code;
  }
}

export interface Connection {
  /** Sends a request; `dispatch` is only for us, for methods that carry none. Rejects with `RpcRefusal`, or with an `AgentFailure`: `silent` after `timeoutMs`, `crashed` when the process is gone. */
  request(method: string, params: object, timeoutMs: number, dispatch?: string): Promise<unknown>;
  notify(method: string): void;
  reply(reply: Reply): void;
  /** Why the process exited, once it has and its output was read to the end. */
  readonly gone: Promise<Failure>;
  /** Throws when the process is gone. */
  mustLive(): void;
}

export interface ConnectionListener {
  /** Called with every line the server writes, before the request it answers is settled. */
  readonly onEvent: (frame: Frame) => void;
  /** Called with every message of ours, before it is written. */
  readonly sent: (message: object, dispatch?: string) => void;
}

/** JSON-RPC over the standard streams of an app-server, with a timeout on every request. */
export function connect(child: StartedChild, { onEvent, sent }: ConnectionListener): Connection {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let failure: Failure | undefined;
  const { stdin, stdout, stderr } = child.streams;

  const write = (message: object, dispatch?: string) => {
    sent(message, dispatch);
    if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
  };
  const settle = (frame: Frame) => {
    onEvent(frame);
    const envelope = 'value' in frame ? envelopeSchema.safeParse(frame.value) : undefined;
    if (!envelope?.success || envelope.data.method !== undefined) return;
    const { id, error, result } = envelope.data;
    const waiting = typeof id === 'number' ? pending.get(id) : undefined;
    if (!waiting) return;
    if (error)
      waiting.reject(new RpcRefusal(waiting.method, error.code ?? 0, error.message ?? 'no reason given'));
    else waiting.resolve(result);
  };

  const framer = jsonLines();
  const read = new Promise<void>((resolve) => {
    stdout.on('data', (bytes: Buffer) => framer.push(bytes).forEach(settle));
    stdout.once('end', () => {
      framer.end().forEach(settle);
      resolve();
    });
  });
  const tail = lastWords(stderr);
  ignoreBrokenPipe(stdin);

  const gone = child.exited.then(async (exit) => {
    await Promise.race([read, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
    failure = crashOf(exit, tail());
    for (const waiting of pending.values()) waiting.reject(new AgentFailure(failure));
    return failure;
  });

  const mustLive = () => {
    if (failure) throw new AgentFailure(failure);
  };
  return {
    gone,
    mustLive,
    notify: (method) => write({ method }),
    reply: (reply) => write(reply),
    request: (method, params, timeoutMs, dispatch) =>
      new Promise((resolve, reject) => {
        mustLive();
        const id = nextId++;
        const finish = (settled: () => void) => {
          clearTimeout(timer);
          pending.delete(id);
          settled();
        };
        const fail = (error: Error) => finish(() => reject(error));
        const timer = setTimeout(() => {
          const message = `Codex did not answer ${method} within ${timeoutMs} ms`;
          fail(new AgentFailure({ kind: 'silent', message }));
        }, timeoutMs);
        pending.set(id, { method, resolve: (result) => finish(() => resolve(result)), reject: fail });
        write({ id, method, params }, dispatch);
      }),
  };
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

function lastWords(stream: StartedChild['streams']['stderr']): () => string {
  let words = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-stderrCharsMax);
  });
  return () => words.trim();
}

/** A failed write to a process that just died can be ignored: its exit is reported. */
export function ignoreBrokenPipe(stdin: Writable): void {
  stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (!['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '')) throw error;
  });
}

function crashOf({ code, signal }: Exit, words: string): Failure {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return {
    kind: 'crashed',
    message: `Codex ended ${how}`,
    raw: words === '' ? undefined : words.slice(-2_000),
  };
}
