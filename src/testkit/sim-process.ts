import { type Clock, type Holder, type Store, StoreError } from '../contract/index.ts';
import type { Dice } from './dice.ts';
import type { MemoryStore } from './memory-store.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** A process of our own that can die at any moment. What it had under way dies with it; what it wrote stays. */
export interface SimProcess {
  readonly holder: Holder;
  readonly clock: Clock;
  readonly store: Store;
  isAlive(): boolean;
  kill(): void;
  /** One act towards the world. Death may come right before it, right after it, or not at all. */
  act<T>(call: () => Promise<T>): Promise<T>;
}

export interface SimProcessParts {
  readonly clock: SimulatedClock;
  readonly store: MemoryStore;
  readonly dice: Dice;
  /** How likely an act is this process's last. */
  readonly deathChance: () => number;
  readonly isDiskFull: () => boolean;
  readonly onDeath: (process: SimProcess) => void;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

export function simProcess(parts: SimProcessParts, pid: number): SimProcess {
  const { clock, store, dice } = parts;
  const holder: Holder = { session: `p${pid}`, pid, pidStart: `start-${pid}`, host: 'here' };
  const offs = new Set<() => void>();
  let isAlive = true;

  const act = <T>(call: () => Promise<T>): Promise<T> => {
    if (!isAlive) return never();
    const isLast = dice.chance(parts.deathChance());
    if (isLast && dice.chance(0.5)) {
      self.kill();
      return never();
    }
    const done = call();
    if (isLast) {
      done.catch(() => undefined); // nobody is left to hear of it
      self.kill();
      return never();
    }
    return done.then(
      (value) => (isAlive ? value : never<T>()),
      (error: unknown) => (isAlive ? Promise.reject(error) : never<T>()),
    );
  };
  /** Reading changes nothing, so only the living matter. */
  const read = <T>(call: () => Promise<T>): Promise<T> => (isAlive ? call() : never());

  const self: SimProcess = {
    holder,
    act,
    isAlive: () => isAlive,
    kill() {
      if (!isAlive) return;
      isAlive = false;
      for (const off of offs) off();
      offs.clear();
      store.markDead(holder);
      parts.onDeath(self);
    },
    clock: {
      at: clock.at,
      mono: clock.mono,
      after(ms, fire) {
        if (!isAlive) return () => undefined;
        const off = clock.after(ms, () => {
          offs.delete(off);
          fire();
        });
        offs.add(off);
        return () => {
          offs.delete(off);
          off();
        };
      },
    },
    store: {
      ...store,
      append: (...entries) =>
        act(() => {
          if (parts.isDiskFull())
            return Promise.reject(new StoreError('disk-full', 'the disk is full', 'make room'));
          return store.append(...entries);
        }),
      read: (...what) => read(() => store.read(...what)),
      snapshot: (run) => read(() => store.snapshot(run)),
      inbox: (run) => read(() => store.inbox(run)),
      subscribe: (run, changed) => store.subscribe(run, () => isAlive && changed()),
      acquire: (key, by) => read(() => store.acquire(key, by)),
      renew: (lease) => read(() => store.renew(lease)),
      release: (lease) => read(() => store.release(lease)),
      noteChild: (run, child) => act(() => store.noteChild(run, child)),
      forgetChild: (run, child) => act(() => store.forgetChild(run, child)),
    },
  };
  return self;
}
