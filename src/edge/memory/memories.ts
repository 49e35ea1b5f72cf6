import type { DatabaseSync } from 'node:sqlite';
import { memoriesMax, memoryCharsMax, memoryLimitMax } from '../../contract/constants.ts';
import type { FoundMemory, KeptMemory, MemoryType, NewMemory } from '../../contract/memory.ts';
import { type MergePlan, prunedAfterMs, whyFaded } from '../../core/memory/index.ts';
import type { Redact } from '../ingest/redact.ts';
import { guarded } from '../store/faults.ts';
import { inTransaction } from '../store/migrate.ts';
import { keptMemoryOf, memoryOf, type Row } from './rows.ts';
import { openMemoryFile } from './schema.ts';
import { makeSearch } from './search.ts';
import { makeShelf } from './shelf.ts';
import { makeVectors, type Vectors } from './vectors.ts';
import { type Added, type Changed, makeWrites } from './write.ts';

/** The memories of this person. Every call is complete when it returns; external failures are `StoreError`s. */
export interface Memories extends Vectors {
  /** Writes all of them in one commit; for one that cannot be written the result is an error, the others are kept. */
  add(memories: readonly NewMemory[]): Added[];
  /** Writes the memories of a cycle, all or none, and marks those it confirmed as freshly learned. */
  merge(plan: MergePlan): Added[];
  /** One memory, even if forgotten or replaced. */
  get(id: string): KeptMemory | null;
  /** Ids with this prefix, in the order of writing. */
  idsUnder(beginning: string): string[];
  search(query: string, options?: { scopes?: readonly string[]; limit?: number }): FoundMemory[];
  /** Excludes a memory from every answer; it stays in the export, with when and why. */
  forget(id: string, why: string): Changed;
  /** Restores a forgotten memory, or one whose successor was forgotten. */
  restore(id: string): Changed;
  /** Forgets faded memories, each with the reason; `restore` undoes it. With `isDry` only lists them. */
  prune(options?: { isDry?: boolean }): Pruned[];
  /** Counts that these were given to an agent. */
  touch(ids: readonly string[]): void;
  /** The newest first; only active ones by default. */
  list(options?: ListOptions): KeptMemory[];
  /** Everything, in the order of writing, including forgotten and replaced ones. */
  export(): IterableIterator<KeptMemory>;
  close(): void;
}

export interface ListOptions {
  /** `forgotten` and `replaced` are never found by a search; `all` is everything. */
  readonly which?: 'living' | 'forgotten' | 'replaced' | 'all';
  readonly scope?: string;
  readonly type?: MemoryType;
  readonly limit?: number;
}

/** A memory that was forgotten because it faded. */
export interface Pruned {
  readonly id: string;
  readonly text: string;
  readonly why: string;
}

/** Most memories one pruning forgets. */
const prunedMax = 10_000;

export interface MemoriesOptions {
  readonly redact: Redact;
  readonly at?: () => number;
}

/** Opens the memories in this file; creates it if missing. */
export function openMemories(path: string, { redact, at = Date.now }: MemoriesOptions): Memories {
  const db = openMemoryFile(path);
  const shelf = makeShelf(db);
  const search = makeSearch(db);
  const writes = makeWrites(db, { shelf, redact, at });
  const all = db.prepare('SELECT * FROM memory ORDER BY place');
  const one = db.prepare('SELECT * FROM memory WHERE id = ?');
  const listed = makeLists(db);
  const under = db.prepare('SELECT id FROM memory WHERE id >= ? AND id < ? ORDER BY place');
  const fading = db.prepare(
    "SELECT * FROM memory WHERE forgotten_at IS NULL AND superseded_by IS NULL AND type = 'observation' AND source IS NOT NULL AND at < ? ORDER BY at LIMIT ?",
  );
  const faded = (): Pruned[] => {
    const rows = fading.all(at() - prunedAfterMs, prunedMax) as unknown as Row[];
    return rows.map(memoryOf).flatMap((memory) => {
      const why = whyFaded(memory, at());
      return why === null ? [] : [{ id: memory.id, text: memory.text, why }];
    });
  };
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
    merge: (plan) =>
      change(() => {
        for (const { id, at: learnedAt, importance } of plan.confirm)
          writes.confirm(id, learnedAt, importance);
        return plan.add.map(writes.add);
      }),
    get: (id) => {
      const row = guarded(path, () => one.get(id)) as unknown as Row | undefined;
      return row === undefined ? null : keptMemoryOf(row);
    },
    idsUnder: (beginning) =>
      guarded(path, () => under.all(beginning, `${beginning}\u{10ffff}`).map(({ id }) => String(id))),
    prune: ({ isDry = false } = {}) =>
      isDry
        ? guarded(path, faded)
        : change(() => {
            const gone = faded();
            for (const { id, why } of gone) writes.forget(id, why);
            return gone;
          }),
    search: (query, { scopes, limit = memoriesMax } = {}) =>
      guarded(path, () =>
        search({
          query: query.slice(0, memoryCharsMax),
          scopes,
          limit: Math.max(1, Math.min(memoryLimitMax, limit)),
          nowAt: at(),
        }),
      ),
    forget: (id, why) => change(() => writes.forget(id, why)),
    restore: (id) => change(() => writes.restore(id)),
    list: ({ which = 'living', scope, type, limit = memoriesMax } = {}) =>
      guarded(path, () =>
        (listed[which].all(scope ?? null, type ?? null, limit) as unknown as Row[]).map(keptMemoryOf),
      ),
    ...makeVectors(db, path),
    touch: (ids) => change(() => writes.touch(ids)),
    *export() {
      for (const row of all.iterate()) yield keptMemoryOf(row as unknown as Row);
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

const conditions: Readonly<Record<NonNullable<ListOptions['which']>, string>> = {
  living: 'forgotten_at IS NULL AND superseded_by IS NULL',
  forgotten: 'forgotten_at IS NOT NULL',
  replaced: 'superseded_by IS NOT NULL',
  all: 'TRUE',
};

function makeLists(db: DatabaseSync) {
  const list = (is: string) =>
    db.prepare(
      `SELECT * FROM memory WHERE ${is} AND scope = ifnull(?1, scope) AND type = ifnull(?2, type)
       ORDER BY ifnull(forgotten_at, at) DESC, place DESC LIMIT ?3`,
    );
  return {
    living: list(conditions.living),
    forgotten: list(conditions.forgotten),
    replaced: list(conditions.replaced),
    all: list(conditions.all),
  };
}
