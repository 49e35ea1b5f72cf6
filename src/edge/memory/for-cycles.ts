import { join } from 'node:path';
import type { NewMemory, Recall } from '../../contract/index.ts';
import { withinBudget } from '../../core/memory/index.ts';
import type { Redact } from '../door/redact.ts';
import type { Home } from '../home.ts';
import { type Memories, openMemories } from './memories.ts';
import { workspaceScope } from './scope.ts';

/** More than fit are looked at, so that one long memory does not leave the budget unused. */
const lookedAtTimes = 4;

export interface CycleMemoryParts {
  readonly home: Pick<Home, 'dir'>;
  readonly workspace: string;
  readonly redact: Redact;
}

export interface CycleMemory {
  readonly recall: Recall;
  readonly remember: (memories: readonly NewMemory[]) => Promise<readonly string[]>;
}

/** The person's memories as a run's cycles use them. The file is open only while it is used: other processes write too. */
export function cycleMemory({ home, workspace, redact }: CycleMemoryParts): CycleMemory {
  const here = workspaceScope(workspace);
  const using = <T>(use: (memories: Memories) => T): T => {
    const memories = openMemories(join(home.dir, 'memory.db'), { redact });
    try {
      return use(memories);
    } finally {
      memories.close();
    }
  };
  return {
    recall: async (query, { tokensMax, entriesMax }) =>
      using((memories) => {
        const found = memories.search(query, {
          scopes: ['global', 'agent', here],
          limit: entriesMax * lookedAtTimes,
        });
        const fit = withinBudget(found, { tokensMax, countMax: entriesMax });
        memories.touch(fit.memories.map(({ id }) => id));
        return {
          memories: fit.memories.map(({ id, type, text }) => ({ id, text: `- (${type}) ${oneLine(text)}` })),
          leftOut: fit.leftOut,
        };
      }),
    remember: async (given) =>
      using((memories) =>
        memories
          .add(given.map((one) => (one.scope === 'workspace' ? { ...one, scope: here } : one)))
          .flatMap((added) => ('id' in added ? [added.id] : [])),
      ),
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
