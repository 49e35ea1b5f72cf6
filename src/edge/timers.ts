import type { Clock } from '../contract/index.ts';
import type { Run } from '../core/index.ts';
import { afterWall } from './clock.ts';

type Timer = Run['timers'][string];

export interface Timers {
  /** Arms what the run has and this process has not yet, disarms what the run no longer has. Overdue ones fire at once, in order. */
  sync(timers: Run['timers']): void;
  clear(): void;
}

/** The run's timers on a real (or simulated) clock. What is due is the run's to say; here it only rings. */
export function makeTimers(clock: Clock, fired: (name: string, effect: string) => void): Timers {
  const armed = new Map<string, { effect: string; off: () => void }>();

  const arm = (name: string, { clock: kind, dueAt, effect }: Timer): void => {
    const ring = (): void => {
      // It stays known as rung until the run has heard of it: one timer, one event.
      armed.set(name, { effect, off: () => undefined });
      fired(name, effect);
    };
    const off =
      kind === 'wall' ? afterWall(clock, dueAt, ring) : clock.after(Math.max(0, dueAt - clock.mono()), ring);
    armed.set(name, { effect, off });
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
