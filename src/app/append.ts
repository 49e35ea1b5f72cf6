import { type AppendExtras, type Entry, StoreError, type StoreFault } from '../contract/index.ts';
import type { Dependencies } from './dependencies.ts';

const retryMs = 2_000;
/** How long a run stands still for a disk before the keeper gives up; it loses nothing either way. */
const patienceMs = 600_000;

/** Faults that a person or time can cure while we wait. */
const curable: ReadonlySet<StoreFault> = new Set(['disk-full', 'read-only', 'busy', 'io']);

export interface Append {
  readonly run: string;
  readonly epoch: number;
  readonly fromSeq: number;
  readonly entries: readonly Entry[];
  readonly extras: AppendExtras;
}

/**
 * Appends, or stands still until it can: nothing is started that was not written. The events stay in memory, the
 * person is told, and after ten minutes, or when released, the run is left to be resumed from what is on disk.
 */
export async function appendPatiently(
  deps: Dependencies,
  append: Append,
  release?: AbortSignal,
): Promise<void> {
  const { run, epoch, fromSeq, entries, extras } = append;
  const since = deps.clock.mono();
  for (;;) {
    try {
      return await deps.store.append(run, epoch, fromSeq, entries, extras);
    } catch (error) {
      const waits =
        error instanceof StoreError &&
        curable.has(error.fault) &&
        release?.aborted !== true &&
        deps.clock.mono() - since < patienceMs;
      if (!waits) throw error;
      deps.onTrouble?.(`${error.message}; fix: ${error.fix}. The run waits until it can write.`);
      await rest(deps, release);
    }
  }
}

const rest = (deps: Dependencies, release: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const wake = (): void => {
      off();
      release?.removeEventListener('abort', wake);
      resolve();
    };
    const off = deps.clock.after(retryMs, wake);
    release?.addEventListener('abort', wake);
  });
