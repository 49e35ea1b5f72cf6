import { StoreError } from '../contract/errors.ts';
import type { AppendExtras, Clock, Holder, Lease, Store } from '../contract/ports.ts';
import { runKey } from '../edge/store/lease.ts';
import { sampleEntries, sampleView } from './store-samples.ts';

/** The functions of a test runner; node:test needs a small wrapper. */
export interface TestWords {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  expect(value: unknown): { toBe(expected: unknown): void; toEqual(expected: unknown): void };
}

export interface StoreUnderTest {
  readonly store: Store;
  /** The same data as another process would see it. */
  another(): Promise<Store>;
  /** A holder whose process runs. */
  living(session: string): Holder;
  /** A holder whose process is provably gone. */
  dead(session: string): Holder;
  /** Hashes are real: the chain can be verified. */
  readonly hashes: boolean;
  end(): Promise<void>;
}

export type OpenStore = (clock: Pick<Clock, 'at'>) => Promise<StoreUnderTest>;

export interface Bench extends StoreUnderTest {
  /** The injected clock; tests set it. */
  readonly clock: { now: number };
  /** Takes the run's lease. */
  hold(run: string, session?: string): Promise<Lease>;
  append(lease: Lease, fromSeq: number, toSeq: number, extras?: Partial<AppendExtras>): Promise<void>;
}

export type Case = (name: string, body: (bench: Bench) => Promise<void>) => void;

export function benchOver(opened: StoreUnderTest, clock: { now: number }): Bench {
  return {
    ...opened,
    clock,
    hold: (run, session = 'keeper') => taken(opened.store, runKey(run), opened.living(session)),
    append: ({ key, epoch }, fromSeq, toSeq, extras = {}) => {
      const run = key.slice(runKey('').length);
      const view = sampleView(run, toSeq);
      return opened.store.append(run, epoch, fromSeq, sampleEntries(run, fromSeq, toSeq), {
        view,
        ...extras,
      });
    },
  };
}

/** The fault a promise was refused with; 'none' when it was not. */
export async function faultOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    if (error instanceof StoreError && error.message !== '' && error.fix !== '') return error.fault;
    throw error;
  }
}

export async function taken(store: Store, key: string, holder: Holder): Promise<Lease> {
  const answer = await store.acquire(key, holder);
  if ('got' in answer) return answer.got;
  throw new Error(`${key} is held by ${answer.heldBy.session}`);
}
