import {
  type FoundMemory,
  type KeptMemory,
  memoriesMax,
  memoryCharsMax,
  memoryLimitMax,
  type NewMemory,
} from '../../contract/memory.ts';
import type { Redact } from '../door/redact.ts';
import { guarded } from '../store/faults.ts';
import { keptMemoryOf, type Row } from './rows.ts';
import { inTransaction, openMemoryFile } from './schema.ts';
import { makeSearch } from './search.ts';
import { makeShelf } from './shelf.ts';
import { type Added, type Changed, makeWrites } from './write.ts';

/** The memories of this person. Every call is done when it returns; what the world refuses is a `StoreError`. */
export interface Memories {
  /** Writes all of them in one commit; one that cannot be written is answered with its error, the others stay. */
  add(memories: readonly NewMemory[]): Added[];
  search(query: string, options?: { scopes?: readonly string[]; limit?: number }): FoundMemory[];
  /** Takes a memory out of every answer; it stays in the export, with when and why. */
  forget(id: string, why: string): Changed;
  /** Brings back a forgotten memory, or one whose successor was forgotten. */
  restore(id: string): Changed;
  /** Counts that these were given to an agent. */
  touch(ids: readonly string[]): void;
  /** Everything, in the order of writing, also what is forgotten or replaced. */
  export(): IterableIterator<KeptMemory>;
  close(): void;
}

export interface MemoriesOptions {
  readonly redact: Redact;
  readonly at?: () => number;
}

/** Opens the memories kept in this file, making it when it is missing. */
export function openMemories(path: string, { redact, at = Date.now }: MemoriesOptions): Memories {
  const db = openMemoryFile(path);
  const shelf = makeShelf(db);
  const search = makeSearch(db);
  const writes = makeWrites(db, { shelf, redact, at });
  const all = db.prepare('SELECT * FROM memory ORDER BY place');
  const change = <T>(work: () => T): T =>
    guarded(path, () => {
      try {
        return inTransaction(db, () => {
          const value = work();
          shelf.settle();
          return value;
        });
      } finally {
        shelf.drop();
      }
    });
  return {
    add: (memories) => change(() => memories.map(writes.add)),
    search: (query, { scopes, limit = memoriesMax } = {}) =>
      guarded(path, () =>
        search({
          query: query.slice(0, memoryCharsMax),
          ...(scopes === undefined ? {} : { scopes }),
          ...{ limit: Math.max(1, Math.min(memoryLimitMax, limit)), nowAt: at() },
        }),
      ),
    forget: (id, why) => change(() => writes.forget(id, why)),
    restore: (id) => change(() => writes.restore(id)),
    touch: (ids) => change(() => writes.touch(ids)),
    *export() {
      for (const row of all.iterate()) yield keptMemoryOf(row as unknown as Row);
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}
