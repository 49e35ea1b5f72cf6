import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../contract/errors.ts';
import { guarded, worldFault } from '../store/faults.ts';
import { preparePlace } from '../store/place.ts';
import { applicationId, pageBytes, schemaVersion } from '../store/schema.ts';

const busyWaitMs = 10_000;
const openAttemptsMax = 40;
const openRetryMs = 25;
/** The pages of the index that many questions share stay in memory. */
const cacheKib = 65_536;
const mappedBytesMax = 512 * 1024 * 1024;

/**
 * `memory.place` is the order of writing. `terms` is the text as it is searched; `holding` counts the living
 * memories that hold a term; `search` holds the living ones only, so nothing forgotten or replaced can be found.
 */
const tables = `
CREATE TABLE memory (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, type TEXT NOT NULL, scope TEXT NOT NULL,
  source TEXT, importance REAL NOT NULL, at REAL NOT NULL, supersedes TEXT, superseded_by TEXT,
  forgotten_at REAL, forgotten_why TEXT, accessed INTEGER NOT NULL, terms TEXT NOT NULL
) STRICT;
CREATE INDEX memory_replaced ON memory (supersedes) WHERE supersedes IS NOT NULL;
CREATE TABLE holding (term TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE total (name TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO total VALUES ('memories', 0), ('terms', 0);
CREATE VIRTUAL TABLE search USING fts5 (
  terms, scope, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
);
`;

/** For questions that name a time: read from the index alone. */
const byTime =
  'CREATE INDEX IF NOT EXISTS memory_time ON memory (at, scope) WHERE forgotten_at IS NULL AND superseded_by IS NULL';

/** Opens the database of memories, making it when it is missing. Throws a `StoreError` that names the file. */
export function openMemoryFile(path: string): DatabaseSync {
  for (let attempt = 1; ; attempt++) {
    try {
      return guarded(path, () => connect(path));
    } catch (error) {
      const isBusy = error instanceof StoreError && error.fault === 'busy';
      if (!isBusy || attempt >= openAttemptsMax) throw error;
      // Two first starters: one makes the tables, the other is told "busy" at once while the journal changes.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openRetryMs);
    }
  }
}

function connect(path: string): DatabaseSync {
  preparePlace(path);
  const db = new DatabaseSync(path, { timeout: busyWaitMs });
  try {
    db.enableDefensive(true);
    db.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    db.exec(`PRAGMA cache_size = -${cacheKib}; PRAGMA mmap_size = ${mappedBytesMax}`);
    if (!isFilled(path, db)) inTransaction(db, () => fill(path, db));
    db.exec(byTime);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function isFilled(path: string, db: DatabaseSync): boolean {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (names.some(({ name }) => name === 'memory')) return true;
  if (names.length > 0) throw worldFault('corrupt', path, 'it holds other tables than memories');
  return false;
}

function fill(path: string, db: DatabaseSync): void {
  if (isFilled(path, db)) return;
  db.exec(tables);
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
}

/** All of `work` or nothing of it. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
