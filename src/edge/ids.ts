import { randomBytes } from 'node:crypto';

/** Letters and digits that people do not mistake for one another when they read an id aloud or type it. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

const rowsPerMsMax = 36 ** 4;

export interface Ids {
  /** `YYYYMMDD-HHMMSS-xxrrrr` in UTC: sorts by time down to the millisecond, short enough to type. */
  run(): string;
  /** Sorts in the order this process drew them, and by time between processes. */
  row(): string;
}

export interface IdParts {
  at(): number;
  random(bytes: number): Uint8Array;
}

/** Draws ids from a given clock and dice. Row ids never go backwards, also when the wall clock does. */
export function makeIds({ at, random }: IdParts = { at: Date.now, random: randomBytes }): Ids {
  let lastAt = 0;
  let drawn = 0;
  const draw = (count: number) =>
    Array.from(random(count), (byte) => letters[byte % letters.length]).join('');
  return {
    run: () => {
      const now = at();
      const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(new Date(now).toISOString()) ?? [];
      const ms = base36(now % 1_000, 2);
      return `${date?.replaceAll('-', '')}-${time?.replaceAll(':', '')}-${ms}${draw(4)}`;
    },
    row: () => {
      const now = Math.max(at(), lastAt);
      drawn = now === lastAt ? drawn + 1 : 0;
      // A count that outgrew its digits would no longer sort: borrow the next millisecond.
      lastAt = drawn === rowsPerMsMax ? now + 1 : now;
      drawn %= rowsPerMsMax;
      return `${base36(lastAt, 9)}-${base36(drawn, 4)}-${draw(8)}`;
    },
  };
}

function base36(value: number, length: number): string {
  return Math.floor(value).toString(36).padStart(length, '0');
}
