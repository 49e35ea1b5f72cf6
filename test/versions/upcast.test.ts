import { describe, expect, it } from 'vitest';
import { entryVersion } from '../../src/contract/index.ts';
import { type Upcast, upcast } from '../../src/contract/upcast.ts';

const entry = { v: 1, run: 'r1', seq: 7, at: 1, mono: 1, event: { type: 'keeper-ended', because: 'x' } };
const renamed: Upcast = ({ event, ...rest }) => ({ ...rest, v: 2, heard: event });
const wrapped: Upcast = ({ heard, ...rest }) => ({
  ...rest,
  v: 3,
  event: { ...(heard as object), is: 'old' },
});

describe('a stored entry', () => {
  it('of today is left as it is', () => {
    const today = { ...entry, v: entryVersion };
    expect(upcast(today)).toBe(today);
  });

  it('of an older version is lifted step by step, and its own object stays', () => {
    const before = structuredClone(entry);
    expect(upcast(entry, [renamed, wrapped])).toEqual({
      ...entry,
      v: 3,
      event: { ...entry.event, is: 'old' },
    });
    expect(
      upcast({ ...entry, v: 2, heard: entry.event, event: undefined }, [renamed, wrapped]),
    ).toMatchObject({
      ...{ v: 3, event: { type: 'keeper-ended', is: 'old' } },
    });
    expect(entry).toEqual(before);
  });

  it('of a newer version is refused, with what to do', () => {
    expect(() => upcast({ ...entry, v: entryVersion + 1 })).toThrow(
      expect.objectContaining({
        fault: 'newer',
        message: `entry 7 of run r1 was written by a newer Tireless (entry format ${entryVersion + 1}, this one reads up to ${entryVersion})`,
      }),
    );
  });

  it.each([
    { ...entry, v: undefined },
    { ...entry, v: '1' },
    { ...entry, v: 0 },
    { ...entry, v: 1.5 },
    null,
    7,
  ])('without a version is refused: %j', (raw) => {
    expect(() => upcast(raw)).toThrow(expect.objectContaining({ fault: 'corrupt' }));
  });
});
