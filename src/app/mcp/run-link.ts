import { setTimeout as pause } from 'node:timers/promises';
import type { Entry, Event, Store } from '../../contract/index.ts';
import { type Run, remember } from '../../core/index.ts';
import { entriesOf } from '../entries.ts';
import { openRun } from '../open-run.ts';

/** One entry of the run, and the run before and after it. */
export interface StampedEvent {
  readonly before: Run;
  readonly entry: Entry;
  readonly after: Run;
}

/** A run as another process follows it: it reads the ledger and posts messages, nothing else. */
export interface RunLink {
  /** The run as it is now. */
  run(): Promise<Run>;
  /** Posts a message for the keeper. Null when it was not processed in time: it stays in the inbox. */
  tell(event: Event, withinMs?: number): Promise<StampedEvent | null>;
  /** The first thing `look` finds, in the run as it is or after any later entry; null on a timeout. */
  until<T>(
    look: (run: Run, stamped: StampedEvent | null) => T | undefined,
    withinMs: number,
    signal?: AbortSignal,
  ): Promise<T | null>;
  stop(): void;
}

/** How long a live keeper may take to process a message. */
const heardMs = 15_000;

type Watch = (stamped: StampedEvent) => void;

/** Follows a run. Null where there is none of that id. */
export async function linkTo(store: Store, id: string): Promise<RunLink | null> {
  const opened = await openRun(store, id);
  if (opened === null) return null;
  let run = opened;
  const watches = new Set<Watch>();
  const readOn = async (): Promise<Run> => {
    for await (const entry of entriesOf(store, id, run.seq + 1)) {
      const stamped = { before: run, entry, after: remember(run, entry) };
      run = stamped.after;
      for (const watch of [...watches]) watch(stamped);
    }
    return run;
  };
  // One reader at a time, each from where the last one stopped, even if it failed: no entry is read twice.
  let last: Promise<unknown> = Promise.resolve();
  const catchUp = (): Promise<Run> => {
    const mine = last.then(readOn);
    last = mine.catch(() => undefined); // the caller gets the error
    return mine;
  };
  const until: RunLink['until'] = async (look, withinMs, signal) => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof look>>();
    const watch: Watch = (stamped) => {
      const found = look(stamped.after, stamped);
      if (found !== undefined) resolve(found);
    };
    watches.add(watch);
    const stop = store.subscribe(id, () => void catchUp().catch(() => undefined)); // the next look reports the error
    const ending = new AbortController();
    const giveUp = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])]);
    try {
      const found = look(await catchUp(), null);
      if (found !== undefined) return found;
      const late = pause(withinMs, null, { signal: giveUp }).catch(() => null); // aborted
      return ((await Promise.race([promise, late])) ?? null) as never;
    } finally {
      ending.abort();
      stop();
      watches.delete(watch);
    }
  };
  return {
    run: catchUp,
    until,
    async tell(event, withinMs = heardMs) {
      await catchUp();
      const stamped: StampedEvent[] = [];
      const collect: Watch = (one) => void stamped.push(one);
      watches.add(collect);
      try {
        const row = await store.post(id, event);
        return await until(() => stamped.find(({ entry }) => entry.cause === row), withinMs);
      } finally {
        watches.delete(collect);
      }
    },
    stop: () => watches.clear(),
  };
}
