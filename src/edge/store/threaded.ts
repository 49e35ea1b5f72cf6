import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoreError } from '../../contract/errors.ts';
import type { Store } from '../../contract/ports.ts';
import { fromWire, guarded } from './faults.ts';
import { machineClock, type StoreOptions } from './inline.ts';
import { preparePlace } from './place.ts';
import { storeOver } from './port.ts';
import { closedStore } from './refusals.ts';
import type { Op, Request, Requests } from './requests.ts';
import { schemaVersion } from './schema.ts';
import type { FromWorker, ToWorker, WorkerStart } from './wire.ts';

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/**
 * The store on a thread of its own, for processes that host runs: appends of many runs that come together share one
 * commit. Throws at once when the place is unfit; what the database itself meets rejects the calls.
 */
export function openThreaded(givenPath: string, options: StoreOptions = {}): Store {
  const path = resolve(givenPath);
  guarded(path, () => preparePlace(path, schemaVersion, options));
  const start: WorkerStart = {
    path,
    // The place was judged above, with whatever this caller told us about it.
    options: { bytesMax: options.bytesMax, busyMs: options.busyMs, allowNetwork: true },
  };
  const worker = new Worker(workerFile(import.meta.url), { workerData: start, execArgv: [], name: 'store' });
  worker.unref();
  return storeOver({ path, ...overWorker(path, worker) }, options.clock ?? machineClock);
}

/** Beside this file: the source in a checkout, the built file in a bundle. */
export function workerFile(here: string): URL {
  return new URL(here.endsWith('.ts') ? './worker.ts' : './store-worker.js', here);
}

function overWorker(path: string, worker: Worker) {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<() => void>>();
  let lastId = 0;
  let gone: Error | null = null;
  let closing: PromiseWithResolvers<void> | null = null;

  const send = (message: ToWorker) => worker.postMessage(message);
  const tell = (run: string) => {
    const known = listeners.get(run);
    for (const listener of [...(known ?? [])]) if (known?.has(listener)) listener();
  };
  const settle = (id: number, how: (one: Waiting) => void) => {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    // A process may end while the thread rests, never while it owes an answer.
    if (waiting.size === 0 && !closing) worker.unref();
    how(one);
  };
  const lose = (error: Error) => {
    gone ??= error;
    for (const id of [...waiting.keys()]) settle(id, (one) => one.reject(error));
    // They read next and meet the reason there.
    for (const run of [...listeners.keys()]) tell(run);
    closing?.resolve();
  };

  worker.on('message', (message: FromWorker) => {
    if ('changed' in message) tell(message.changed);
    else if ('closed' in message) lose(closedStore(path));
    else if ('error' in message) settle(message.id, (one) => one.reject(fromWire(message.error)));
    else settle(message.id, (one) => one.resolve(message.value as never));
  });
  const endedBy = (what: string) =>
    new StoreError('io', `the thread of the store ${path} ended: ${what}`, 'Start this process again.');
  worker.on('error', (error) => lose(endedBy(error instanceof Error ? error.message : String(error))));
  worker.on('exit', (code) => lose(endedBy(`exit code ${code}`)));

  return {
    ask<K extends Op>(op: K, input: Requests[K]['in']): Promise<Requests[K]['out']> {
      if (gone || closing) return Promise.reject(gone ?? closedStore(path));
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        worker.ref();
        send({ id, request: { op, input } as Request });
      });
    },
    watch(run: string, changed: () => void): () => void {
      if (gone || closing) throw gone ?? closedStore(path);
      const listener = () => changed();
      const known = listeners.get(run) ?? new Set();
      listeners.set(run, known.add(listener));
      if (known.size === 1) send({ watch: run });
      return () => {
        if (!known.delete(listener) || known.size > 0) return;
        listeners.delete(run);
        send({ unwatch: run });
      };
    },
    close(): Promise<void> {
      if (gone) return Promise.resolve();
      if (!closing) {
        closing = Promise.withResolvers();
        listeners.clear();
        worker.ref();
        send({ close: true });
      }
      return closing.promise;
    },
  };
}
