import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeIds } from '../../src/edge/ids.ts';

const at = Date.parse('2031-05-01T07:30:09.123Z');
const zeros = (bytes: number) => new Uint8Array(bytes);

describe('a run id', () => {
  it('is the moment in UTC, its milliseconds and four letters of chance', () => {
    expect(makeIds({ at: () => at, random: zeros }).run()).toBe('20310501-073009-3f0000');
    expect(makeIds().run()).toMatch(/^\d{8}-\d{6}-[0-9a-z]{2}[0-9a-hjkmnp-tv-z]{4}$/);
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 4e9 }),
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        (first, later, dice) => {
          const early = makeIds({ at: () => first, random: (n) => dice.slice(0, n) }).run();
          const late = makeIds({ at: () => first + later, random: (n) => dice.slice(8 - n) }).run();
          expect(early < late).toBe(true);
        },
      ),
    );
  });

  it('differs between runs of one millisecond', () => {
    const ids = makeIds({ at: () => at, random: makeDice() });
    expect(new Set(Array.from({ length: 50 }, () => ids.run()))).toHaveProperty('size', 50);
  });
});

describe('a row id', () => {
  it('keeps the order in which one process drew them, also when the clock goes back', () => {
    let now = at;
    const ids = makeIds({ at: () => now, random: zeros });
    const drawn: string[] = [];
    for (const step of [0, 0, 0, 5, -1_000, 0, 3, 2_000]) {
      now += step;
      drawn.push(ids.row());
    }
    expect([...drawn].sort()).toEqual(drawn);
    expect(new Set(drawn)).toHaveProperty('size', drawn.length);
  });

  it('sorts by time between processes, and differs within one millisecond', () => {
    const early = makeIds({ at: () => at, random: makeDice(1) }).row();
    const same = makeIds({ at: () => at, random: makeDice(2) }).row();
    const late = makeIds({ at: () => at + 1, random: zeros }).row();
    expect(early < late && same < late).toBe(true);
    expect(early).not.toBe(same);
  });

  it('still sorts when more are drawn in one millisecond than its digits can count', () => {
    const ids = makeIds({ at: () => at, random: () => new Uint8Array(0) });
    let last = '';
    for (let n = 0; n < 36 ** 4 + 3; n++) {
      const next = ids.row();
      if (!(last < next)) expect(last < next, `${last} < ${next}`).toBe(true);
      last = next;
    }
  });
});

/** Chance that is the same in every test run. */
function makeDice(seed = 1) {
  let state = seed;
  return (bytes: number) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    });
}
