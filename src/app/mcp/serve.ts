import type { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  askPersonSchema,
  memoryReadSchema,
  memoryWriteSchema,
  reportStatusSchema,
  taskReadSchema,
  taskToolWriteSchema,
  toolServerName,
} from '../../contract/index.ts';
import type { Env } from '../../edge/home.ts';
import { connectSocket, type SocketClient } from '../../edge/sockets/connect.ts';
import { type SocketAddress, SocketError } from '../../edge/sockets/place.ts';
import { ownVersion } from '../version.ts';
import { not, type ToolAnswer } from './answers.ts';

export interface McpOptions {
  readonly io: { readonly env: Env; readonly stdin: Readable; readonly stdout: Writable };
  readonly run: string | undefined;
  /** How long one call may wait for a person or for checks. */
  readonly waitMs: number;
}

/** What a call may take beyond its own wait before the keeper counts as gone. */
const graceMs = 20_000;
const describeMs = 10_000;

/**
 * Serves the tools of one run over standard input and output until the client disconnects. It opens no store: every
 * call goes to the run's keeper through the agent's socket. Returns the problem instead if there is no keeper, or this
 * process may not act for the run.
 */
export async function serveMcp({ io, run, waitMs }: McpOptions): Promise<string | null> {
  const { env, stdin, stdout } = io;
  const address = addressOf(env, run);
  if ('problem' in address) return address.problem;
  const keeper = makeKeeperLink(address);
  let described: Described;
  try {
    described = (await keeper.request('describe', null, describeMs)) as Described;
  } catch (error) {
    if (error instanceof SocketError) return `${error.message}; ${error.fix}`;
    throw error;
  }
  if (run !== undefined && described.run !== run) {
    keeper.close();
    return `this process belongs to the supervised run ${described.run}; it cannot act for ${run}.`;
  }
  const { mode } = described;
  const call = async (name: string, args: unknown, signal?: AbortSignal): Promise<ToolAnswer> => {
    try {
      await keeper.reach();
    } catch (error) {
      if (error instanceof SocketError) return not(`Nothing was done: ${error.message}.`);
      throw error;
    }
    try {
      return (await keeper.request('tool', { name, args, waitMs }, waitMs + graceMs, signal)) as ToolAnswer;
    } catch (error) {
      if (error instanceof SocketError)
        return not(`Not confirmed: ${error.message}. It may have been recorded; look before you repeat it.`);
      throw error;
    }
  };
  const gone = Promise.withResolvers<void>();
  stdin.once('end', gone.resolve).once('close', gone.resolve);
  const handle = serveStdio(() => makeServer(call, mode), {
    transport: new StdioServerTransport(stdin, stdout),
  });
  await gone.promise;
  await handle.close();
  keeper.close();
  return null;
}

interface Described {
  readonly run: string;
  readonly mode: 'once' | 'autonomous';
}

const howToStart = 'Tireless registers it with the agents it starts; there is nothing to set up by hand.';

/** The agent's socket of the one run this process may act for: the one whose token it was started with. */
function addressOf(env: Env, asked: string | undefined): SocketAddress | { problem: string } {
  const given = env.TIRELESS_RUN === '' ? undefined : env.TIRELESS_RUN;
  const run = asked ?? given;
  if (run === undefined)
    return { problem: `tireless mcp needs the run it acts for: --run ID. ${howToStart}` };
  if (given !== undefined && given !== run)
    return { problem: `this shell belongs to the supervised run ${given}; it cannot act for ${run}.` };
  const { TIRELESS_SOCKET: path, TIRELESS_TOKEN: token } = env;
  return path === undefined || token === undefined
    ? { problem: `this process was given no way to the keeper of run ${run}. ${howToStart}` }
    : { path, token };
}

interface KeeperLink {
  /** Connects, where it is not connected. Rejects when no keeper answers. */
  reach(): Promise<void>;
  request(verb: string, params: unknown, withinMs: number, signal?: AbortSignal): Promise<unknown>;
  close(): void;
}

/** A connection that is made when it is needed: the next keeper of the run listens at the same place. */
function makeKeeperLink(address: SocketAddress): KeeperLink {
  let client: Promise<SocketClient> | null = null;
  const connected = (): Promise<SocketClient> => {
    client ??= connectSocket(address).then((one) => {
      void one.closed.then(() => {
        client = null;
      });
      return one;
    });
    client.catch(() => {
      client = null; // whoever asked hears of it; the next one tries again
    });
    return client;
  };
  return {
    reach: async () => void (await connected()),
    request: async (verb, params, withinMs, signal) =>
      (await connected()).request(verb, params, { withinMs, signal }),
    close: () => void client?.then((one) => one.close()).catch(() => undefined),
  };
}

type Call = (name: string, args: unknown, signal?: AbortSignal) => Promise<ToolAnswer>;

const instructions =
  'Tools of the run that supervises you. They record and ask; none of them ends the run or approves anything.';

function makeServer(call: Call, mode: 'once' | 'autonomous'): McpServer {
  const server = new McpServer(
    { name: toolServerName, version: ownVersion() },
    { capabilities: { tools: {} }, instructions },
  );
  addPersonTools(server, call);
  if (mode === 'autonomous') addAutonomousTools(server, call);
  return server;
}

/** Only the run's own ledger is changed, and nothing is destroyed. */
const harmless = { destructiveHint: false, openWorldHint: false } as const;
const reads = { ...harmless, readOnlyHint: true } as const;

function addPersonTools(server: McpServer, call: Call): void {
  server.registerTool(
    'ask_person',
    {
      description:
        'Ask the person something only they can decide, and wait for the answer. Not for permission to act: actions are judged by themselves.',
      inputSchema: askPersonSchema,
      annotations: harmless,
    },
    (args, context) => call('ask_person', args, context.mcpReq.signal),
  );
  server.registerTool(
    'report_status',
    {
      description:
        'Say how far the mission is. done: everything that was asked is finished, with the evidence (commands run and what they showed); we then check it ourselves. ' +
        'blocked: you cannot go on without a person, and why. waiting: something outside must happen first, and what. Call it once, as the last thing before you stop.',
      inputSchema: reportStatusSchema,
      annotations: harmless,
    },
    (args, context) => call('report_status', args, context.mcpReq.signal),
  );
}

function addAutonomousTools(server: McpServer, call: Call): void {
  server.registerTool(
    'task_queue_read',
    {
      description:
        'The task queue of this run, in the order in which tasks are due. It outlives your context.',
      inputSchema: taskReadSchema,
      annotations: reads,
    },
    (args, context) => call('task_queue_read', args, context.mcpReq.signal),
  );
  server.registerTool(
    'task_queue_write',
    {
      description:
        'Add, update or remove a task of the queue. A task becomes done only after our own checks pass; when they do not, the answer says what failed and the task stays open.',
      inputSchema: taskToolWriteSchema,
      annotations: harmless,
    },
    (args, context) => call('task_queue_write', args, context.mcpReq.signal),
  );
  server.registerTool(
    'memory_read',
    {
      description: 'What earlier cycles and runs learned about this, and your own notes of this cycle.',
      inputSchema: memoryReadSchema,
      annotations: reads,
    },
    (args, context) => call('memory_read', args, context.mcpReq.signal),
  );
  server.registerTool(
    'memory_write',
    {
      description:
        'Note something worth knowing in later cycles: a fact, a procedure, a preference, a mistake, an observation.',
      inputSchema: memoryWriteSchema,
      annotations: harmless,
    },
    (args, context) => call('memory_write', args, context.mcpReq.signal),
  );
}
