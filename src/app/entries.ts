import { type Entry, type Store, type StoredEntry, upcast } from '../contract/index.ts';

const pageEntries = 2_000;

/** The entry in a stored row, in today's form. */
export const entryOf = ({ json }: StoredEntry): Entry => upcast(JSON.parse(json));

/** All entries of a run from `fromSeq`, page by page. */
export async function* entriesOf(store: Store, run: string, fromSeq = 1): AsyncGenerator<Entry> {
  for (let next = fromSeq; ; ) {
    const page = await store.read(run, next, pageEntries);
    for (const stored of page) yield entryOf(stored);
    if (page.length < pageEntries) return;
    next += page.length;
  }
}
