import type { Store } from '../contract/ports.ts';
import { leaseStaleMs } from '../edge/store/lease.ts';
import { type Case, faultOf, type TestWords, taken } from './store-harness.ts';
import { sampleEntry, sampleMessage, sampleView } from './store-samples.ts';

export function inboxCases(test: Case, { expect }: TestWords): void {
  test('messages wait in the order they were left, from any process, whatever the clock says', async (bench) => {
    const { store, another, hold, append, clock } = bench;
    await append(await hold('r1'), 1, 1);
    const other = await another();
    const ids: string[] = [];
    for (const [index, step] of [0, 0, 5, -60_000, 0, 1].entries()) {
      clock.now += step;
      ids.push(await (index % 2 ? other : store).post('r1', sampleMessage(`message ${index}`)));
    }
    const rows = await other.inbox('r1');
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(ids).toEqual([...ids].sort());
    expect(rows.map(({ event }) => event)).toEqual(ids.map((_, index) => sampleMessage(`message ${index}`)));
    expect(rows.every(({ run }) => run === 'r1')).toBe(true);
  });

  test('a message is consumed by the entry that names it as its cause, and by no other', async (bench) => {
    const { store, hold, append } = bench;
    const [r1, r2] = [await hold('r1'), await hold('r2')];
    await append(r1, 1, 1);
    await append(r2, 1, 1);
    const [first, second] = [
      await store.post('r1', sampleMessage('1')),
      await store.post('r1', sampleMessage('2')),
    ];
    const view = sampleView('r2', 2);
    await store.append('r2', r2.epoch, 2, [sampleEntry('r2', 2, { cause: first })], { view });
    expect((await store.inbox('r1')).map(({ id }) => id)).toEqual([first, second]);
    await store.append('r1', r1.epoch, 2, [sampleEntry('r1', 2, { cause: first })], {
      view: sampleView('r1', 2),
    });
    expect((await store.inbox('r1')).map(({ id }) => id)).toEqual([second]);
  });

  test('a message for an unknown run, or one nobody could read, is refused', async ({
    store,
    hold,
    append,
  }) => {
    expect(await faultOf(store.post('r1', sampleMessage('hello')))).toBe('unknown-run');
    await append(await hold('r1'), 1, 1);
    expect(await faultOf(store.post('r1', sampleMessage('x'.repeat(20_000))))).toBe('io');
    expect(await store.inbox('r1')).toEqual([]);
  });
}

export function leaseCases(test: Case, { expect }: TestWords): void {
  test('of many askers one gets the lease, the others learn who', async ({
    store,
    another,
    living,
    clock,
  }) => {
    const stores = [store, await another(), await another()];
    const holders = Array.from({ length: 9 }, (_, index) => living(`s${index}`));
    const answers = await Promise.all(
      holders.map((holder, index) => (stores[index % 3] ?? store).acquire('workspace:/w', holder)),
    );
    const winners = answers.flatMap((answer) => ('got' in answer ? [answer.got] : []));
    expect(winners.length).toBe(1);
    const told = { heldBy: winners[0]?.holder, heartbeatAt: clock.now };
    expect(answers.filter((answer) => 'heldBy' in answer)).toEqual(Array.from({ length: 8 }, () => told));
  });

  test('each new holder has a higher epoch', async ({ store, living }) => {
    const first = await taken(store, 'k', living('a'));
    await store.release(first);
    const second = await taken(store, 'k', living('b'));
    expect(second.epoch > first.epoch).toBe(true);
    expect((await taken(store, 'other', living('b'))).epoch).toBe(1);
  });

  test('who asks again for what he holds is told that he holds it', async ({ store, living, clock }) => {
    await taken(store, 'k', living('a'));
    expect(await store.acquire('k', living('a'))).toEqual({ heldBy: living('a'), heartbeatAt: clock.now });
  });

  test('who holds a lease can be seen without taking it', async ({ store, living, clock }) => {
    expect(await store.holder('k')).toBe(null);
    const answer = await store.acquire('k', living('a'));
    expect(await store.holder('k')).toEqual({ heldBy: living('a'), heartbeatAt: clock.now });
    if ('got' in answer) await store.release(answer.got);
    expect(await store.holder('k')).toBe(null);
  });

  test('a provably dead holder is replaced at once', async ({ store, living, dead }) => {
    const lost = await taken(store, 'k', dead('gone'));
    const lease = await taken(store, 'k', living('next'));
    expect(lease.epoch).toBe(lost.epoch + 1);
    expect(await store.renew(lost)).toBe(false);
    await store.release(lost);
    expect(await store.renew(lease)).toBe(true);
  });

  test('a holder without heartbeat is replaced after the stale time, not before', async ({
    store,
    living,
    clock,
  }) => {
    const lease = await taken(store, 'k', living('a'));
    clock.now += leaseStaleMs;
    expect('heldBy' in (await store.acquire('k', living('b')))).toBe(true);
    expect(await store.renew(lease)).toBe(true);
    clock.now += leaseStaleMs;
    expect('heldBy' in (await store.acquire('k', living('b')))).toBe(true);
    clock.now += 1;
    await taken(store, 'k', living('b'));
    expect(await store.renew(lease)).toBe(false);
  });
}

export function listeningCases(test: Case, { expect }: TestWords): void {
  test('whoever follows a run hears its entries and messages, from any process', async (bench) => {
    const { store, another, hold, append } = bench;
    const lease = await hold('r1');
    const other = await another();
    await append(lease, 1, 1);
    const listener = await listenTo(other, 'r1');
    await append(lease, 2, 2);
    await listener.notified();
    await store.post('r1', sampleMessage('hello'));
    await listener.notified();
    await other.post('r1', sampleMessage('from here'));
    await listener.notified();
    listener.off();
  });

  test('what is written right after subscribing is heard', async ({ another, hold, append }) => {
    const lease = await hold('r1');
    const other = await another();
    let off = () => {};
    const notified = new Promise<void>((resolve) => {
      off = other.subscribe('r1', resolve);
    });
    await append(lease, 1, 1);
    await notified;
    expect((await other.read('r1', 1, 10)).length).toBe(1);
    off();
  });

  test('a run can be followed before its first entry', async ({ another, hold, append }) => {
    const listener = await listenTo(await another(), 'r1');
    await append(await hold('r1'), 1, 1);
    await listener.notified();
    listener.off();
  });

  test('other runs are not heard, and nothing after the listener was taken off', async ({
    store,
    another,
    hold,
    append,
  }) => {
    const other = await another();
    const [r1, r2] = [await hold('r1'), await hold('r2')];
    const one = await listenTo(other, 'r1');
    const two = await listenTo(other, 'r2');
    const last = await listenTo(store, 'r2');
    await append(r2, 1, 1);
    await Promise.all([two.notified(), last.notified()]);
    two.off();
    two.off();
    const witness = await listenTo(other, 'r2');
    await append(r2, 2, 2);
    await Promise.all([witness.notified(), last.notified()]);
    expect([one.count(), two.count()]).toEqual([0, 1]);
    await append(r1, 1, 1);
    await one.notified();
    for (const listener of [one, witness, last]) listener.off();
  });
}

/** Counts what it hears; `heard` waits for the next call, or takes one that came already. */
async function listenTo(store: Store, run: string) {
  let count = 0;
  let awaited = 0;
  let wake = () => {};
  const off = store.subscribe(run, () => {
    count++;
    wake();
  });
  // A store may call once when it begins to listen; whoever asked something after that has this call behind him.
  await store.view(run);
  count = 0;
  const notified = async () => {
    awaited++;
    while (count < awaited) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { off, notified, count: () => count };
}
