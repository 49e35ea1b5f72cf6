import { hash } from 'node:crypto';
import type { Entry, StoredEntry } from '../contract/entry.ts';
import { StoreError } from '../contract/errors.ts';
import type {
  AppendExtras,
  Child,
  Clock,
  Holder,
  Lease,
  Snapshot,
  Store,
  StoreFault,
} from '../contract/ports.ts';
import type { RunView } from '../contract/view.ts';
import { chainedText, genesis } from '../edge/store/chain.ts';
import { inboxOrder } from '../edge/store/inbox.ts';
import { leaseStaleMs, runKey } from '../edge/store/lease.ts';
import { eventText, readEvent } from '../edge/store/messages.ts';
import { causesOf, checkNumbering } from '../edge/store/port.ts';
import { notNext, snapshotOfNothing, staleEpoch, unknownRun } from '../edge/store/refusals.ts';

/** A store in memory, with the ways to hurt it that a simulation needs. */
export interface MemoryStore extends Store {
  /** The next append is refused with this fault and writes nothing. */
  failNextAppend(fault: StoreFault): void;
  /** From now on the holder counts as a process that is provably gone: what it held is free to take. */
  markDead(holder: Holder): void;
}

export interface MemoryStoreOptions {
  /** Chain with real SHA-256 over the real text. Default: a stand-in that is unique and chains, but proves nothing. */
  readonly hashed?: boolean;
}

interface Row {
  readonly entry: Entry;
  readonly prev: string;
  readonly hash: string;
}

interface RunShelf {
  readonly rows: Row[];
  view: RunView;
  snapshot: Snapshot | null;
  readonly inbox: Map<string, { at: number; event: string }>;
}

interface LeaseRow {
  epoch: number;
  holder: Holder | null;
  heartbeatAt: number;
}

const place = 'the memory store';

/**
 * The `Store` port in memory: same refusals, no timers, no input or output, everything done by the next microtask. It
 * outlives whoever uses it, so a killed process is one that is abandoned and marked dead; `close` therefore keeps all.
 */
export function memoryStore(clock: Pick<Clock, 'at'>, options: MemoryStoreOptions = {}): MemoryStore {
  const runs = new Map<string, RunShelf>();
  const bodies = new Map<string, string>();
  let posted = 0;

  const { subscribe, touched } = listenerTable();
  const leases = leaseTable(clock);
  const { failNextAppend, failIfTold } = faultSwitch();

  const append = (run: string, fromSeq: number, entries: readonly Entry[], extras: AppendExtras) => {
    const shelf: RunShelf = runs.get(run) ?? {
      rows: [],
      view: extras.view,
      snapshot: null,
      inbox: new Map(),
    };
    const rows = chained(shelf.rows.at(-1)?.hash ?? genesis, entries, options.hashed ?? false);
    const { snapshot } = extras;
    if (snapshot) {
      const at = shelf.rows[snapshot.seq - 1] ?? rows[snapshot.seq - fromSeq];
      if (at === undefined) throw snapshotOfNothing(run, snapshot.seq, place);
      shelf.snapshot = { ...snapshot, hash: at.hash };
    }
    runs.set(run, shelf);
    for (const row of rows) shelf.rows.push(row);
    shelf.view = extras.view;
    for (const { digest, text } of extras.bodies ?? []) if (!bodies.has(digest)) bodies.set(digest, text);
    for (const cause of causesOf(entries)) shelf.inbox.delete(cause);
    touched(run);
  };

  return {
    append: async (run, epoch, fromSeq, entries, extras) => {
      checkNumbering(run, fromSeq, entries);
      failIfTold();
      leases.fence(run, epoch);
      const lastSeq = runs.get(run)?.rows.length ?? 0;
      if (fromSeq !== lastSeq + 1) throw notNext(run, fromSeq, lastSeq, place);
      append(run, fromSeq, entries, extras);
    },
    read: async (run, fromSeq, limit) => {
      const from = Math.max(0, fromSeq - 1);
      const rows = runs.get(run)?.rows.slice(from, from + limit) ?? [];
      return rows.map(storedEntry);
    },
    snapshot: async (run) => runs.get(run)?.snapshot ?? null,
    subscribe,
    acquire: leases.acquire,
    renew: leases.renew,
    release: leases.release,
    holder: leases.holder,
    post: async (run, event) => {
      const text = eventText(run, event);
      const shelf = runs.get(run);
      if (shelf === undefined) throw unknownRun(run, place);
      const at = clock.at();
      const last = [...shelf.inbox.keys()].at(-1) ?? null;
      const id = `${inboxOrder(at, last)}${(posted++).toString(16).padStart(8, '0')}`;
      shelf.inbox.set(id, { at, event: text });
      touched(run);
      return id;
    },
    inbox: async (run) =>
      [...(runs.get(run)?.inbox ?? [])].map(([id, row]) => ({
        id,
        run,
        at: row.at,
        event: readEvent({ id, ...row }),
      })),
    body: async (digest) => bodies.get(digest) ?? null,
    runs: async () => [...runs].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, { view }]) => view),
    view: async (run) => runs.get(run)?.view ?? null,
    ...childTable(),
    close: async () => {},
    failNextAppend,
    markDead: leases.markDead,
  };
}

