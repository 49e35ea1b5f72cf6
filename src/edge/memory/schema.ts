import { DatabaseSync } from 'node:sqlite';
import { worldFault } from '../store/faults.ts';
import { migrate, patiently, refuseNewerInLog } from '../store/migrate.ts';
import { preparePlace } from '../store/place.ts';
import { pageBytes } from '../store/schema.ts';

const busyWaitMs = 10_000;
/** Keeps the index pages that many questions share in memory. */
const cacheKib = 65_536;
const mappedBytesMax = 512 * 1024 * 1024;

/**
 * `memory.place` is the order of writing. `terms` is the text as it is searched; `holding` counts the active memories
 * that contain a term; `search` has only active ones, so nothing forgotten or replaced can be found.
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

/** For questions that name a time: answered from the index alone. */
const byTime =
  'CREATE INDEX IF NOT EXISTS memory_time ON memory (at, scope) WHERE forgotten_at IS NULL AND superseded_by IS NULL';

/** Each migrates one version to the next. Never change one; add at the end. */
export const memoryMigrations: readonly string[] = [tables];

/** Opens the memory database; creates it if missing. Throws a `StoreError` that names the file. */
export function openMemoryFile(path: string): DatabaseSync {
  return patiently(path, () => connect(path));
}

function connect(path: string): DatabaseSync {
  preparePlace(path, memoryMigrations.length);
  refuseNewerInLog(path, memoryMigrations.length);
  const db = new DatabaseSync(path, { timeout: busyWaitMs });
  try {
    db.enableDefensive(true);
    db.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    db.exec(`PRAGMA cache_size = -${cacheKib}; PRAGMA mmap_size = ${mappedBytesMax}`);
    migrate(path, db, memoryMigrations);
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'memory'").get() === undefined)
      throw worldFault('corrupt', path, 'it holds other tables than memories');
    db.exec(byTime);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
