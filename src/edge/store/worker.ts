import { parentPort, workerData } from 'node:worker_threads';
import { type Changes, followChanges } from './changes.ts';
import { type Engine, openEngine } from './engine.ts';
import { toWire } from './faults.ts';
import { performAll, touchedBy } from './group.ts';
import type { Request } from './requests.ts';
import type { FromWorker, ToWorker, WorkerStart } from './wire.ts';

/** How many requests may share one commit; the rest waits for the next, so that no answer waits for too many. */
const groupRequestsMax = 500;

const { path, options } = workerData as WorkerStart;
/** Runs somebody follows, with how to stop once the database is open. */
const followed = new Map<string, (() => void) | null>();
let queue: { id: number; request: Request }[] = [];
let drainPlanned = false;
let opened: { engine: Engine; changes: Changes } | null = null;

parentPort?.on('message', (message: ToWorker) => {
  if ('request' in message) {
    queue.push(message);
    planDrain();
  } else if ('watch' in message) {
    watch(message.watch);
  } else if ('unwatch' in message) {
    followed.get(message.unwatch)?.();
    followed.delete(message.unwatch);
  } else {
    close();
  }
});

function say(message: FromWorker): void {
  parentPort?.postMessage(message);
}

/** Opened at the first need and tried again after a failure, so that a freed disk or a fixed folder is enough. */
function open(): { engine: Engine; changes: Changes } {
  if (opened) return opened;
  const engine = openEngine(path, options);
  opened = { engine, changes: followChanges(engine) };
  for (const run of followed.keys()) follow(run, opened.changes);
  return opened;
}

/** After the messages that are already here: what came in together is committed together. */
function planDrain(): void {
  if (drainPlanned) return;
  drainPlanned = true;
  setImmediate(drain);
}

function drain(): void {
  drainPlanned = false;
  const batch = queue.slice(0, groupRequestsMax);
  queue = queue.slice(groupRequestsMax);
  if (queue.length > 0) planDrain();
  try {
    const { engine, changes } = open();
    const outcomes = performAll(
      engine,
      batch.map(({ request }) => request),
    );
    const touched = new Set<string>();
    for (const [index, { id, request }] of batch.entries()) {
      const outcome = outcomes[index] ?? { error: new Error(`request ${id} got no answer`) };
      if ('error' in outcome) {
        say({ id, error: toWire(outcome.error) });
        continue;
      }
      say({ id, value: outcome.value });
      const run = touchedBy(request);
      if (run !== null) touched.add(run);
    }
    for (const run of touched) changes.wrote(run);
  } catch (error) {
    for (const { id } of batch) say({ id, error: toWire(error) });
  }
}

function watch(run: string): void {
  followed.set(run, null);
  try {
    if (opened) follow(run, opened.changes);
    else open();
  } catch {
    // Whoever follows the run reads it next and meets the reason there.
    say({ changed: run });
  }
}

/** Said once at the start: what was written since the other thread asked to follow would else never be heard. */
function follow(run: string, changes: Changes): void {
  say({ changed: run });
  followed.set(
    run,
    changes.watch(run, () => say({ changed: run })),
  );
}

function close(): void {
  while (queue.length > 0) drain();
  opened?.changes.stop();
  opened?.engine.close();
  say({ closed: true });
  parentPort?.close();
}
