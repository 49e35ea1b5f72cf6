import { describe, expect, it } from 'vitest';
import type { Holder } from '../../src/contract/ports.ts';
import { runKey } from '../../src/edge/store/sqlite.ts';
import { memoryStore } from '../../src/testkit/memory-store.ts';
import { sampleEntries, sampleView } from '../../src/testkit/store-samples.ts';

const holder: Holder = { session: 's', pid: 1, pidStart: 'x', host: 'h' };
const append = (store: ReturnType<typeof memoryStore>, epoch: number, from: number, to: number) =>
  store.append('r1', epoch, from, sampleEntries('r1', from, to), { view: sampleView('r1', to) });

describe('the memory store', () => {
  it('fails one append as told, writes nothing of it, and goes on', async () => {
    const store = memoryStore({ at: () => 0 });
    await store.acquire(runKey('r1'), holder);
    store.failNextAppend('disk-full');
    await expect(append(store, 1, 1, 2)).rejects.toMatchObject({ name: 'StoreError', fault: 'disk-full' });
    expect(await store.read('r1', 1, 9)).toEqual([]);
    await append(store, 1, 1, 2);
    expect(await store.read('r1', 1, 9)).toHaveLength(2);
  });

  it('outlives a killed process: marked dead, its lease is taken at once and its writes are fenced', async () => {
    const store = memoryStore({ at: () => 0 });
    await store.acquire(runKey('r1'), holder);
    await append(store, 1, 1, 1);
    const next = { ...holder, session: 'next', pid: 2 };
    expect('heldBy' in (await store.acquire(runKey('r1'), next))).toBe(true);
    store.markDead(holder);
    expect(await store.acquire(runKey('r1'), next)).toMatchObject({ got: { epoch: 2 } });
    await expect(append(store, 1, 2, 2)).rejects.toMatchObject({ fault: 'stale-epoch' });
    await append(store, 2, 2, 2);
  });

  it('is done by the next microtask', async () => {
    const store = memoryStore({ at: () => 0 });
    const order: string[] = [];
    const macrotask = new Promise<void>((resolve) =>
      setImmediate(() => resolve(void order.push('macrotask'))),
    );
    await store.acquire(runKey('r1'), holder);
    store.subscribe('r1', () => order.push('heard'));
    await append(store, 1, 1, 50);
    await store.read('r1', 1, 50);
    await macrotask;
    expect(order).toEqual(['heard', 'macrotask']);
  });
});
