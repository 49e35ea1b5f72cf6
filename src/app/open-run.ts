import type { Snapshot, Store } from '../contract/index.ts';
import { foldVersion, type Run, remember } from '../core/index.ts';
import { entriesOf } from './entries.ts';

/** A snapshot after this many entries keeps opening a long run fast. */
export const snapshotEntries = 64;

/** A run as it was opened, and how many entries were read on top of its snapshot. */
export interface Opened {
  readonly run: Run;
  readonly sinceSnapshot: number;
}

/** The run as recorded, or null where there is none. */
export const openRun = async (store: Store, id: string): Promise<Run | null> =>
  (await reopen(store, id))?.run ?? null;

/** The last snapshot, unless another fold version made it: then the ledger is folded from its start. */
export async function usableSnapshot(store: Store, id: string): Promise<Snapshot | null> {
  const snapshot = await store.snapshot(id);
  return snapshot?.foldVersion === foldVersion ? snapshot : null;
}

/** The run from its last snapshot and the entries since. */
export async function reopen(store: Store, id: string): Promise<Opened | null> {
  const snapshot = await usableSnapshot(store, id);
  const from = snapshot?.seq ?? 0;
  let run = snapshot === null ? null : (JSON.parse(snapshot.json) as Run);
  for await (const entry of entriesOf(store, id, from + 1)) run = remember(run, entry);
  return run === null ? null : { run, sinceSnapshot: run.seq - from };
}
