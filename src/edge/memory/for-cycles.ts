import { join } from 'node:path';
import type { Memory, NewMemory, Recall, Summariser } from '../../contract/index.ts';
import { byStanding, withinBudget } from '../../core/memory/index.ts';
import type { Home } from '../home.ts';
import type { Redact } from '../ingest/redact.ts';
import type { Embedder } from '../models/embed.ts';
import type { Model } from '../models/model.ts';
import { type Memories, openMemories } from './memories.ts';
import { workspaceScope } from './scope.ts';
import { searchByMeaning } from './search-by-meaning.ts';
import { makeSummariser } from './summarise.ts';

/** More candidates than fit, so that one long memory does not leave the budget unused. */
const lookedAtTimes = 4;
const standingMax = 50;

export interface CycleMemoryParts {
  readonly home: Pick<Home, 'dir'>;
  readonly workspace: string;
  readonly redact: Redact;
  readonly at: () => number;
  /** The model that distils a cycle; without one the facts are kept as they are. */
  readonly model?: Model | undefined;
  readonly timeoutMs: number;
  /** The model that ranks answers by meaning; without one only words count. */
  readonly embedder?: Embedder | undefined;
}

export interface CycleMemory {
  readonly recall: Recall;
  readonly summarise: Summariser;
  readonly remember: (memories: readonly NewMemory[]) => Promise<readonly string[]>;
}

/** The person's memories for the cycles of a run. The file is open only while in use: other processes write too. */
export function cycleMemory(parts: CycleMemoryParts): CycleMemory {
  const { home, workspace, redact, at, model, timeoutMs, embedder } = parts;
  const here = workspaceScope(workspace);
  const open = (): Memories => openMemories(join(home.dir, 'memory.db'), { redact, at });
  const using = <T>(use: (memories: Memories) => T): T => {
    const memories = open();
    try {
      return use(memories);
    } finally {
      memories.close();
    }
  };
  return {
    summarise: makeSummariser({ using, at, model, timeoutMs }),
    recall: async (query, { tokensMax, entriesMax }) => {
      const memories = open();
      try {
        const found = await searchByMeaning(memories, embedder, query, {
          scopes: ['global', 'agent', here],
          limit: entriesMax * lookedAtTimes,
        });
        const ids = new Set(found.map(({ id }) => id));
        const rest = standing(memories, here, at()).filter(({ id }) => !ids.has(id));
        const wanted = [...found, ...rest].filter((one) => !isSaid(query, one));
        const fit = withinBudget(wanted, { tokensMax, countMax: entriesMax });
        memories.touch(fit.memories.map(({ id }) => id));
        return {
          memories: fit.memories.map(({ id, type, text }) => ({ id, text: `- (${type}) ${oneLine(text)}` })),
          leftOut: fit.leftOut,
        };
      } finally {
        memories.close();
      }
    },
    remember: async (given) =>
      using((memories) =>
        memories
          .add(given.map((one) => (one.scope === 'workspace' ? { ...one, scope: here } : one)))
          .flatMap((added) => ('id' in added ? [added.id] : [])),
      ),
  };
}

/** Other memories of this workspace and people's preferences, whether or not they match: they fill the remaining budget. */
function standing(memories: Memories, here: string, nowAt: number): readonly Memory[] {
  const limit = standingMax;
  return byStanding(
    [
      ...memories.list({ scope: here, limit }),
      ...memories.list({ scope: 'global', type: 'preference', limit }),
      ...memories.list({ scope: 'agent', type: 'preference', limit }),
    ],
    nowAt,
  );
}

/** The summary of the last cycle is in the input anyway. */
const isSaid = (query: string, { text }: Memory): boolean => query.includes(text.replace(/^Cycle \d+: /, ''));

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
