import type { Clock } from '../contract/index.ts';
import type { Run } from '../core/index.ts';

type Timer = Run['timers'][string];

/** Longest stretch a wall-clock timer sleeps before it looks at the clock again: the wall may jump. */
const wallLookMs = 60_000;

export interface Timers {
  /** Arms what the run has and this process has not yet, disarms what the run no longer has. Overdue ones fire at once, in order. */
  sync(timers: Run['timers']): void;
  clear(): void;
}

/** The run's timers on a real (or simulated) clock. What is due is the run's to say; here it only rings. */
export function makeTimers(clock: Clock, fired: (name: string, effect: string) => void): Timers {
  const armed = new Map<string, { effect: string; off: () => void }>();

  const arm = (name: string, timer: Timer): void => {
    const left = timer.clock === 'wall' ? timer.dueAt - clock.at() : timer.dueAt - clock.mono();
    const sleep = timer.clock === 'wall' ? Math.min(left, wallLookMs) : left;
    const ring = (): void => {
      const early = timer.clock === 'wall' && clock.at() < timer.dueAt;
      if (early) {
        arm(name, timer);
        return;
      }
      // It stays known as rung until the run has heard of it: one timer, one event.
      armed.set(name, { effect: timer.effect, off: () => undefined });
      fired(name, timer.effect);
    };
    armed.set(name, { effect: timer.effect, off: clock.after(Math.max(0, sleep), ring) });
  };

  return {
    sync(timers) {
      for (const [name, { effect, off }] of armed) {
        if (timers[name]?.effect === effect) continue;
        off();
        armed.delete(name);
      }
      const missing = Object.entries(timers).filter(([name]) => !armed.has(name));
      for (const [name, timer] of missing.sort(([, a], [, b]) => a.dueAt - b.dueAt)) arm(name, timer);
    },
    clear() {
      for (const { off } of armed.values()) off();
      armed.clear();
    },
  };
}
