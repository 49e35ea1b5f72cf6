import type { StoredEntry } from '../contract/entry.ts';
import { verifyRun } from '../edge/store/chain.ts';
import { leaseStaleMs, runKey } from '../edge/store/lease.ts';
import { type Case, faultOf, type TestWords, taken } from './store-harness.ts';
import { sampleEntries, sampleEntry, sampleMessage, sampleView } from './store-samples.ts';

export function ledgerCases(test: Case, { expect }: TestWords): void {
  test('entries come back as they were appended, each naming the one before it', async ({
    store,
    hold,
    append,
  }) => {
    const lease = await hold('r1');
    await append(lease, 1, 2);
    await append(lease, 3, 3);
    const rows = await store.read('r1', 1, 10);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(rows.map(contentOf)).toEqual(sampleEntries('r1', 1, 3));
    expect(rows.map(({ prev }) => prev)).toEqual([
      '0'.repeat(64),
      ...rows.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(rows.every(({ json, prev }) => JSON.parse(json).prev === prev)).toBe(true);
  });

  test('a range is read, an unknown run is empty', async ({ store, hold, append }) => {
    await append(await hold('r1'), 1, 30);
    expect((await store.read('r1', 11, 5)).map(({ seq }) => seq)).toEqual([11, 12, 13, 14, 15]);
    expect((await store.read('r1', 29, 100)).map(({ seq }) => seq)).toEqual([29, 30]);
    expect(await store.read('r1', 31, 5)).toEqual([]);
    expect(await store.read('r2', 1, 5)).toEqual([]);
  });

  test('another process reads the same rows', async ({ store, another, hold, append }) => {
    await append(await hold('r1'), 1, 3);
    expect(await (await another()).read('r1', 1, 10)).toEqual(await store.read('r1', 1, 10));
  });

  test('odd texts survive to the byte', async ({ store, hold }) => {
    const lease = await hold('r1');
    const odd = sampleMessage('line\nNUL\u0000 lone \ud800 surrogate, emoji 🛟, "quotes" and \\');
    await store.append('r1', lease.epoch, 1, [sampleEntry('r1', 1, { event: odd })], {
      view: sampleView('r1', 1),
    });
    const [row] = await store.read('r1', 1, 1);
    expect(row && contentOf(row).event).toEqual(odd);
  });

  test('the chain of a run verifies', async ({ store, hashes, hold, append }) => {
    const lease = await hold('r1');
    await append(lease, 1, 600);
    await append(lease, 601, 700);
    const report = await verifyRun(store, 'r1');
    expect(report.entries).toBe(700);
    if (hashes) expect(report.damage).toEqual([]);
  });

  test('appends of many runs at once all arrive, and a refused one takes none with it', async ({
    store,
    hold,
    append,
  }) => {
    const names = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    const leases = await Promise.all(names.map((run) => hold(run)));
    const faults = await Promise.all(
      leases.map((lease, index) => faultOf(append(lease, index === 7 ? 2 : 1, index === 7 ? 3 : 2))),
    );
    expect(faults).toEqual(names.map((_, index) => (index === 7 ? 'not-next' : 'none')));
    const lengths = await Promise.all(names.map(async (run) => (await store.read(run, 1, 10)).length));
    expect(lengths).toEqual(names.map((_, index) => (index === 7 ? 0 : 2)));
  });
}

export function fencingCases(test: Case, { expect }: TestWords): void {
  test('an entry that is not next is refused', async ({ store, hold, append }) => {
    const lease = await hold('r1');
    expect(await faultOf(append(lease, 2, 2))).toBe('not-next');
    await append(lease, 1, 2);
    expect(await faultOf(append(lease, 2, 2))).toBe('not-next');
    expect(await faultOf(append(lease, 4, 4))).toBe('not-next');
    expect((await store.read('r1', 1, 10)).length).toBe(2);
  });

  test('entries that number themselves otherwise are refused', async ({ store, hold }) => {
    const { epoch } = await hold('r1');
    const extras = { view: sampleView('r1', 1) };
    expect(await faultOf(store.append('r1', epoch, 1, [sampleEntry('r1', 2)], extras))).toBe('not-next');
    expect(await faultOf(store.append('r1', epoch, 1, [sampleEntry('r2', 1)], extras))).toBe('not-next');
    expect(await store.view('r1')).toBe(null);
  });

  test('nobody appends without the lease, not even the first entry', async ({ store, append, living }) => {
    const key = runKey('r1');
    expect(await faultOf(append({ key, epoch: 1, holder: living('nobody') }, 1, 1))).toBe('stale-epoch');
    expect(await store.runs()).toEqual([]);
  });

  test('whoever lost the lease can no longer append', async ({ store, hold, append, living, clock }) => {
    const old = await hold('r1');
    await append(old, 1, 1);
    clock.now += leaseStaleMs + 1;
    const fresh = await taken(store, old.key, living('next'));
    expect(await faultOf(append(old, 2, 2))).toBe('stale-epoch');
    await append(fresh, 2, 2);
    await store.release(fresh);
    expect(await faultOf(append(fresh, 3, 3))).toBe('stale-epoch');
  });

  test('a refused append leaves nothing behind', async ({ store, hold, append }) => {
    const lease = await hold('r1');
    await append(lease, 1, 1);
    const cause = await store.post('r1', sampleMessage('hello'));
    const digest = 'a'.repeat(64);
    const refused = store.append('r1', lease.epoch, 3, [sampleEntry('r1', 3, { cause })], {
      view: sampleView('r1', 3, { because: 'never' }),
      bodies: [{ digest, text: 'never' }],
      snapshot: { seq: 3, foldVersion: 1, json: '{}' },
    });
    expect(await faultOf(refused)).toBe('not-next');
    expect(await store.view('r1')).toEqual(sampleView('r1', 1));
    expect(await store.body(digest)).toBe(null);
    expect(await store.snapshot('r1')).toBe(null);
    expect((await store.inbox('r1')).map(({ id }) => id)).toEqual([cause]);
  });
}

export function besideCases(test: Case, { expect }: TestWords): void {
  test('runs are listed newest first, each with its last view', async ({ store, hold, append }) => {
    for (const run of ['2026-b', '2026-a', '2026-c']) await append(await hold(run), 1, 1);
    const lease = await hold('2026-d');
    await append(lease, 1, 1);
    await append(lease, 2, 2, { view: sampleView('2026-d', 2, { state: 'paused' }) });
    expect((await store.runs()).map(({ id }) => id)).toEqual(['2026-d', '2026-c', '2026-b', '2026-a']);
    expect((await store.view('2026-d'))?.state).toBe('paused');
    expect(await store.view('2026-e')).toBe(null);
  });

  test('a body is kept once, by its digest', async ({ store, hold, append }) => {
    const lease = await hold('r1');
    const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
    const text = 'whole output\u0000 with NUL, \u{1f6df} and lines\n'.repeat(1_000);
    await append(lease, 1, 1, { bodies: [{ digest: one, text }] });
    await append(lease, 2, 2, {
      bodies: [
        { digest: one, text: 'ignored' },
        { digest: two, text: '' },
      ],
    });
    expect(await store.body(one)).toBe(text);
    expect(await store.body(two)).toBe('');
    expect(await store.body('3'.repeat(64))).toBe(null);
  });

  test('the last snapshot is kept, with the hash of its entry', async ({ store, hold, append }) => {
    const lease = await hold('r1');
    expect(await store.snapshot('r1')).toBe(null);
    await append(lease, 1, 2, { snapshot: { seq: 2, foldVersion: 1, json: '{"n":2}' } });
    await append(lease, 3, 5, { snapshot: { seq: 4, foldVersion: 3, json: '{"n":4}' } });
    const hash = (await store.read('r1', 4, 1))[0]?.hash;
    expect(await store.snapshot('r1')).toEqual({ seq: 4, foldVersion: 3, hash, json: '{"n":4}' });
  });

  test('a snapshot of an entry that is not there is refused, with its append', async ({
    store,
    hold,
    append,
  }) => {
    const lease = await hold('r1');
    const snapshot = { seq: 9, foldVersion: 1, json: '{}' };
    expect(await faultOf(append(lease, 1, 2, { snapshot }))).toBe('not-next');
    expect(await store.read('r1', 1, 10)).toEqual([]);
  });

  test('started children are noted, once each, until they are forgotten', async ({ store, another }) => {
    const one = { pid: 10, pidStart: 'a', host: 'h' };
    const two = { pid: 11, pidStart: 'b', host: 'h' };
    for (const child of [one, two, one]) await store.noteChild('r1', child);
    expect(await (await another()).children('r1')).toEqual([one, two]);
    await store.forgetChild('r1', one);
    await store.forgetChild('r1', { ...two, pidStart: 'reused' });
    expect(await store.children('r1')).toEqual([two]);
    expect(await store.children('r2')).toEqual([]);
  });
}

function contentOf({ json }: StoredEntry) {
  const { prev: _, ...entry } = JSON.parse(json);
  return entry;
}
