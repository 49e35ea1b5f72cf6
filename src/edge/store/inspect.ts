import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../contract/errors.ts';
import { type ChainReport, chainCheck, prevOf } from './chain.ts';
import { asStoreError } from './faults.ts';
import { readEvent } from './messages.ts';
import { refuseDatabase, versionOf } from './migrate.ts';
import { schemaVersion } from './schema.ts';

const problemsMax = 100;
const busyTimeoutMs = 5_000;

/** Something wrong with the store: where, what, and what to do. */
interface StoreProblem {
  readonly place: string;
  readonly what: string;
  readonly fix: string;
}

interface StoreInspection {
  readonly path: string;
  readonly exists: boolean;
  /** Schema version of the file; null when it cannot be read. */
  readonly version: number | null;
  readonly ok: boolean;
  readonly problems: readonly StoreProblem[];
  readonly runs: readonly ({ readonly run: string } & ChainReport)[];
}

const keepFix =
  'Nothing was changed. Copy the file with its -wal and -shm files to a safe place; `tireless export` prints every row that can be read.';

/** Looks at everything in a store and changes nothing: pages, tables, chains, messages, leases, permissions. */
export function inspectStore(path: string): StoreInspection {
  const problems: StoreProblem[] = [];
  const runs: ({ run: string } & ChainReport)[] = [];
  const found = (place: string, what: string, fix: string) => {
    if (problems.length < problemsMax) problems.push({ place, what, fix });
  };
  const exists = existsSync(path);
  let version: number | null = null;
  if (exists) {
    tellLoosePermissions(path, found);
    const step = (place: string, work: () => void) => {
      try {
        work();
        return true;
      } catch (error) {
        const known = asStoreError(error, path);
        if (!(known instanceof StoreError)) throw error;
        found(place, known.message, known.fix);
        return false;
      }
    };
    let db: DatabaseSync | undefined;
    try {
      const isOurs = step(path, () => {
        db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
        version = versionOf(db);
        refuseDatabase(path, db, schemaVersion);
      });
      if (db && isOurs) {
        const open = db;
        step(path, () => inspectPages(open, path, found));
        step(path, () => inspectChains(open, step, found, runs));
        step(path, () => inspectInbox(open, found));
        step(path, () => inspectLeases(open, found));
      }
    } finally {
      db?.close();
    }
  }
  return { path, exists, version, ok: problems.length === 0, problems, runs };
}

type Found = (place: string, what: string, fix: string) => void;

function tellLoosePermissions(path: string, found: Found): void {
  const mode = statSync(path).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  found(path, `other users may open it (mode ${mode.toString(8)})`, `chmod 600 ${path}`);
}

function inspectPages(db: DatabaseSync, path: string, found: Found): void {
  for (const row of db.prepare(`PRAGMA integrity_check(${problemsMax})`).all()) {
    const what = String(row.integrity_check);
    if (what !== 'ok') found(path, what, keepFix);
  }
}

function inspectChains(
  db: DatabaseSync,
  step: (place: string, work: () => void) => boolean,
  found: Found,
  runs: ({ run: string } & ChainReport)[],
): void {
  // One view of everything: a run at work goes on meanwhile.
  db.exec('BEGIN');
  const heads = db.prepare('SELECT id, seq, head FROM run ORDER BY id').all();
  const rows = db.prepare('SELECT seq, json, hash FROM entry WHERE run = ? ORDER BY seq');
  for (const { id, seq, head } of heads) {
    const run = String(id);
    step(`run ${run}`, () => {
      const check = chainCheck();
      for (const row of rows.iterate(run)) {
        const json = String(row.json);
        check.row({ run, seq: Number(row.seq), json, prev: prevOf(json), hash: String(row.hash) });
      }
      const report = check.end({ seq: Number(seq), hash: String(head) });
      runs.push({ run, ...report });
      for (const { because } of report.damage) found(`run ${run}`, because, keepFix);
    });
  }
  const lost = db.prepare('SELECT DISTINCT run FROM entry WHERE run NOT IN (SELECT id FROM run)').all();
  for (const { run } of lost) found(`run ${run}`, 'it has entries but is not listed', keepFix);
  db.exec('COMMIT');
}

function inspectInbox(db: DatabaseSync, found: Found): void {
  for (const { run, id, at, event } of db.prepare('SELECT run, id, at, event FROM inbox').iterate()) {
    const heard = readEvent({ id: String(id), at: Number(at), event: String(event) });
    if (heard.type !== 'unreadable') continue;
    found(
      `run ${run}`,
      heard.because,
      'The run records it as unreadable and continues; nothing needs to be done.',
    );
  }
}

function inspectLeases(db: DatabaseSync, found: Found): void {
  const rows = db
    .prepare(
      `SELECT key FROM lease WHERE typeof(epoch) <> 'integer' OR (session IS NOT NULL AND
         (typeof(session) <> 'text' OR typeof(pid) <> 'integer' OR typeof(heartbeat_at) NOT IN ('integer', 'real')))`,
    )
    .all();
  for (const { key } of rows) {
    found(
      `lease ${key}`,
      'it cannot be read',
      'The next process that asks for it repairs it; nothing needs to be done.',
    );
  }
}
