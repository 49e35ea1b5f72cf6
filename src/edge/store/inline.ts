import type { Clock, Store } from '../../contract/ports.ts';
import { followChanges } from './changes.ts';
import { type EngineOptions, openEngine } from './engine.ts';
import { guarded } from './faults.ts';
import { performAll, touchedBy } from './group.ts';
import { storeOver } from './port.ts';
import { closedStore } from './refusals.ts';
import type { Op, Request, Requests } from './requests.ts';

export interface StoreOptions extends EngineOptions {
  /** Where heartbeats and inbox rows get their time. Default: the machine's clock. */
  readonly clock?: Pick<Clock, 'at'>;
}

export const machineClock: Pick<Clock, 'at'> = { at: () => Date.now() };

/** The store in this thread, for short-lived processes: every call is done when it returns. Throws what opening meets. */
export function openInline(path: string, options: StoreOptions = {}): Store {
  const engine = openEngine(path, options);
  const changes = followChanges(engine);
  let isClosed = false;

  const ask = async <K extends Op>(op: K, input: Requests[K]['in']): Promise<Requests[K]['out']> => {
    if (isClosed) throw closedStore(path);
    const request = { op, input } as Request;
    const [outcome] = performAll(engine, [request]);
    if (outcome === undefined || 'error' in outcome) throw outcome?.error;
    const run = touchedBy(request);
    // After the caller got its answer, so that nobody is called back in the middle of his own append.
    if (run !== null) queueMicrotask(() => isClosed || changes.wrote(run));
    return outcome.value as Requests[K]['out'];
  };
  return storeOver(
    {
      path,
      ask,
      watch: (run, changed) => {
        if (isClosed) throw closedStore(path);
        return guarded(path, () => changes.watch(run, changed));
      },
      close: async () => {
        if (isClosed) return;
        isClosed = true;
        changes.stop();
        engine.close();
      },
    },
    options.clock ?? machineClock,
  );
}
