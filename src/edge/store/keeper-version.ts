import { isAlive } from '../lock.ts';
import { peek } from './peek.ts';

/** How far back the start of a keeper is looked for. */
const entriesMax = 50_000;

/** Which version of Tireless keeps a run in a living process of this machine; null when none does or it is not known. */
export const keeperVersionOf = (path: string, run: string): string | null =>
  peek(path, (db) => {
    const lease = db.prepare('SELECT epoch, pid, pid_start, host FROM lease WHERE key = ?').get(`run:${run}`);
    if (typeof lease?.pid !== 'number') return null;
    if (!isAlive({ pid: lease.pid, pidStart: String(lease.pid_start), host: String(lease.host) }))
      return null;
    // No text of an agent looks like this: its quotes are escaped.
    const started = db.prepare(
      `SELECT json FROM (SELECT json FROM entry WHERE run = ? ORDER BY seq DESC LIMIT ${entriesMax})
       WHERE instr(json, '"type":"keeper-started"') LIMIT 1`,
    );
    const row = started.get(run);
    if (row === undefined) return null;
    const { event } = JSON.parse(String(row.json)) as { event: { epoch: number; version: string } };
    return event.epoch === lease.epoch ? event.version : null;
  });
