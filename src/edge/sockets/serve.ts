import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { z } from 'zod';
import { type Frame, jsonLines } from '../agents/shared/frames.ts';
import { type SocketAddress, SocketError } from './place.ts';

/** Longest line a client may send. */
const lineBytesMax = 1_048_576;
/** Bytes a client may leave unread before it is dropped. */
const unreadBytesMax = 4_194_304;
const clientsMax = 1_000;
const requestsMax = 64;
/** A client that has not shown its token by then is dropped. */
const helloMs = 5_000;
const hangUpMs = 1_000;

/** Whoever sent a request. */
export interface Caller {
  /** Aborted when the caller has gone, or no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Aborted when the caller has gone. */
  readonly gone: AbortSignal;
  /** Sends something nobody asked for; may be dropped. */
  push(message: unknown): void;
}

/** Answers one kind of request. What it throws is the caller's error. */
export type Verb = (params: unknown, caller: Caller) => unknown;

export interface ServedSocket {
  close(): Promise<void>;
}

const requestSchema = z.object({ id: z.number().int(), verb: z.string().max(100), params: z.unknown() });
const cancelSchema = z.object({ cancel: z.number().int() });
const helloSchema = z.object({ token: z.string().max(200) });

/**
 * Serves one side of a run. Lines of JSON: the token first, then requests `{ id, verb, params }`, each answered with
 * `{ id, result }` or `{ id, error }`; `{ cancel: id }` takes one back. Everything a client can grow is bounded; a client that breaks the rules is told
 * why, where it can be, and dropped.
 */
export async function serveSocket(
  { path, token }: SocketAddress,
  verbs: Readonly<Record<string, Verb>>,
): Promise<ServedSocket> {
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // a client that vanished; `close` follows
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    if (clients.size > clientsMax) {
      return hangUp(socket, `at most ${clientsMax} clients at a time; try again later`);
    }
    attend(socket, token, verbs);
  });
  // Closing a server removes the name it was bound to. Under a name of its own it cannot take a later keeper's away.
  const own = `${path}.${randomBytes(2).toString('hex')}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SocketError(`cannot listen on ${path}: ${error.message}`, 'free the folder it lies in')),
    );
    server.listen({ path: own, backlog: clientsMax }, resolve);
  });
  chmodSync(own, 0o600);
  const { ino } = lstatSync(own);
  renameSync(own, path);
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // A later keeper of the run may listen there already.
      const isOurs = lstatSync(path, { throwIfNoEntry: false })?.ino === ino;
      for (const socket of clients) socket.destroy();
      await closed;
      if (isOurs) rmSync(path, { force: true });
    },
  };
}

/** Says why and closes. A client that keeps its own end open does not keep its place. */
function hangUp(socket: Socket, error: string): void {
  socket.resume().end(`${JSON.stringify({ error })}\n`);
  setTimeout(() => socket.destroy(), hangUpMs).unref();
}

function attend(socket: Socket, token: string, verbs: Readonly<Record<string, Verb>>): void {
  const framer = jsonLines(lineBytesMax);
  const underWay = new Map<number, AbortController>();
  const hello = setTimeout(() => leave('no token was shown in time'), helloMs);
  let isKnown = false;
  const write = (message: unknown): void => {
    if (socket.destroyed) return;
    socket.write(`${JSON.stringify(message)}\n`);
    if (socket.writableLength > unreadBytesMax) socket.destroy();
  };
  const leave = (error: string): void => hangUp(socket, error);
  const pushing = new AbortController();
  const push = (message: unknown): void => write({ push: message });

  const greet = (frame: Frame): void => {
    clearTimeout(hello);
    const shown = 'value' in frame ? helloSchema.safeParse(frame.value) : undefined;
    isKnown = shown?.success === true && isSame(shown.data.token, token);
    if (isKnown) write({ ready: true });
    else leave('wrong token');
  };
  const answer = async (frame: Frame): Promise<void> => {
    if ('unreadable' in frame) return write({ error: frame.because });
    const cancelled = cancelSchema.safeParse(frame.value);
    if (cancelled.success) return underWay.get(cancelled.data.cancel)?.abort();
    const request = requestSchema.safeParse(frame.value);
    if (!request.success) return write({ error: 'a request is { id, verb, params }' });
    const { id, verb, params } = request.data;
    const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (act === undefined)
      return write({
        id,
        error: `unknown verb ${JSON.stringify(verb)}; known: ${Object.keys(verbs).join(', ')}`,
      });
    if (underWay.size >= requestsMax)
      return write({ id, error: `at most ${requestsMax} requests at a time` });
    if (underWay.has(id)) return write({ id, error: `request ${id} is under way already` });
    const calling = new AbortController();
    underWay.set(id, calling);
    try {
      write({
        id,
        result: (await act(params, { signal: calling.signal, gone: pushing.signal, push })) ?? null,
      });
    } catch (error) {
      write({ id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      underWay.delete(id);
    }
  };
  socket.on('data', (bytes: Uint8Array) => {
    for (const frame of framer.push(bytes)) {
      if (socket.writableEnded) return;
      if (isKnown) void answer(frame);
      else greet(frame);
    }
  });
  socket.once('close', () => {
    clearTimeout(hello);
    for (const calling of underWay.values()) calling.abort();
    pushing.abort();
  });
}

function isSame(shown: string, token: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
