import type { Entry, Event } from '../contract/index.ts';
import { StoreError } from '../contract/index.ts';
import { foldVersion, step, viewOf } from '../core/index.ts';
import type { Dependencies } from './dependencies.ts';
import { reopen, snapshotEntries } from './open-run.ts';

/**
 * One step in a short-lived process: takes the run's lease for this one pass, hears the event, writes what came of it,
 * and releases the lease. Where a keeper holds the run the event is left in its inbox instead, and the answer is null. What the
 * entry sets out to do is the caller's to start, now that it is written.
 */
export async function advance(
  { store, ingest, holder }: Pick<Dependencies, 'store' | 'ingest' | 'holder'>,
  id: string,
  event: Event,
  body?: string,
): Promise<Entry | null> {
  const lease = await store.acquire(`run:${id}`, holder);
  if ('heldBy' in lease) {
    await store.post(id, event);
    return null;
  }
  try {
    const opened = await reopen(store, id);
    if (opened === null)
      throw new StoreError('unknown-run', `there is no run ${id}`, 'list the runs with: tireless runs');
    const { stamped, bodies } = ingest(event, body);
    const { run, entry } = step(opened.run, stamped, id);
    const isDue = opened.sinceSnapshot + 1 >= snapshotEntries;
    await store.append(id, lease.got.epoch, entry.seq, [entry], {
      view: viewOf(run),
      bodies,
      snapshot: isDue ? { seq: run.seq, foldVersion, json: JSON.stringify(run) } : undefined,
    });
    return entry;
  } finally {
    await store.release(lease.got);
  }
}
