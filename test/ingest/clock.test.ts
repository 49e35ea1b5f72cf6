import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/contract/ports.ts';
import { afterWall, bootTime, makeClock, type Slept, waitMsMax, watchSleep } from '../../src/edge/clock.ts';
import { makeTimers } from '../../src/edge/timers.ts';

/** A machine whose clocks and timers move only when told. */
function machine({ monoSleeps = true } = {}) {
  let wall = 1_000_000;
  let mono = 5_000;
  let boot = 5_000;
  const timers = new Set<{ due: number; wake: () => void }>();
  const waits: number[] = [];
  const advance = (ms: number) => {
    const end = mono + ms;
    for (;;) {
      const next = [...timers].sort((a, b) => a.due - b.due)[0];
      if (!next || next.due > end) break;
      const step = Math.max(0, next.due - mono);
      [wall, mono, boot] = [wall + step, mono + step, boot + step];
      timers.delete(next);
      next.wake();
    }
    const rest = end - mono;
    [wall, mono, boot] = [wall + rest, mono + rest, boot + rest];
  };
  const clock = makeClock({
    wall: () => wall,
    monoNs: () => BigInt(Math.round(mono * 1_000_000)),
    wakeAfter: (ms, wake) => {
      waits.push(ms);
      const timer = { due: mono + ms, wake };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  return {
    clock,
    waits,
    timers,
    advance,
    sinceBootMs: () => boot,
    /** The machine sleeps: timers stand still, and on Linux monotonic time too. */
    sleep: (ms: number) => {
      wall += ms;
      boot += ms;
      if (monoSleeps) return;
      mono += ms;
      for (const timer of timers) timer.due += ms;
    },
    setWall: (byMs: number) => {
      wall += byMs;
    },
    /** The runtime wakes us early by this much. */
    wakeEarly: (ms: number) => {
      for (const timer of timers) timer.due -= ms;
    },
  };
}

describe('the clock', () => {
  it('fires once, after the time asked for and never before', () => {
    const { clock, advance, wakeEarly } = machine();
    let fired = 0;
    clock.after(1_000, () => fired++);
    wakeEarly(2);
    advance(998);
    expect(fired).toBe(0);
    advance(1);
    expect(fired).toBe(0);
    advance(1);
    expect(fired).toBe(1);
    advance(10_000);
    expect(fired).toBe(1);
  });

  it('stays right for delays the runtime cannot count, in waits it can', () => {
    const { clock, advance, waits } = machine();
    const days40 = 40 * 86_400_000;
    let fired = 0;
    clock.after(days40, () => fired++);
    advance(days40 - 1);
    expect(fired).toBe(0);
    advance(1);
    expect(fired).toBe(1);
    expect(Math.max(...waits)).toBe(waitMsMax);
  });

  it('can be called off, before and between its waits', () => {
    const { clock, advance, timers } = machine();
    let fired = 0;
    const callOff = clock.after(3 * waitMsMax, () => fired++);
    advance(waitMsMax + 1);
    callOff();
    expect(timers.size).toBe(0);
    advance(10 * waitMsMax);
    expect(fired).toBe(0);
  });

  it('fires soon after waking where monotonic time went on while the machine slept', () => {
    const { clock, advance, sleep } = machine({ monoSleeps: false });
    let fired = 0;
    clock.after(3_600_000, () => fired++);
    sleep(7_200_000);
    advance(waitMsMax);
    expect(fired).toBe(1);
  });

  it('fires at once for a delay of nothing or less, never for ever, and refuses what is no number', () => {
    const { clock, advance } = machine();
    let fired = 0;
    clock.after(0, () => fired++);
    clock.after(-5, () => fired++);
    clock.after(Number.POSITIVE_INFINITY, () => fired++);
    advance(10 * waitMsMax);
    expect(fired).toBe(2);
    expect(() => clock.after(Number.NaN, () => {})).toThrow(RangeError);
  });

  it('reaches a wall time slept through soon after waking, and follows a clock that was set', () => {
    const { clock, advance, sleep, setWall } = machine();
    const fired: string[] = [];
    afterWall(clock, clock.at() + 8 * 3_600_000, () => fired.push('slept'));
    sleep(8 * 3_600_000);
    advance(waitMsMax);
    expect(fired).toEqual(['slept']);
    afterWall(clock, clock.at() + 100_000, () => fired.push('set'));
    setWall(-50_000);
    advance(149_000);
    expect(fired).toEqual(['slept']);
    advance(1_000);
    expect(fired).toEqual(['slept', 'set']);
  });

  it('rings the wall timer of a run at its time, not when it next looks at the wall', () => {
    const { clock, advance, setWall } = machine();
    const rung: string[] = [];
    const timers = makeTimers(clock, (name) => rung.push(name));
    timers.sync({
      soon: { clock: 'wall', dueAt: clock.at() + 5_000, afterMs: 0, effect: 'e1' },
      late: { clock: 'wall', dueAt: clock.at() + waitMsMax + 5_000, afterMs: 0, effect: 'e2' },
      gone: { clock: 'wall', dueAt: clock.at() - 1, afterMs: 0, effect: 'e3' },
    });
    advance(4_999);
    expect(rung).toEqual(['gone']);
    advance(1);
    expect(rung).toEqual(['gone', 'soon']);
    setWall(1_000);
    advance(waitMsMax - 1_001);
    expect(rung).toEqual(['gone', 'soon']);
    advance(1);
    expect(rung).toEqual(['gone', 'soon', 'late']);
  });

  it('of this machine can be compared between processes', () => {
    const before = makeClock().mono();
    const script = 'console.log(Number(process.hrtime.bigint() / 1000n) / 1000)';
    const other = Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
    const after = makeClock().mono();
    expect(before).toBeLessThan(other);
    expect(other).toBeLessThan(after);
    expect(Math.abs(makeClock().at() - Date.now())).toBeLessThan(1_000);
  });

  it('of this machine waits as long as asked', async () => {
    const clock = makeClock();
    const start = clock.mono();
    await new Promise<void>((resolve) => clock.after(15, resolve));
    expect(clock.mono() - start).toBeGreaterThanOrEqual(15);
  });

  it('of this machine knows the time since it started, if the system counts sleep', () => {
    const sinceBoot = bootTime()?.();
    if (process.platform === 'linux')
      expect(Math.abs((sinceBoot ?? 0) - makeClock().mono())).toBeLessThan(30 * 86_400_000);
    else expect(sinceBoot).toBeUndefined();
  });
});

describe('watching for sleep', () => {
  function watched(made: ReturnType<typeof machine>, withBoot = false) {
    const slept: Slept[] = [];
    const set: number[] = [];
    const end = watchSleep(made.clock, (one) => slept.push(one), {
      onClockSet: (ms) => set.push(ms),
      sinceBootMs: withBoot ? made.sinceBootMs : undefined,
    });
    return { slept, set, end };
  }

  it('hears nothing in hours of ordinary time', () => {
    const made = machine();
    const { slept, set } = watched(made);
    made.advance(10 * 3_600_000);
    expect([slept, set]).toEqual([[], []]);
  });

  it.each([true, false])(
    'reports how long it slept where monotonic time stood still (time since boot known: %s)',
    (withBoot) => {
      const made = machine();
      const { slept, set } = watched(made, withBoot);
      made.advance(12_000);
      made.sleep(3_600_000);
      made.advance(12_000);
      expect(slept).toEqual([{ sleptMs: 3_600_000, countedMs: 0 }]);
      expect(set).toEqual([]);
    },
  );

  it('reports it once, as counted, where monotonic time went on', () => {
    const made = machine({ monoSleeps: false });
    const { slept } = watched(made);
    made.advance(12_000);
    made.sleep(3_600_000);
    made.advance(12_000);
    expect(slept).toEqual([{ sleptMs: 3_600_000, countedMs: 3_600_000 }]);
  });

  it('does not take a clock set back for sleep', () => {
    const made = machine();
    const { slept, set } = watched(made);
    made.setWall(-3_600_000);
    made.advance(20_000);
    expect(slept).toEqual([]);
    expect(set).toEqual([-3_600_000]);
  });

  it('sees sleep that a clock set back would hide, where time since boot is known', () => {
    const made = machine();
    const { slept, set } = watched(made, true);
    made.sleep(3_600_000);
    made.setWall(-7_200_000);
    made.advance(20_000);
    expect(slept).toEqual([{ sleptMs: 3_600_000, countedMs: 0 }]);
    expect(set).toEqual([-7_200_000]);
  });

  it('tells a clock set forward from sleep where time since boot is known, and is careful where not', () => {
    const known = machine();
    const one = watched(known, true);
    known.setWall(3_600_000);
    known.advance(20_000);
    expect([one.slept, one.set]).toEqual([[], [3_600_000]]);
    const unknown = machine();
    const two = watched(unknown);
    unknown.setWall(3_600_000);
    unknown.advance(20_000);
    expect(two.slept).toEqual([{ sleptMs: 3_600_000, countedMs: 0 }]);
  });

  it('lets a short stall of a busy machine pass', () => {
    const made = machine({ monoSleeps: false });
    const { slept } = watched(made);
    made.sleep(4_000);
    made.advance(20_000);
    expect(slept).toEqual([]);
  });

  it('ends when told, also from inside', () => {
    const made = machine();
    const { end } = watched(made);
    end();
    expect(made.timers.size).toBe(0);
    const fromInside = machine();
    const stop = watchSleep(fromInside.clock as Clock, () => stop());
    fromInside.sleep(3_600_000);
    fromInside.advance(20_000);
    expect(fromInside.timers.size).toBe(0);
  });
});
