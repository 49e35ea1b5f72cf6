import type { Clock } from '../contract/index.ts';

interface Alarm {
  readonly due: number;
  readonly fire: () => void;
}

/** A clock that moves only when told to. Wall and monotonic time move together until somebody makes the wall jump. */
export interface SimulatedClock extends Clock {
  /** Moves to the next alarm and fires it; false when nothing is due within `withinMs`. */
  next(withinMs?: number): boolean;
  advance(ms: number): void;
  /** The wall clock is set; monotonic time knows nothing of it. */
  jumpWall(ms: number): void;
  /** The machine slept: the wall moved on, alarms did not ring meanwhile. `countedMs` is what monotonic time noticed of it. */
  sleep(ms: number, countedMs?: number): void;
  alarms(): number;
}

export function simulatedClock(startAt = Date.UTC(2026, 0, 1)): SimulatedClock {
  let mono = 1_000_000;
  let wallOffset = startAt - mono;
  /** In order of ringing; what is due at the same time rings in order of asking. */
  const alarms: Alarm[] = [];
  const clock: SimulatedClock = {
    at: () => mono + wallOffset,
    mono: () => mono,
    after(ms, fire) {
      const alarm: Alarm = { due: mono + Math.max(0, ms), fire };
      let place = alarms.length;
      while (place > 0 && (alarms[place - 1] as Alarm).due > alarm.due) place -= 1;
      alarms.splice(place, 0, alarm);
      return () => {
        const found = alarms.indexOf(alarm);
        if (found !== -1) alarms.splice(found, 1);
      };
    },
    next(withinMs = Number.POSITIVE_INFINITY) {
      const alarm = alarms[0];
      if (alarm === undefined || alarm.due > mono + withinMs) return false;
      alarms.shift();
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
    sleep(ms, countedMs = 0) {
      mono += countedMs;
      wallOffset += ms - countedMs;
    },
    alarms: () => alarms.length,
  };
  return clock;
}
