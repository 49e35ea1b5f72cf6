import type { Entry } from '../../contract/entry.ts';
import { StoreError } from '../../contract/errors.ts';
import type { AppendExtras, Clock, Store } from '../../contract/ports.ts';
import type { AppendInput, Ask } from './requests.ts';
import { readView } from './views.ts';

/** The database as something to ask and to listen to, wherever it runs. */
export interface Channel {
  readonly path: string;
  readonly ask: Ask;
  watch(run: string, changed: () => void): () => void;
  close(): Promise<void>;
}

/** The `Store` port over a channel. Objects become text here and text becomes objects again, checked. */
export function storeOver(channel: Channel, clock: Pick<Clock, 'at'>): Store {
  const { ask } = channel;
  return {
    append: async (run, epoch, fromSeq, entries, extras) => {
      await ask('append', appendInput(run, epoch, fromSeq, entries, extras));
    },
    read: (run, fromSeq, limit) => ask('read', { run, fromSeq, limit }),
    snapshot: (run) => ask('snapshot', { run }),
    subscribe: (run, changed) => channel.watch(run, changed),
    acquire: (key, holder) => ask('acquire', { key, holder, at: clock.at() }),
    renew: (lease) => ask('renew', { lease, at: clock.at() }),
    release: async (lease) => {
      await ask('release', { lease });
    },
    holder: (key) => ask('holder', { key, at: clock.at() }),
    // Reading commands do without the schema of all events, which takes as long to build as Node to start.
    post: async (run, event) => {
      const { eventText } = await import('./messages.ts');
      return ask('post', { run, event: eventText(run, event), at: clock.at() });
    },
    inbox: async (run) => {
      const { readEvent } = await import('./messages.ts');
      return (await ask('inbox', { run })).map((row) => ({ ...row, run, event: readEvent(row) }));
    },
    body: (digest) => ask('body', { digest }),
    runs: async () => (await ask('runs', null)).map(readView),
    view: async (run) => {
      const stored = await ask('view', { run });
      return stored && readView(stored);
    },
    noteChild: async (run, child) => {
      await ask('noteChild', { run, child });
    },
    children: (run) => ask('children', { run }),
    forgetChild: async (run, child) => {
      await ask('forgetChild', { run, child });
    },
    close: () => channel.close(),
  };
}

function appendInput(
  run: string,
  epoch: number,
  fromSeq: number,
  entries: readonly Entry[],
  { view, bodies = [], snapshot }: AppendExtras,
): AppendInput {
  checkNumbering(run, fromSeq, entries);
  return {
    run,
    epoch,
    fromSeq,
    entries: entries.map((entry) => JSON.stringify(entry)),
    causes: causesOf(entries),
    view: JSON.stringify(view),
    bodies,
    snapshot: snapshot ?? null,
  };
}

/** Refuses entries that do not say themselves what the append says about them. */
export function checkNumbering(run: string, fromSeq: number, entries: readonly Entry[]): void {
  entries.forEach((entry, index) => {
    if (entry.run === run && entry.seq === fromSeq + index) return;
    throw new StoreError(
      'not-next',
      `entry ${entry.seq} of run ${entry.run} was appended as entry ${fromSeq + index} of run ${run}`,
      'Number the entries of one append in order, from the run they belong to.',
    );
  });
}

export function causesOf(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => entry.cause ?? []);
}
