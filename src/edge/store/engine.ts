import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreError } from '../../contract/errors.ts';
import { guarded, worldFault } from './faults.ts';
import { type PlaceOptions, preparePlace, refuseVersion } from './place.ts';
import { createTables, pageBytes, schemaVersion } from './schema.ts';

const busyWaitMs = 5_000;
const openAttemptsMax = 20;
const openRetryMs = 25;
const walBytesMax = 64 * 1024 * 1024;

export interface EngineOptions extends PlaceOptions {
  /** Largest size of the file. Beyond it an append fails as on a full disk. Default: none. */
  readonly bytesMax?: number;
  /** How long a write waits while another process writes. Default: `busyWaitMs`. */
  readonly busyMs?: number;
}

/** One open connection. Everything on it is synchronous; who may wait for whom is decided outside. */
export interface Engine {
  readonly path: string;
  readonly db: DatabaseSync;
  /** A prepared statement, prepared once. */
  sql(text: string): StatementSync;
  /** Commits made through this connection. */
  commits: number;
  close(): void;
}

export function openEngine(path: string, options: EngineOptions = {}): Engine {
  return guarded(path, () => {
    preparePlace(path, options);
    refuseNewerInWal(path);
    const db = patiently(path, () => connect(path, options));
    const statements = new Map<string, StatementSync>();
    return {
      path,
      db,
      commits: 0,
      sql(text) {
        const known = statements.get(text);
        if (known) return known;
        const statement = db.prepare(text);
        statements.set(text, statement);
        return statement;
      },
      close() {
        if (db.isOpen) db.close();
      },
    };
  });
}

function connect(path: string, { bytesMax, busyMs = busyWaitMs }: EngineOptions): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyMs });
  try {
    db.enableDefensive(true);
    db.exec(`PRAGMA page_size = ${pageBytes}`);
    const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
    if (mode !== 'wal')
      throw worldFault('io', path, `the file system offers no write-ahead log, only ${mode}`);
    // The full sync variants cost nothing except on macOS, where a plain sync stops at the drive's cache.
    db.exec(
      `PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA journal_size_limit = ${walBytesMax}`,
    );
    if (bytesMax !== undefined) db.exec(`PRAGMA max_page_count = ${Math.ceil(bytesMax / pageBytes)}`);
    if (versionOf(db) !== schemaVersion) fill(path, db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Two first starters meet here: the second finds the tables made. */
function fill(path: string, db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(db);
    refuseVersion(path, version, Number(db.prepare('PRAGMA application_id').get()?.application_id));
    if (version === 0) {
      if (db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined) {
        throw worldFault('corrupt', path, 'it has tables but no schema version');
      }
      createTables(db);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The version may stand in the write-ahead log only. A read-only connection looks, because it leaves the file alone. */
function refuseNewerInWal(path: string): void {
  if (!existsSync(`${path}-wal`)) return;
  patiently(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: busyWaitMs });
    try {
      refuseVersion(path, versionOf(db), Number(db.prepare('PRAGMA application_id').get()?.application_id));
    } finally {
      db.close();
    }
  });
}

export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

/** While another process switches the journal or recovers it, SQLite answers "busy" without using its timeout. */
function patiently<T>(path: string, work: () => T): T {
  for (let attempt = 1; ; attempt++) {
    try {
      return guarded(path, work);
    } catch (error) {
      if (attempt >= openAttemptsMax || !(error instanceof StoreError && error.fault === 'busy')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openRetryMs);
    }
  }
}
