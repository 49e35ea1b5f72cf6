import { join } from 'node:path';
import type { NewMemory, Recall, Summariser } from '../../contract/index.ts';
import { withinBudget } from '../../core/memory/index.ts';
import type { Redact } from '../door/redact.ts';
import type { Home } from '../home.ts';
import type { Embedder } from '../models/embed.ts';
import type { Model } from '../models/model.ts';
import { type Memories, openMemories } from './memories.ts';
import { workspaceScope } from './scope.ts';
import { searchByMeaning } from './search-by-meaning.ts';
import { makeSummariser } from './summarise.ts';

/** More than fit are looked at, so that one long memory does not leave the budget unused. */
const lookedAtTimes = 4;

export interface CycleMemoryParts {
  readonly home: Pick<Home, 'dir'>;
  readonly workspace: string;
  readonly redact: Redact;
  readonly at: () => number;
  /** Who distils a cycle; without one the facts are kept as they are. */
  readonly model?: Model | undefined;
  readonly timeoutMs: number;
  /** Who puts answers in order by meaning; without one their words decide. */
  readonly embedder?: Embedder | undefined;
}

export interface CycleMemory {
  readonly recall: Recall;
  readonly summarise: Summariser;
  readonly remember: (memories: readonly NewMemory[]) => Promise<readonly string[]>;
}

/** The person's memories as a run's cycles use them. The file is open only while it is used: other processes write too. */
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
          ...{ scopes: ['global', 'agent', here], limit: entriesMax * lookedAtTimes },
        });
        const fit = withinBudget(found, { tokensMax, countMax: entriesMax });
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

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
