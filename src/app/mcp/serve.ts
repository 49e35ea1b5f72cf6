import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  askPersonSchema,
  memoryReadSchema,
  memoryWriteSchema,
  reportStatusSchema,
  type Store,
  taskReadSchema,
  taskToolWriteSchema,
  toolServerName,
} from '../../contract/index.ts';
import type { Env, Home } from '../../edge/home.ts';
import { makeRedactor, readKey } from '../../edge/ingest/redact.ts';
import { openMemories } from '../../edge/memory/memories.ts';
import { openInline } from '../../edge/store/inline.ts';
import { ownVersion } from '../version.ts';
import { answered, type ToolParts } from './answers.ts';
import { boundRun } from './bind.ts';
import { readMemory, writeMemory } from './memory-tools.ts';
import { makeAskPerson, reportStatus } from './person-tools.ts';
import { linkTo } from './run-link.ts';
import { readTasks, writeTasks } from './task-tools.ts';

export interface McpOptions {
  readonly home: Home;
  readonly io: { readonly env: Env; readonly stdin: Readable; readonly stdout: Writable };
  readonly run: string | undefined;
  /** How long one call may wait for a person or for checks. */
  readonly waitMs: number;
}

/**
 * Serves the tools of one run over standard input and output until the client disconnects. Returns the problem instead
 * if there is no such run or this process may not act for it.
 */
export async function serveMcp({ home, io, run: asked, waitMs }: McpOptions): Promise<string | null> {
  const { env, stdin, stdout } = io;
  const store: Store = openInline(home.store);
  const bound = await boundRun(store, asked, env);
  if ('problem' in bound) return refuse(store, bound.problem);
  const link = await linkTo(store, bound.run);
  if (link === null) return refuse(store, `there is no run ${bound.run}; list the runs with: tireless runs`);
  const { mode } = await link.run();
  const redact = makeRedactor({ env, declared: [], key: await readKey(home.key) });
  const parts: ToolParts = {
    link,
    waitMs,
    redact,
    withMemories(use) {
      const memories = openMemories(join(home.dir, 'memory.db'), { redact });
      try {
        return use(memories);
      } finally {
        memories.close();
      }
    },
  };
  const gone = Promise.withResolvers<void>();
  stdin.once('end', gone.resolve).once('close', gone.resolve);
  const handle = serveStdio(() => makeServer(parts, mode), {
    transport: new StdioServerTransport(stdin, stdout),
  });
  await gone.promise;
  await handle.close();
  link.stop();
  await store.close();
  return null;
}

async function refuse(store: Store, problem: string): Promise<string> {
  await store.close();
  return problem;
}

const instructions =
  'Tools of the run that supervises you. They record and ask; none of them ends the run or approves anything.';

function makeServer(parts: ToolParts, mode: 'once' | 'autonomous'): McpServer {
  const server = new McpServer(
    { name: toolServerName, version: ownVersion() },
    { capabilities: { tools: {} }, instructions },
  );
  addPersonTools(server, parts);
  if (mode === 'autonomous') addAutonomousTools(server, parts);
  return server;
}

/** Only the run's own ledger is changed, and nothing is destroyed. */
const harmless = { destructiveHint: false, openWorldHint: false } as const;
const reads = { ...harmless, readOnlyHint: true } as const;

function addPersonTools(server: McpServer, parts: ToolParts): void {
  const askPerson = makeAskPerson(parts);
  server.registerTool(
    'ask_person',
    {
      description:
        'Ask the person something only they can decide, and wait for the answer. Not for permission to act: actions are judged by themselves.',
      inputSchema: askPersonSchema,
      annotations: harmless,
    },
    (args, context) => answered(() => askPerson(args, context.mcpReq.signal)),
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
    (args) => answered(() => reportStatus(parts, args)),
  );
}

function addAutonomousTools(server: McpServer, parts: ToolParts): void {
  server.registerTool(
    'task_queue_read',
    {
      description:
        'The task queue of this run, in the order in which tasks are due. It outlives your context.',
      inputSchema: taskReadSchema,
      annotations: reads,
    },
    (args) => answered(() => readTasks(parts, args)),
  );
  server.registerTool(
    'task_queue_write',
    {
      description:
        'Add, update or remove a task of the queue. A task becomes done only after our own checks pass; when they do not, the answer says what failed and the task stays open.',
      inputSchema: taskToolWriteSchema,
      annotations: harmless,
    },
    (args, context) => answered(() => writeTasks(parts, args, context.mcpReq.signal)),
  );
  server.registerTool(
    'memory_read',
    {
      description: 'What earlier cycles and runs learned about this, and your own notes of this cycle.',
      inputSchema: memoryReadSchema,
      annotations: reads,
    },
    (args) => answered(() => readMemory(parts, args)),
  );
  server.registerTool(
    'memory_write',
    {
      description:
        'Note something worth knowing in later cycles: a fact, a procedure, a preference, a mistake, an observation.',
      inputSchema: memoryWriteSchema,
      annotations: harmless,
    },
    (args) => answered(() => writeMemory(parts, args)),
  );
}
