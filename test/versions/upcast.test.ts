import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../../src/app/entries.ts';
import { openRun } from '../../src/app/open-run.ts';
import { reportOfRun } from '../../src/app/report/make.ts';
import { type Entry, entryVersion, type Store } from '../../src/contract/index.ts';
import { type Upcast, upcast } from '../../src/contract/upcast.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { verifyRun } from '../../src/edge/store/chain.ts';
import { exportPublic } from '../../src/edge/store/export.ts';
import { runKey } from '../../src/edge/store/sqlite.ts';
import { sampleEntries, sampleView } from '../../src/testkit/store-samples.ts';
import { opened, ownFolder } from '../store/places.ts';

const entry = { v: 1, run: 'r1', seq: 7, at: 1, mono: 1, event: { type: 'keeper-ended', because: 'x' } };
const renamed: Upcast = ({ event, ...rest }) => ({ ...rest, v: 2, heard: event });
const wrapped: Upcast = ({ heard, ...rest }) => ({
  ...rest,
  v: 3,
  event: { ...(heard as object), is: 'old' },
});

/** A store whose run r1 has one entry, written by a newer program. */
async function newerStore(): Promise<Store> {
  const store = opened(join(ownFolder(), 'tireless.db'));
  const lease = await store.acquire(runKey('r1'), holderHere('test'));
  if (!('got' in lease)) throw new Error('it is held');
  const [first] = sampleEntries('r1', 1, 1);
  const newer = { ...first, v: entryVersion + 1 } as unknown as Entry;
  await store.append('r1', lease.got.epoch, 1, [newer], { view: sampleView('r1', 1) });
  return store;
}

describe('every reader of stored entries', () => {
  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['a list of entries', (store) => Array.fromAsync(entriesOf(store, 'r1'))],
    ['a run', (store) => openRun(store, 'r1')],
    ['a report', (store) => reportOfRun(store, 'r1', { isPublic: false })],
    ['a public export', (store) => Array.fromAsync(exportPublic(store, 'r1'))],
  ])('refuses a newer one: %s', async (_, read) => {
    const store = await newerStore();
    await expect(read(store)).rejects.toMatchObject({ fault: 'newer' });
    expect(await verifyRun(store, 'r1')).toMatchObject({ ok: true, entries: 1 });
  });
});

describe('a stored entry', () => {
  it('of today is left as it is', () => {
    const today = { ...entry, v: entryVersion };
    expect(upcast(today)).toBe(today);
  });

  it('of an older version is lifted step by step, and its own object stays', () => {
    const before = structuredClone(entry);
    expect(upcast(entry, [renamed, wrapped])).toEqual({
      ...entry,
      v: 3,
      event: { ...entry.event, is: 'old' },
    });
    expect(
      upcast({ ...entry, v: 2, heard: entry.event, event: undefined }, [renamed, wrapped]),
    ).toMatchObject({ ...{ v: 3, event: { type: 'keeper-ended', is: 'old' } } });
    expect(entry).toEqual(before);
  });

  it('of a newer version is refused, with what to do', () => {
    expect(() => upcast({ ...entry, v: entryVersion + 1 })).toThrow(
      expect.objectContaining({
        fault: 'newer',
        message: `entry 7 of run r1 was written by a newer Tireless (entry format ${entryVersion + 1}, this one reads up to ${entryVersion})`,
      }),
    );
  });

  it.each([
    { ...entry, v: undefined },
    { ...entry, v: '1' },
    { ...entry, v: 0 },
    { ...entry, v: 1.5 },
    null,
    7,
  ])('without a version is refused: %j', (raw) => {
    expect(() => upcast(raw)).toThrow(expect.objectContaining({ fault: 'corrupt' }));
  });
});
