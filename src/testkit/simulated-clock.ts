import type { Clock } from '../contract/index.ts';

interface Alarm {
  readonly due: number;
  readonly order: number;
  readonly fire: () => void;
}

/** A clock that moves only when told to. Wall and monotonic time move together until somebody makes the wall jump. */
export interface SimulatedClock extends Clock {
  /** Moves to the next alarm and fires it; false when nothing is due within `withinMs`. */
  next(withinMs?: number): boolean;
  advance(ms: number): void;
  /** The wall clock is set; monotonic time knows nothing of it. */
  jumpWall(ms: number): void;
  /** The machine slept: the wall moved on, alarms did not ring meanwhile. */
  sleep(ms: number): void;
  alarms(): number;
}

export function simulatedClock(startAt = Date.UTC(2026, 0, 1)): SimulatedClock {
  let mono = 1_000_000;
  let wallOffset = startAt - mono;
  let order = 0;
  let alarms: Alarm[] = [];
  const earliest = (): Alarm | undefined =>
    alarms.reduce<Alarm | undefined>(
      (a, b) => (a === undefined || b.due < a.due || (b.due === a.due && b.order < a.order) ? b : a),
      undefined,
    );
  const clock: SimulatedClock = {
    at: () => mono + wallOffset,
    mono: () => mono,
    after(ms, fire) {
      order += 1;
      const alarm: Alarm = { due: mono + Math.max(0, ms), order, fire };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((a) => a !== alarm);
      };
    },
    next(withinMs = Number.POSITIVE_INFINITY) {
      const alarm = earliest();
      if (alarm === undefined || alarm.due > mono + withinMs) return false;
      alarms = alarms.filter((a) => a !== alarm);
      mono = Math.max(mono, alarm.due);
      alarm.fire();
      return true;
    },
    advance(ms) {
      const end = mono + ms;
      while (clock.next(end - mono));
      mono = end;
    },
    jumpWall(ms) {
      wallOffset += ms;
    },
    sleep(ms) {
      wallOffset += ms;
    },
    alarms: () => alarms.length,
  };
  return clock;
}
