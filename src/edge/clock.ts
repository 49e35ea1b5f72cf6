import { uptime } from 'node:os';
import type { Clock } from '../contract/ports.ts';

/** What a clock is made of; tests bring their own. */
export interface ClockParts {
  /** Wall time in ms. */
  wall(): number;
  /** Monotonic time in ns, the same count for every process since the machine started. */
  monoNs(): bigint;
  /** Calls `wake` after about `ms`; returns how to call it off. */
  wakeAfter(ms: number, wake: () => void): () => void;
}

/**
 * Longest single wait. Timers of the runtime overflow at 2^31 ms, and on some systems they stand still while the
 * machine sleeps although monotonic time went on: looking again after at most this long keeps both right.
 */
export const waitMsMax = 60_000;

const machine: ClockParts = {
  wall: () => Date.now(),
  monoNs: () => process.hrtime.bigint(),
  wakeAfter: (ms, wake) => {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/** The clock of this machine. Monotonic times can be compared between processes until the machine restarts. */
export function makeClock(parts: ClockParts = machine): Clock {
  const mono = () => Number(parts.monoNs() / 1_000n) / 1_000;
  return {
    at: () => parts.wall(),
    mono,
    after: (ms, fire) => {
      const dueMono = mono() + ms;
      return waitUntil(() => dueMono - mono(), parts.wakeAfter, fire);
    },
  };
}

/** Calls `fire` once when the wall clock reaches `dueAt`, soon after waking when the machine slept through it, also when the clock is set. */
export function afterWall(clock: Clock, dueAt: number, fire: () => void): () => void {
  return waitUntil(() => dueAt - clock.at(), clock.after, fire);
}

function waitUntil(
  remainingMs: () => number,
  wakeAfter: ClockParts['wakeAfter'],
  fire: () => void,
): () => void {
  if (Number.isNaN(remainingMs())) throw new RangeError('a timer needs a number of milliseconds');
  const wait = () => wakeAfter(Math.min(Math.max(Math.ceil(remainingMs()), 0), waitMsMax), wake);
  // The runtime may wake us a little early; firing early could find a deadline not yet passed.
  const wake = () => {
    if (remainingMs() > 0) callOff = wait();
    else fire();
  };
  let callOff = wait();
  return () => callOff();
}

export interface Slept {
  /** How long the machine slept, as a person would say it. */
  readonly sleptMs: number;
  /** The part that monotonic time counted, by which deadlines on it must be extended; on Linux it stands still and this is 0. */
  readonly countedMs: number;
}

export interface SleepWatch {
  readonly tickMs?: number;
  /** Shorter gaps are a busy machine. */
  readonly gapMsMin?: number;
  /** Ms since the machine started, sleep included; tells sleep from a wall clock that was set forward. */
  readonly sinceBootMs?: () => number;
  /** The wall clock was set, by this much; negative: back. */
  onClockSet?(byMs: number): void;
}

/**
 * Notices that the machine slept: monotonic time stood still while the wall clock went on, or our tick came very late.
 * A wall clock that was set back is never taken for sleep, and does not hide it.
 */
export function watchSleep(
  clock: Clock,
  onSlept: (slept: Slept) => void,
  watch: SleepWatch = {},
): () => void {
  const { tickMs = 5_000, gapMsMin = 10_000, sinceBootMs } = watch;
  const look = () => ({ at: clock.at(), mono: clock.mono(), boot: sinceBootMs?.() });
  const gap = (ms: number) => (ms >= gapMsMin ? ms : 0);
  let last = look();
  let callOff = clock.after(tickMs, tick);
  let over = false;

  function tick(): void {
    const now = look();
    const monoMs = now.mono - last.mono;
    const wallMs = now.at - last.at;
    const lastedMs = now.boot === undefined || last.boot === undefined ? wallMs : now.boot - last.boot;
    const countedMs = gap(monoMs - tickMs);
    const uncountedMs = gap(lastedMs - monoMs);
    const setMs = wallMs - monoMs - uncountedMs;
    last = now;
    if (countedMs + uncountedMs > 0) onSlept({ sleptMs: countedMs + uncountedMs, countedMs });
    if (Math.abs(setMs) >= gapMsMin) watch.onClockSet?.(setMs);
    if (!over) callOff = clock.after(tickMs, tick);
  }
  return () => {
    over = true;
    callOff();
  };
}

/** Ms since this machine started, sleep included; undefined where the system counts it from the wall clock. */
export function bootTime(): (() => number) | undefined {
  return process.platform === 'linux' ? () => uptime() * 1_000 : undefined;
}
