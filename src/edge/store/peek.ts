import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { LeaseHeld } from '../../contract/ports.ts';
import type { RunView } from '../../contract/view.ts';
import { applicationId, schemaVersion } from './schema.ts';

const busyMs = 1_000;

export interface PeekedRuns {
  /** Newest first. */
  readonly views: readonly RunView[];
  /** The runs whose lease somebody took and did not give back, living or not. */
  readonly held: ReadonlyMap<string, LeaseHeld>;
}

/**
 * All runs, read without schemas and without writing anything: for commands that must start fast. Null whenever
 * anything is not as expected; the caller then opens the store the careful way.
 */
export function peekRuns(path: string): PeekedRuns | null {
  if (!existsSync(path)) return { views: [], held: new Map() };
  return peek(path, (db) => {
    const rows = db.prepare('SELECT view FROM run ORDER BY id DESC').all();
    const leases = db.prepare(
      "SELECT substr(key, 5) AS run, session, pid, pid_start AS pidStart, host, heartbeat_at AS at FROM lease WHERE key GLOB 'run:*' AND pid NOTNULL",
    );
    return {
      views: rows.map((row) => JSON.parse(String(row.view)) as RunView),
      held: new Map(leases.all().map((row) => [String(row.run), heldIn(row)])),
    };
  });
}

const heldIn = ({ session, pid, pidStart, host, at }: Record<string, unknown>): LeaseHeld => ({
  heldBy: { session: String(session), pid: Number(pid), pidStart: String(pidStart), host: String(host) },
  heartbeatAt: typeof at === 'number' ? at : null,
});

export const peekViews = (path: string): readonly RunView[] | null => peekRuns(path)?.views ?? null;

/** Looks into the store without writing; null when it is not as this version knows it, or cannot be read. */
export function peek<T>(path: string, look: (db: DatabaseSync) => T): T | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: busyMs });
    const version = db.prepare('PRAGMA user_version').get()?.user_version;
    const application = db.prepare('PRAGMA application_id').get()?.application_id;
    return version === schemaVersion && application === applicationId ? look(db) : null;
  } catch {
    return null; // told properly by the careful way
  } finally {
    db?.close();
  }
}
