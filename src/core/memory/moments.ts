/** A stretch of time a question speaks of; `weight` is how sure that is. */
export interface Moment {
  readonly from: number;
  readonly until: number;
  /** The words it was read from. */
  readonly words: string;
  /** A month without a year: the latest one that has begun, unless all that is known is older. */
  readonly isYearless: boolean;
}

const dayMs = 86_400_000;
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const counts: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  couple: 2,
  few: 3,
};
const unitDays: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

const monthWord =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

type Reader = readonly [RegExp, (match: RegExpExecArray, nowAt: number) => readonly [number, number] | null];

/** Tried in this order; the first that reads the question wins. Days are days in UTC. */
const readers: readonly Reader[] = [
  [/\b(\d{4})-(\d\d)-(\d\d)\b/, ([, y, m, d]) => days(Date.UTC(Number(y), Number(m) - 1, Number(d)), 1)],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthWord}\\b(?:,? (\\d{4}))?`),
    ([, d, m, y], nowAt) => days(Date.UTC(yearOf(m, y, nowAt), monthOf(m), Number(d)), 1),
  ],
  [
    new RegExp(`\\b${monthWord} (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`),
    ([, m, d, y], nowAt) => days(Date.UTC(yearOf(m, y, nowAt), monthOf(m), Number(d)), 1),
  ],
  [
    new RegExp(
      `\\b(?:in|of|since|during|this|last|early|mid|late|middle of|end of)(?: the)? ${monthWord}\\b(?:,? (\\d{4}))?`,
    ),
    ([, m, y], nowAt) => monthSpan(yearOf(m, y, nowAt), monthOf(m)),
  ],
  [
    new RegExp(`\\b${monthWord},? (\\d{4})\\b`),
    ([, m, y], nowAt) => monthSpan(yearOf(m, y, nowAt), monthOf(m)),
  ],
  [
    /\b(january|february|april|june|july|august|september|october|november|december)\b/,
    ([, m], nowAt) => monthSpan(yearOf(m, undefined, nowAt), monthOf(m)),
  ],
  [/\b(?:today|this morning|tonight|this afternoon)\b/, (_, nowAt) => days(dayOf(nowAt), 1)],
  [/\b(?:yesterday|last night|last evening)\b/, (_, nowAt) => days(dayOf(nowAt) - dayMs, 2)],
  [
    /\b(?:(\d+)|(an?|one|two|three|four|five|six|couple|few)(?: of)?) (day|week|month|year)s? (?:ago|back)\b/,
    ([, digits, word, unit = 'day'], nowAt) => {
      const length = unitDays[unit] ?? 1;
      const back = Number(digits ?? counts[word ?? ''] ?? 1) * length;
      const slack = Math.max(1, Math.ceil(length / 2));
      return days(dayOf(nowAt) - (back + slack) * dayMs, 2 * slack + 1);
    },
  ],
  [/\bthis weekend\b/, (_, nowAt) => days(dayOf(nowAt) - 2 * dayMs, 3)],
  [/\blast weekend\b/, (_, nowAt) => days(dayOf(nowAt) - 9 * dayMs, 8)],
  [/\bthis week\b/, (_, nowAt) => days(dayOf(nowAt) - 6 * dayMs, 7)],
  [/\blast week\b/, (_, nowAt) => days(dayOf(nowAt) - 13 * dayMs, 13)],
  [/\b(?:this|past) month\b/, (_, nowAt) => days(dayOf(nowAt) - 30 * dayMs, 31)],
  [/\blast month\b/, (_, nowAt) => days(dayOf(nowAt) - 61 * dayMs, 56)],
  [/\bthis year\b/, (_, nowAt) => [Date.UTC(new Date(nowAt).getUTCFullYear(), 0), nowAt + dayMs]],
  [/\blast year\b/, (_, nowAt) => yearSpan(new Date(nowAt).getUTCFullYear() - 1)],
  [
    /\b(?:on|last|this) (sunday|monday|tuesday|wednesday|thursday|friday|saturday)\b/,
    ([, name = ''], nowAt) => {
      const back = (new Date(nowAt).getUTCDay() - weekdays.indexOf(name) + 7) % 7;
      return days(dayOf(nowAt) - back * dayMs, 1);
    },
  ],
  [/\b(?:in|during|of|since) ((?:19|20)\d\d)\b/, ([, y]) => yearSpan(Number(y))],
  [/\b(?:recently|lately|the other day)\b/, (_, nowAt) => days(dayOf(nowAt) - 14 * dayMs, 15)],
];

const named = new RegExp(`\\b${monthWord}\\b`);

/** The same time of an earlier year. */
export function yearsEarlier(moment: Moment, years: number): Moment {
  const back = (at: number): number => {
    const then = new Date(at);
    return then.setUTCFullYear(then.getUTCFullYear() - years);
  };
  return { ...moment, from: back(moment.from), until: back(moment.until) };
}

/** The time a question speaks of, if it names one. */
export function momentIn(question: string, nowAt: number): Moment | null {
  const text = question.toLowerCase();
  for (const [pattern, read] of readers) {
    const match = pattern.exec(text);
    const span = match === null ? null : read(match, nowAt);
    if (match !== null && span !== null) {
      const isYearless = named.test(match[0]) && !/\d{4}/.test(match[0]);
      return { from: span[0], until: span[1], words: match[0], isYearless };
    }
  }
  return null;
}

/** 1 inside the moment, fading outside within its own length (at least three days), 0 far away. */
export function nearness(moment: Moment, at: number): number {
  const away = at < moment.from ? moment.from - at : at >= moment.until ? at - moment.until : 0;
  const fadeMs = Math.max(3 * dayMs, moment.until - moment.from);
  return Math.max(0, 1 - away / fadeMs);
}

const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;
const days = (from: number, count: number): readonly [number, number] => [from, from + count * dayMs];
const monthSpan = (year: number, month: number): readonly [number, number] => [
  Date.UTC(year, month),
  Date.UTC(year, month + 1),
];
const yearSpan = (year: number): readonly [number, number] => [Date.UTC(year, 0), Date.UTC(year + 1, 0)];

function monthOf(word: string | undefined): number {
  return months.findIndex((name) => name.startsWith((word ?? '').slice(0, 3)));
}

/** A month without a year is the last one that has begun. */
function yearOf(month: string | undefined, year: string | undefined, nowAt: number): number {
  if (year !== undefined) return Number(year);
  const now = new Date(nowAt);
  return monthOf(month) > now.getUTCMonth() ? now.getUTCFullYear() - 1 : now.getUTCFullYear();
}
