import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { guarded, worldFault } from './faults.ts';
import { migrate, patiently, refuseNewerInLog } from './migrate.ts';
import { type PlaceOptions, preparePlace } from './place.ts';
import { migrations, pageBytes, schemaVersion } from './schema.ts';

const busyWaitMs = 5_000;
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
    preparePlace(path, schemaVersion, options);
    refuseNewerInLog(path, schemaVersion);
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
    migrate(path, db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
