import { PassThrough } from 'node:stream';
import { jsonLines } from '../shared/frames.ts';
import { type Envelope, envelopeSchema, type RpcId } from './native.ts';

/** Threads and turns remembered per server; the oldest is dropped first. */
const rowsMax = 4_000;
const refusedCode = -32_600;

/** One session's connection to a shared app-server: it reads and writes as if it were alone. */
export interface Line {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

export interface Multiplexer {
  join(): Line;
  /** Stops routing to and from the line. */
  leave(line: Line): void;
  /** One line of the server's output. */
  onEvent(frame: unknown): void;
  /** The running turns of a line, including its sub-agents': thread and turn, as an interrupt needs them. */
  running(line: Line): readonly { readonly threadId: string; readonly turnId: string }[];
  threads(line: Line): readonly string[];
  /** The multiplexer's own request. Resolves with the answer, or with null when refused. */
  ask(method: string, params: object): Promise<unknown>;
}

interface Asked {
  readonly line: Line | null;
  readonly id: RpcId;
  readonly method: string;
  readonly thread?: string | undefined;
  readonly resolve?: (result: unknown) => void;
}

interface Routes {
  readonly lines: Set<Line>;
  readonly owners: Map<string, Line>;
  /** The owner of each turn: a sub-agent's turn names its parent turn. */
  readonly turns: Map<string, Line>;
  readonly active: Map<string, string>;
  readonly asked: Map<number, Asked>;
}

const put = (stream: PassThrough, message: object): void => {
  if (stream.writable) stream.write(`${JSON.stringify(message)}\n`);
};

const remember = <T>(table: Map<string, T>, key: string, row: T): void => {
  table.delete(key);
  table.set(key, row);
  const [oldest] = table.keys();
  if (table.size > rowsMax && oldest !== undefined) table.delete(oldest);
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
const textOf = (value: unknown, name: string): string | undefined => {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : undefined;
};

/**
 * Lets several sessions share one app-server. Requests get ids that are unique in the process, answers go to the session
 * that asked, and messages about a thread go to its session; a sub-agent's thread belongs to the session whose turn
 * started it. Messages without a thread go to all. A request for a thread without a session is refused.
 */
export function makeMultiplexer(write: (message: object) => void): Multiplexer {
  const routes: Routes = {
    lines: new Set(),
    owners: new Map(),
    turns: new Map(),
    active: new Map(),
    asked: new Map(),
  };
  const { lines, owners, active, asked } = routes;
  const greeting: Greeting = { state: 'none', waiting: [] };
  let nextId = 1;
  const forward = (from: Asked, message: object): void => {
    const id = nextId++;
    asked.set(id, from);
    write({ ...message, id });
  };
  return {
    join() {
      const line: Line = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
      const framer = jsonLines();
      line.stdin.on('data', (bytes: Buffer) => {
        for (const frame of framer.push(bytes))
          if ('value' in frame && lines.has(line))
            evaluate(routes, greeting, line, frame.value, write, forward);
      });
      lines.add(line);
      return line;
    },
    leave(line) {
      lines.delete(line);
      for (const table of [owners, routes.turns])
        for (const [key, owner] of table) if (owner === line) table.delete(key);
    },
    onEvent(frame) {
      const envelope = envelopeSchema.safeParse(frame);
      if (envelope.success) route(routes, greeting, envelope.data, write);
      else for (const line of lines) put(line.stdout, frame as object);
    },
    threads: (line) => [...owners].filter(([, owner]) => owner === line).map(([thread]) => thread),
    running: (line) =>
      [...active]
        .filter(([threadId]) => owners.get(threadId) === line)
        .map(([threadId, turnId]) => ({ threadId, turnId })),
    ask: (method, params) =>
      new Promise((resolve) => forward({ line: null, id: 0, method, resolve }, { method, params })),
  };
}

/** A server is initialised once; later sessions get the same answer. */
interface Greeting {
  state: 'none' | 'asked' | 'done';
  answer?: unknown;
  isConfirmed?: boolean;
  readonly waiting: { readonly line: Line; readonly id: RpcId }[];
}

/** A message of one session. */
function evaluate(
  { owners, lines }: Routes,
  greeting: Greeting,
  line: Line,
  message: unknown,
  write: (message: object) => void,
  forward: (from: Asked, message: object) => void,
): void {
  const { id, method, params } = envelopeSchema.parse(message);
  if (method === 'initialized') {
    if (!greeting.isConfirmed) write(message as object);
    greeting.isConfirmed = true;
    return;
  }
  if (method === undefined || id === undefined) {
    write(message as object);
    return;
  }
  if (method === 'initialize' && greeting.state !== 'none') {
    if (greeting.state === 'done') put(line.stdout, { id, result: greeting.answer });
    else greeting.waiting.push({ line, id });
    return;
  }
  if (method === 'initialize') greeting.state = 'asked';
  const thread = textOf(params, 'threadId');
  if (method === 'thread/resume' && thread !== undefined) {
    const owner = owners.get(thread);
    if (owner !== undefined && owner !== line && lines.has(owner)) {
      const error = { code: refusedCode, message: `another session works in the thread ${thread}` };
      put(line.stdout, { id, error });
      return;
    }
    remember(owners, thread, line);
  }
  forward({ line, id, method, thread }, message as object);
}

/** A message of the server. */
function route(
  routes: Routes,
  greeting: Greeting,
  envelope: Envelope,
  write: (message: object) => void,
): void {
  const { id, method, params } = envelope;
  if (method === undefined) {
    answered(routes, greeting, envelope);
    return;
  }
  const thread = textOf(params, 'threadId') ?? textOf(fieldOf(params, 'thread'), 'id');
  if (thread === undefined) {
    for (const line of routes.lines) put(line.stdout, envelope);
    return;
  }
  const turn = fieldOf(params, 'turn');
  const owner = routes.owners.get(thread) ?? routes.turns.get(textOf(turn, 'rootTurnId') ?? '');
  const turnId = textOf(turn, 'id');
  if (method === 'turn/started' && turnId !== undefined) remember(routes.active, thread, turnId);
  if (method === 'turn/completed') routes.active.delete(thread);
  if (owner !== undefined) {
    remember(routes.owners, thread, owner);
    if (method === 'turn/started' && turnId !== undefined) remember(routes.turns, turnId, owner);
    put(owner.stdout, envelope);
  } else if (id !== undefined) {
    write({ id, error: { code: refusedCode, message: `nobody works in the thread ${thread}` } });
  }
}

function answered({ asked, owners, lines, active }: Routes, greeting: Greeting, envelope: Envelope): void {
  const to = typeof envelope.id === 'number' ? asked.get(envelope.id) : undefined;
  if (to === undefined) return;
  asked.delete(envelope.id as number);
  if (to.method === 'initialize') {
    const isWelcome = envelope.error === undefined;
    greeting.state = isWelcome ? 'done' : 'none';
    greeting.answer = envelope.result;
    for (const { line, id } of greeting.waiting.splice(0)) put(line.stdout, { ...envelope, id });
  }
  to.resolve?.(envelope.error === undefined ? envelope.result : null);
  if (to.line === null || !lines.has(to.line)) return;
  const turn = textOf(fieldOf(envelope.result, 'turn'), 'id');
  if (to.method === 'turn/start' && to.thread !== undefined && turn !== undefined)
    remember(active, to.thread, turn);
  const thread = textOf(fieldOf(envelope.result, 'thread'), 'id');
  if (thread !== undefined && to.method.startsWith('thread/')) remember(owners, thread, to.line);
  put(to.line.stdout, { ...envelope, id: to.id });
}