function faultSwitch() {
  let next: StoreFault | null = null;
  return {
    failNextAppend: (fault: StoreFault) => {
      next = fault;
    },
    failIfTold: () => {
      if (next === null) return;
      const fault = next;
      next = null;
      throw new StoreError(fault, `${place} was told to fail this append with ${fault}`, 'Append again.');
    },
  };
}

function listenerTable() {
  const listeners = new Map<string, Set<() => void>>();
  const touched = (run: string) =>
    queueMicrotask(() => {
      const known = listeners.get(run);
      for (const listener of [...(known ?? [])]) if (known?.has(listener)) listener();
    });
  const subscribe: Store['subscribe'] = (run, changed) => {
    const listener = () => changed();
    const known = listeners.get(run) ?? new Set();
    listeners.set(run, known.add(listener));
    return () => {
      known.delete(listener);
    };
  };
  return { subscribe, touched };
}

function childTable(): Pick<Store, 'noteChild' | 'children' | 'forgetChild'> {
  const children = new Map<string, Map<string, Child>>();
  return {
    noteChild: async (run, child) => {
      const known = children.get(run) ?? new Map<string, Child>();
      children.set(run, known.set(childKey(child), child));
    },
    children: async (run) =>
      [...(children.get(run) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, child]) => child),
    forgetChild: async (run, child) => {
      children.get(run)?.delete(childKey(child));
    },
  };
}

function leaseTable(clock: Pick<Clock, 'at'>) {
  const rows = new Map<string, LeaseRow>();
  const dead = new Set<string>();
  const mine = ({ key, epoch, holder }: Lease) => {
    const row = rows.get(key);
    return row?.epoch === epoch && row.holder?.session === holder.session ? row : undefined;
  };
  const acquire: Store['acquire'] = async (key, holder) => {
    const at = clock.at();
    const row = rows.get(key);
    if (row?.holder && !dead.has(holderKey(row.holder)) && at - row.heartbeatAt <= leaseStaleMs) {
      return { heldBy: row.holder, heartbeatAt: row.heartbeatAt };
    }
    const epoch = (row?.epoch ?? 0) + 1;
    rows.set(key, { epoch, holder, heartbeatAt: at });
    return { got: { key, epoch, holder } };
  };
  const renew: Store['renew'] = async (lease) => {
    const row = mine(lease);
    if (row) row.heartbeatAt = clock.at();
    return row !== undefined;
  };
  const release: Store['release'] = async (lease) => {
    const row = mine(lease);
    if (row) row.holder = null;
  };
  const holder: Store['holder'] = async (key) => {
    const row = rows.get(key);
    return row?.holder ? { heldBy: row.holder, heartbeatAt: row.heartbeatAt } : null;
  };
  const fence = (run: string, epoch: number) => {
    const row = rows.get(runKey(run));
    if (row?.epoch === epoch && row.holder !== null) return;
    const now = row?.holder ? `session ${row.holder.session} holds it` : 'nobody holds it';
    throw staleEpoch(run, epoch, place, now);
  };
  const markDead = (holder: Holder) => {
    dead.add(holderKey(holder));
  };
  return { acquire, renew, release, holder, fence, markDead };
}

function chained(prev: string, entries: readonly Entry[], hashed: boolean): Row[] {
  let last = prev;
  return entries.map((entry) => {
    const row = {
      entry,
      prev: last,
      hash: hashed
        ? hash('sha256', chainedText(JSON.stringify(entry), last))
        : entry.seq.toString(16).padStart(genesis.length, '0'),
    };
    last = row.hash;
    return row;
  });
}

function storedEntry({ entry, prev, hash }: Row): StoredEntry {
  return { run: entry.run, seq: entry.seq, json: chainedText(JSON.stringify(entry), prev), prev, hash };
}

function holderKey({ session, pid, pidStart, host }: Holder): string {
  return JSON.stringify([session, pid, pidStart, host]);
}

function childKey({ host, pid, pidStart }: Child): string {
  return JSON.stringify([host, pid, pidStart]);
}
