import type { DatabaseSync } from 'node:sqlite';
import { type NewMemory, newMemorySchema } from '../../contract/memory.ts';
import { termsOf } from '../../core/memory/index.ts';
import { makeIds } from '../ids.ts';
import type { Redact } from '../ingest/redact.ts';
import { isLiving, type Row } from './rows.ts';
import type { Shelf } from './shelf.ts';

/** One memory written, or why it was not. */
export type Added = { readonly id: string } | { readonly error: string };

/** The result of forgetting or restoring one memory. */
export type Changed = { readonly ok: true } | { readonly error: string };

/** The changes of one memory; the caller holds the transaction. */
export interface Writes {
  add(given: NewMemory): Added;
  forget(id: string, why: string): Changed;
  restore(id: string): Changed;
  /** Learned again: it counts as fresh, with the highest importance it ever had. */
  confirm(id: string, at: number, importance: number): void;
  touch(ids: readonly string[]): void;
}

export interface WriteParts {
  readonly shelf: Shelf;
  readonly redact: Redact;
  readonly at: () => number;
}

const defaultImportance = 0.5;

export function makeWrites(db: DatabaseSync, { shelf, redact, at }: WriteParts): Writes {
  const ids = makeIds();
  const sql = statements(db);
  const rowOf = (id: string): Row | undefined => sql.byId.get(id) as Row | undefined;
  return {
    add(given) {
      const read = newMemorySchema.safeParse(redacted(given, redact));
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
    },
    forget(id, why) {
      const row = rowOf(id);
      if (row === undefined) return { error: `there is no memory "${id}"` };
      if (row.forgotten_at !== null) return { error: `"${id}" is forgotten already` };
      if (isLiving(row)) shelf.take(row);
      sql.forget.run(at(), redact(why), id);
      return { ok: true };
    },
    restore(id) {
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
    },
    confirm: (id, learnedAt, importance) => void sql.confirm.run(learnedAt, importance, id),
    touch: (given) => void sql.touch.run(JSON.stringify(given)),
  };
}

function statements(db: DatabaseSync) {
  return {
    byId: db.prepare('SELECT * FROM memory WHERE id = ?'),
    successor: db.prepare('SELECT id FROM memory WHERE supersedes = ? LIMIT 1'),
    insert: db.prepare(
      `INSERT INTO memory (id, text, type, scope, source, importance, at, supersedes, superseded_by, accessed, terms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    ),
    supersede: db.prepare('UPDATE memory SET superseded_by = ? WHERE id = ?'),
    forget: db.prepare('UPDATE memory SET forgotten_at = ?, forgotten_why = ? WHERE id = ?'),
    confirm: db.prepare('UPDATE memory SET at = max(at, ?), importance = max(importance, ?) WHERE id = ?'),
    touch: db.prepare(
      'UPDATE memory SET accessed = accessed + 1 WHERE id IN (SELECT value FROM json_each(?))',
    ),
  };
}

/** Replaces secrets by marks before anything is written. */
function redacted(given: NewMemory, redact: Redact): NewMemory {
  const hidden = (text: string | undefined) => text && redact(text);
  return {
    ...given,
    text: redact(given.text),
    id: hidden(given.id),
    scope: hidden(given.scope),
    source: hidden(given.source),
    supersedes: hidden(given.supersedes),
  };
}

function problemsOf(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'line'}: ${message}`)
    .join('; ');
}
