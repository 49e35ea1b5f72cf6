import { createConnection } from 'node:net';
import { jsonLines } from '../agents/shared/frames.ts';
import { type SocketAddress, SocketError } from './place.ts';

const helloMs = 5_000;
const crowdedTries = 20;
const crowdedMs = 10;

export interface RequestOptions {
  readonly withinMs: number;
  readonly signal?: AbortSignal;
}

/** An open connection to a keeper. Ends with it; nothing is sent again. */
export interface SocketClient {
  /** Rejects with `SocketError` when it is refused, late, called off, or the keeper has gone. */
  request(verb: string, params: unknown, options: RequestOptions): Promise<unknown>;
  readonly closed: Promise<void>;
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly push?: unknown;
  readonly ready?: true;
}

const noKeeper = (why: string): SocketError =>
  new SocketError(`no keeper answers for this run (${why})`, 'wake it with: tireless resume');

/** Connects to one side of a run. Rejects with `SocketError` where nobody listens or the token is wrong. */
export async function connectSocket(
  address: SocketAddress,
  onPush: (message: unknown) => void = () => undefined,
  withinMs = helloMs,
): Promise<SocketClient> {
  for (let tries = 1; ; tries++) {
    try {
      return await connectOnce(address, onPush, withinMs);
    } catch (error) {
      // Many came at once and the keeper has not let them all in yet.
      const isCrowded = error instanceof SocketError && error.message.includes('EAGAIN');
      if (!isCrowded || tries >= crowdedTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, tries * crowdedMs));
    }
  }
}

async function connectOnce(
  { path, token }: SocketAddress,
  onPush: (message: unknown) => void,
  withinMs: number,
): Promise<SocketClient> {
  const socket = createConnection(path);
  const framer = jsonLines();
  const waiting = new Map<number, (message: Message) => void>();
  const ready = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let last = 0;
  let isReady = false;
  let why = 'the connection ended';
  const take = (message: Message): void => {
    if (message.ready === true) {
      isReady = true;
      ready.resolve();
    } else if (message.push !== undefined) onPush(message.push);
    else if (message.id !== undefined) waiting.get(message.id)?.(message);
    else why = message.error ?? why;
  };
  socket.on('data', (bytes: Uint8Array) => {
    for (const frame of framer.push(bytes)) if ('value' in frame) take(frame.value as Message);
  });
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (!isReady) why = error.code ?? error.message;
  });
  socket.once('close', () => {
    ready.reject(noKeeper(why));
    for (const answer of waiting.values()) answer({ error: why });
    closed.resolve();
  });
  socket.write(`${JSON.stringify({ token })}\n`);
  const late = setTimeout(() => socket.destroy(new Error('no answer in time')), withinMs);
  try {
    await ready.promise;
  } finally {
    clearTimeout(late);
  }
  return {
    request(verb, params, { withinMs, signal }) {
      const id = ++last;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const drop = (why: string): void => {
        if (!socket.destroyed) socket.write(`${JSON.stringify({ cancel: id })}\n`);
        reject(new SocketError(`${verb}: ${why}`, 'see how the run stands: tireless status'));
      };
      const giveUp = (): void => drop('cancelled');
      const timer = setTimeout(() => drop(`no answer within ${withinMs} ms`), withinMs);
      waiting.set(id, ({ result, error }) =>
        error === undefined
          ? resolve(result)
          : reject(new SocketError(error, 'see how the run stands: tireless status')),
      );
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted === true) giveUp();
      else if (socket.destroyed) reject(noKeeper(why));
      else socket.write(`${JSON.stringify({ id, verb, params })}\n`);
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
        signal?.removeEventListener('abort', giveUp);
      });
    },
    closed: closed.promise,
    close: () => socket.destroy(),
  };
}
