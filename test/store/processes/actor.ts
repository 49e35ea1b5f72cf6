/** A process of its own with a store open. Does what it is told over IPC and says when it was done. */
import type { Event } from '../../../src/contract/event.ts';
import { holderHere } from '../../../src/edge/lock.ts';
import { openInline, openThreaded, runKey } from '../../../src/edge/store/sqlite.ts';
import { sampleEntries, sampleView } from '../../../src/testkit/store-samples.ts';

export type Order =
  | { readonly order: 'acquire'; readonly key: string }
  | { readonly order: 'create'; readonly run: string }
  | { readonly order: 'post'; readonly run: string; readonly event: Event };

export interface Done {
  readonly doneAt: number;
  readonly value: unknown;
}

const [path = '', how = 'inline'] = process.argv.slice(2);
const store = (how === 'threaded' ? openThreaded : openInline)(path);
const me = holderHere(`actor-${process.pid}`);

process.on('message', async (order: Order) => {
  const value = await carryOut(order);
  process.send?.({ doneAt: Date.now(), value } satisfies Done);
});
process.on('disconnect', () => store.close());
process.send?.({ doneAt: Date.now(), value: 'ready' } satisfies Done);

async function carryOut(order: Order): Promise<unknown> {
  switch (order.order) {
    case 'acquire':
      return store.acquire(order.key, me);
    case 'post':
      return store.post(order.run, order.event);
    case 'create': {
      const answer = await store.acquire(runKey(order.run), me);
      if (!('got' in answer)) return answer;
      const entries = sampleEntries(order.run, 1, 1);
      await store.append(order.run, answer.got.epoch, 1, entries, { view: sampleView(order.run, 1) });
      return answer;
    }
  }
}
