import {
  type FoundMemory,
  type KeptMemory,
  memoryCharsMax,
  memoryLimitMax,
  type NewMemory,
  newMemorySchema,
} from '../../contract/memory.ts';
import { termsOf } from '../../core/memory/index.ts';
import type { Redact } from '../door/redact.ts';
import { makeIds } from '../ids.ts';
import { guarded } from '../store/faults.ts';
import { isLiving, keptMemoryOf, type Row } from './rows.ts';
import { inTransaction, openMemoryFile } from './schema.ts';
import { makeSearch } from './search.ts';
import { makeShelf } from './shelf.ts';

/** One memory written, or why it was not. */
export type Added = { readonly id: string } | { readonly error: string };

/** What came of forgetting or bringing back one memory. */
export type Changed = { readonly ok: true } | { readonly error: string };

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

const defaultLimit = 25;
const defaultImportance = 0.5;

export function openMemories(path: string, { redact, at = Date.now }: MemoriesOptions): Memories {
  const db = openMemoryFile(path);
  const shelf = makeShelf(db);
  const search = makeSearch(db);
  const ids = makeIds();
  const sql = {
    byId: db.prepare('SELECT * FROM memory WHERE id = ?'),
    successor: db.prepare('SELECT id FROM memory WHERE supersedes = ? LIMIT 1'),
    insert: db.prepare(
      `INSERT INTO memory (id, text, type, scope, source, importance, at, supersedes, superseded_by, accessed, terms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    ),
    supersede: db.prepare('UPDATE memory SET superseded_by = ? WHERE id = ?'),
    forget: db.prepare('UPDATE memory SET forgotten_at = ?, forgotten_why = ? WHERE id = ?'),
    touch: db.prepare(
      'UPDATE memory SET accessed = accessed + 1 WHERE id IN (SELECT value FROM json_each(?))',
    ),
    all: db.prepare('SELECT * FROM memory ORDER BY place'),
  };
  const rowOf = (id: string): Row | undefined => sql.byId.get(id) as Row | undefined;
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

  const addOne = (given: NewMemory): Added => {
    const clean = redacted(given, redact);
    const read = newMemorySchema.safeParse(clean);
    if (!read.success) return { error: problemsOf(read.error) };
    const { text, type = 'observation', scope = 'global', importance = defaultImportance } = read.data;
    const { id = ids.row(), source = null, supersedes = null } = read.data;
    if (text.trim() === '') return { error: 'text: nothing but white space' };
    if (supersedes === id) return { error: 'supersedes: a memory cannot replace itself' };
    const before = rowOf(id);
    if (before !== undefined)
      return before.text === text ? { id } : { error: `id: "${id}" is another memory already` };
    const successor = (sql.successor.get(id) as { id: string } | undefined)?.id ?? null;
    const replaced = supersedes === null ? undefined : rowOf(supersedes);
    if (replaced !== undefined) {
      if (isLiving(replaced)) shelf.take(replaced);
      sql.supersede.run(id, replaced.id);
    }
    const terms = termsOf(text).join(' ');
    const written = sql.insert.run(
      ...([id, text, type, scope, source, importance, read.data.at ?? at()] as const),
      ...([supersedes, successor, terms] as const),
    );
    if (successor === null) shelf.put({ place: Number(written.lastInsertRowid), terms, scope });
    return { id };
  };

  return {
    add: (memories) => change(() => memories.map(addOne)),
    search: (query, { scopes, limit = defaultLimit } = {}) =>
      guarded(path, () =>
        search({
          query: query.slice(0, memoryCharsMax),
          ...(scopes === undefined ? {} : { scopes }),
          ...{ limit: Math.max(1, Math.min(memoryLimitMax, limit)), nowAt: at() },
        }),
      ),
    forget: (id, why) =>
      change(() => {
        const row = rowOf(id);
        if (row === undefined) return { error: `there is no memory "${id}"` };
        if (row.forgotten_at !== null) return { error: `"${id}" is forgotten already` };
        if (isLiving(row)) shelf.take(row);
        sql.forget.run(at(), redact(why), id);
        return { ok: true };
      }),
    restore: (id) =>
      change(() => {
        const row = rowOf(id);
        if (row === undefined) return { error: `there is no memory "${id}"` };
        if (isLiving(row)) return { error: `"${id}" is not forgotten` };
        const successor = row.superseded_by === null ? undefined : rowOf(row.superseded_by);
        if (successor !== undefined && successor.forgotten_at === null)
          return { error: `"${id}" was replaced by "${successor.id}"; forget that one first` };
        sql.forget.run(null, null, id);
        sql.supersede.run(null, id);
        shelf.put(row);
        return { ok: true };
      }),
    touch: (given) => change(() => void sql.touch.run(JSON.stringify(given))),
    *export() {
      for (const row of sql.all.iterate()) yield keptMemoryOf(row as unknown as Row);
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

/** Secrets become marks before anything is written. */
function redacted(given: NewMemory, redact: Redact): NewMemory {
  return {
    ...given,
    text: redact(given.text),
    ...(given.scope === undefined ? {} : { scope: redact(given.scope) }),
    ...(given.source === undefined ? {} : { source: redact(given.source) }),
  };
}

function problemsOf(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'line'}: ${message}`)
    .join('; ');
}
