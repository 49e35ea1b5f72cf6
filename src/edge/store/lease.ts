import type { Holder, LeaseAnswer, LeaseHeld } from '../../contract/ports.ts';
import { isProvablyDead } from '../lock.ts';
import type { Engine } from './engine.ts';
import type { Requests } from './requests.ts';

/** A lease whose heartbeat is older belongs to whoever asks next. */
export const leaseStaleMs = 30 * 60 * 1_000;

const runPrefix = 'run:';

/** The lease an append of this run is checked against. */
export function runKey(run: string): string {
  return runPrefix + run;
}

/** A lease row with whatever is in it made usable. `holder` null: free, or nobody can be made out. */
interface LeaseRow {
  /** Null when damaged. */
  readonly epoch: number | null;
  readonly holder: Holder | null;
  /** Null when damaged. */
  readonly heartbeatAt: number | null;
}

export function acquire(engine: Engine, { key, holder, at }: Requests['acquire']['in']): LeaseAnswer {
  const row = leaseRow(engine, key, at);
  if (row?.holder && !isProvablyDead(row.holder)) {
    if (row.heartbeatAt === null) {
      // Its heartbeat cannot be read: believed from now on, so that it goes stale like any other.
      engine.sql('UPDATE lease SET heartbeat_at = ? WHERE key = ?').run(at, key);
      return { heldBy: row.holder, heartbeatAt: at };
    }
    if (at - row.heartbeatAt <= leaseStaleMs) return { heldBy: row.holder, heartbeatAt: row.heartbeatAt };
  }
  const epoch = nextEpoch(engine, key, row, at);
  engine
    .sql(
      `INSERT INTO lease (key, epoch, session, pid, pid_start, host, heartbeat_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET epoch = excluded.epoch, session = excluded.session, pid = excluded.pid,
         pid_start = excluded.pid_start, host = excluded.host, heartbeat_at = excluded.heartbeat_at`,
    )
    .run(key, epoch, holder.session, holder.pid, holder.pidStart, holder.host, at);
  return { got: { key, epoch, holder } };
}

/** Who holds the lease, living or not. */
export function holder(engine: Engine, { key, at }: Requests['holder']['in']): LeaseHeld | null {
  const row = leaseRow(engine, key, at);
  return row?.holder ? { heldBy: row.holder, heartbeatAt: row.heartbeatAt } : null;
}

export function renew(engine: Engine, { lease, at }: Requests['renew']['in']): boolean {
  const { changes } = engine
    .sql('UPDATE lease SET heartbeat_at = ? WHERE key = ? AND epoch = ? AND session = ?')
    .run(at, lease.key, lease.epoch, lease.holder.session);
  return Number(changes) === 1;
}

/** The row stays for its epoch: the next holder's must be higher. A lease already lost is left to its new holder. */
export function release(engine: Engine, { lease }: Requests['release']['in']): null {
  engine
    .sql(
      `UPDATE lease SET session = NULL, pid = NULL, pid_start = NULL, host = NULL, heartbeat_at = NULL
       WHERE key = ? AND epoch = ? AND session = ?`,
    )
    .run(lease.key, lease.epoch, lease.holder.session);
  return null;
}

function leaseRow(engine: Engine, key: string, at: number): LeaseRow | undefined {
  const row = engine
    .sql('SELECT epoch, session, pid, pid_start, host, heartbeat_at FROM lease WHERE key = ?')
    .get(key);
  if (row === undefined) return undefined;
  const { epoch, session, pid, pid_start: pidStart, host, heartbeat_at: heartbeat } = row;
  const isHeld =
    typeof session === 'string' &&
    typeof pid === 'number' &&
    typeof pidStart === 'string' &&
    typeof host === 'string';
  // A heartbeat far in the future would never go stale.
  const isPlausible = typeof heartbeat === 'number' && heartbeat - at <= leaseStaleMs;
  return {
    epoch: isEpoch(epoch) ? epoch : null,
    holder: isHeld ? { session, pid, pidStart, host } : null,
    heartbeatAt: isPlausible ? heartbeat : null,
  };
}

/** After a damaged epoch the count leaps to the time of day, past any that was ever handed out by counting. */
function nextEpoch(engine: Engine, key: string, row: LeaseRow | undefined, at: number): number {
  if (row === undefined || row.epoch !== null) return (row?.epoch ?? lastWritten(engine, key)) + 1;
  return Math.max(lastWritten(engine, key), Math.floor(at)) + 1;
}

/** The epoch of the run's last append, for a lease row that was lost. */
function lastWritten(engine: Engine, key: string): number {
  if (!key.startsWith(runPrefix)) return 0;
  const epoch = engine.sql('SELECT epoch FROM run WHERE id = ?').get(key.slice(runPrefix.length))?.epoch;
  return isEpoch(epoch) ? epoch : 0;
}

function isEpoch(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
