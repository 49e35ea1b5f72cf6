import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../contract/errors.ts';
import { guarded, worldFault } from './faults.ts';
import { refuseVersion } from './place.ts';
import { applicationId } from './schema.ts';

const openAttemptsMax = 40;
const openRetryMs = 25;
const logBusyMs = 5_000;

/** The version of a file's tables; 0 before they are made. */
export const versionOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA user_version').get()?.user_version);

/** Refuses a file that is newer than `newest`, or another program's. */
export const refuseDatabase = (path: string, db: DatabaseSync, newest: number): void =>
  refuseVersion(
    path,
    versionOf(db),
    Number(db.prepare('PRAGMA application_id').get()?.application_id),
    newest,
  );

/**
 * Brings a file to the newest version: `migrations[n]` makes version n + 1 of version n, the first in an empty file.
 * Each is a transaction of its own. There is no way back. Of two that open it at once, the second finds it done.
 */
export function migrate(path: string, db: DatabaseSync, migrations: readonly string[]): void {
  while (versionOf(db) !== migrations.length)
    inTransaction(db, () => {
      refuseDatabase(path, db, migrations.length);
      const version = versionOf(db);
      const migration = migrations[version];
      if (migration === undefined) return;
      if (version === 0 && db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined)
        throw worldFault('corrupt', path, 'it has tables but no schema version');
      db.exec(migration);
      db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}`);
    });
}

/** The version may stand in the write-ahead log only. A read-only connection looks, because it leaves the file alone. */
export function refuseNewerInLog(path: string, newest: number): void {
  if (!existsSync(`${path}-wal`)) return;
  patiently(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: logBusyMs });
    try {
      refuseDatabase(path, db, newest);
    } finally {
      db.close();
    }
  });
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

/** While another process switches the journal or recovers it, SQLite answers "busy" without using its timeout. */
export function patiently<T>(path: string, work: () => T): T {
  for (let attempt = 1; ; attempt++) {
    try {
      return guarded(path, work);
    } catch (error) {
      if (attempt >= openAttemptsMax || !(error instanceof StoreError && error.fault === 'busy')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openRetryMs);
    }
  }
}
