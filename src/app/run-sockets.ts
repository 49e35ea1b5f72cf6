import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { LiveFrame, Store } from '../contract/index.ts';
import type { Env, Home } from '../edge/home.ts';
import type { Redact } from '../edge/ingest/redact.ts';
import { openMemories } from '../edge/memory/memories.ts';
import { makeHookJudge, type Place } from '../edge/sockets/judge.ts';
import { openSockets } from '../edge/sockets/place.ts';
import { serveSocket, type Verb } from '../edge/sockets/serve.ts';
import type { HeldRun } from './dependencies.ts';
import { type CallTool, makeCallTool } from './mcp/call-tool.ts';
import { placeOf } from './mcp/person-tools.ts';
import { linkTo } from './mcp/run-link.ts';
import { ownVersion } from './version.ts';

export interface RunSocketParts {
  readonly home: Home;
  readonly env: Env;
  readonly run: string;
  readonly store: Store;
  readonly redact: Redact;
  /** What keeps the run from being written, told where no ledger can. */
  trouble(): string | null;
}

/** The run's sockets while a process holds it, and the one way its live frames take. */
export interface RunSockets {
  open(held: HeldRun): Promise<() => Promise<void>>;
  live(frame: LiveFrame): void;
}

const toolCallSchema = z.strictObject({
  name: z.string().max(100),
  args: z.unknown(),
  waitMs: z.number().int().min(0).max(86_400_000),
});

/**
 * The two sockets of a run. The agent's offers tools and verdicts, and never an answer to a gate; the person's tells
 * how the keeper is, shows what the agent just says, and wakes it. Answers and directions stay rows of the inbox.
 */
export function makeRunSockets(parts: RunSocketParts): RunSockets {
  const watchers = new Set<(frame: LiveFrame) => void>();
  return {
    live: (frame) => {
      for (const watcher of watchers) watcher(frame);
    },
    async open(held) {
      const sockets = await openSockets(parts.home, parts.run, parts.env);
      const { verbs: agentVerbs, stop } = agentSide(parts, held);
      const agent = await serveSocket(sockets.agent, agentVerbs);
      const person = await serveSocket(sockets.person, personSide(parts, held, watchers));
      return async () => {
        stop();
        await Promise.all([agent.close(), person.close()]);
      };
    },
  };
}

type Verbs = Readonly<Record<string, Verb>>;

function agentSide(parts: RunSocketParts, held: HeldRun): { verbs: Verbs; stop(): void } {
  const judge = makeHookJudge(() => placeSoon(held), held.put);
  held.hooks(judge);
  let tools: Promise<{ call: CallTool; stop(): void }> | null = null;
  return {
    verbs: {
      describe: () => ({ run: parts.run, mode: held.run().mode, version: ownVersion() }),
      tool: async (params, { signal }) => {
        const { name, args, waitMs } = toolCallSchema.parse(params);
        tools ??= openTools(parts, held.run().mode);
        return (await tools).call(name, args, waitMs, signal);
      },
      judge: (params, caller) => judge.judge(params, caller),
    },
    stop: () => void tools?.then((opened) => opened.stop()).catch(() => undefined),
  };
}

/** A turn that was sent a moment ago has not told its name yet. */
const turnNamedMs = 5_000;
const againMs = 25;

async function placeSoon(held: HeldRun): Promise<Place | null> {
  for (let waitedMs = 0; waitedMs < turnNamedMs; waitedMs += againMs) {
    const place = placeOf(held.run());
    if (place !== undefined) return place;
    if (held.run().turn === null) return null;
    await pause(againMs);
  }
  return null;
}

async function openTools(
  { store, run, home, redact }: RunSocketParts,
  mode: 'once' | 'autonomous',
): Promise<{ call: CallTool; stop(): void }> {
  const link = await linkTo(store, run);
  if (link === null) throw new Error(`there is no run ${run}`);
  const call = makeCallTool(
    {
      link,
      redact,
      withMemories(use) {
        const memories = openMemories(join(home.dir, 'memory.db'), { redact });
        try {
          return use(memories);
        } finally {
          memories.close();
        }
      },
    },
    mode,
  );
  return { call, stop: link.stop };
}

const personSide = (
  { trouble }: RunSocketParts,
  held: HeldRun,
  watchers: Set<(frame: LiveFrame) => void>,
): Verbs => ({
  presence: () => {
    const { seq, state } = held.run();
    return { pid: process.pid, epoch: held.epoch, version: ownVersion(), seq, state, trouble: trouble() };
  },
  wake: () => held.wake(),
  live: (_params, { push, gone }) => {
    watchers.add(push);
    gone.addEventListener('abort', () => watchers.delete(push), { once: true });
  },
});
