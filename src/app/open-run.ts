import { type Entry, entryVersion, type Store, type StoredEntry, StoreError } from '../contract/index.ts';
import { foldVersion, type Run, remember } from '../core/index.ts';

const pageEntries = 2_000;

/** The entry in a stored row. A newer format is refused and kept as it is. */
export function entryOf(stored: StoredEntry): Entry {
  const raw: unknown = JSON.parse(stored.json);
  const version = (raw as { v?: unknown }).v;
  if (typeof version === 'number' && version > entryVersion) {
    throw new StoreError(
      'newer',
      `run ${stored.run} was written by a newer Tireless (entry format ${version}, this one reads ${entryVersion})`,
      'use the newer version; nothing was changed',
    );
  }
  return raw as Entry;
}

/** All entries of a run from `fromSeq`, page by page. */
export async function* entriesOf(store: Store, run: string, fromSeq = 1): AsyncGenerator<Entry> {
  for (let next = fromSeq; ; ) {
    const page = await store.read(run, next, pageEntries);
    for (const stored of page) yield entryOf(stored);
    if (page.length < pageEntries) return;
    next += page.length;
  }
}

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

/** The run from the last snapshot of this fold version and the entries since, or from all of them. */
export async function reopen(store: Store, id: string): Promise<Opened | null> {
  const snapshot = await store.snapshot(id);
  const usable = snapshot !== null && snapshot.foldVersion === foldVersion;
  const from = usable ? snapshot.seq : 0;
  let run = usable ? (JSON.parse(snapshot.json) as Run) : null;
  for await (const entry of entriesOf(store, id, from + 1)) run = remember(run, entry);
  return run === null ? null : { run, sinceSnapshot: run.seq - from };
}
