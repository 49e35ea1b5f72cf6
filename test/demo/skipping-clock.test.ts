import { describe, expect, it } from 'vitest';
import { makeSkippingClock } from '../../src/app/demo/skipping-clock.ts';

describe('the clock of the demo', () => {
  it('rings at once what comes due by skipping, once, and leaves the rest waiting', () => {
    const clock = makeSkippingClock();
    const rung: string[] = [];
    clock.after(60_000, () => rung.push('minute'));
    const callOff = clock.after(3_600_000, () => rung.push('hour'));
    clock.after(90_000, () => rung.push('called off'))();
    clock.skip(120_000);
    clock.skip(120_000);
    expect(rung).toEqual(['minute']);
    clock.skip(3_600_000);
    expect(rung).toEqual(['minute', 'hour']);
    callOff();
  });

  it('moves wall and monotonic time alike, from what was skipped before', () => {
    const clock = makeSkippingClock(50_000);
    const before = { at: clock.at(), mono: clock.mono() };
    expect(before.at).toBeGreaterThanOrEqual(Date.now() + 49_000);
    clock.skip(10_000);
    expect(clock.at() - before.at).toBeGreaterThanOrEqual(10_000);
    expect(clock.mono() - before.mono).toBeGreaterThanOrEqual(10_000);
    clock.skip(-5_000);
    expect(clock.at() - before.at).toBeGreaterThanOrEqual(10_000);
  });
});
