import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { RunView } from '../../contract/view.ts';
import { applicationId, schemaVersion } from './schema.ts';

const busyMs = 1_000;

/**
 * The views of all runs, newest first, read without schemas and without writing anything: for commands that must
 * start fast. Null whenever anything is not as expected; the caller then opens the store the careful way.
 */
export function peekViews(path: string): RunView[] | null {
  if (!existsSync(path)) return [];
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: busyMs });
    const version = db.prepare('PRAGMA user_version').get()?.user_version;
    const application = db.prepare('PRAGMA application_id').get()?.application_id;
    if (version !== schemaVersion || application !== applicationId) return null;
    return db
      .prepare('SELECT view FROM run ORDER BY id DESC')
      .all()
      .map((row) => JSON.parse(String(row.view)) as RunView);
  } catch {
    return null; // told properly by the careful way
  } finally {
    db?.close();
  }
}
