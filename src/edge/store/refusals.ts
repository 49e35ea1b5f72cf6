import { StoreError } from '../../contract/errors.ts';

/** The refusals every store gives in the same words, so that callers need not know which one they have. */

export function staleEpoch(run: string, epoch: number, place: string, now: string): StoreError {
  return new StoreError(
    'stale-epoch',
    `run ${run}: epoch ${epoch} may not write to ${place}, ${now}`,
    'Another process holds this run; acquire it again to write.',
  );
}

export function notNext(run: string, fromSeq: number, lastSeq: number, place: string): StoreError {
  return new StoreError(
    'not-next',
    `run ${run}: entry ${fromSeq} cannot follow entry ${lastSeq} in ${place}`,
    'Read the run again and decide again.',
  );
}

export function snapshotOfNothing(run: string, seq: number, place: string): StoreError {
  return new StoreError(
    'not-next',
    `run ${run}: a snapshot at entry ${seq} has no such entry in ${place}`,
    'Take the snapshot at an entry that is stored with it or before it.',
  );
}

export function unknownRun(run: string, place: string): StoreError {
  return new StoreError(
    'unknown-run',
    `there is no run ${run} in ${place}`,
    '`tireless runs` lists the runs that exist.',
  );
}

export function closedStore(path: string): StoreError {
  return new StoreError(
    'io',
    `the store ${path} is closed in this process`,
    'Open it again before using it.',
  );
}
