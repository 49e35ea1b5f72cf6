/** The first and the last of something that may have been very long: what people look at, in bounded memory. */
export interface Excerpt<T> {
  readonly shown: readonly T[];
  readonly total: number;
  /** Index in `shown` before which the rest was left out; null when nothing was. */
  readonly gapAt: number | null;
}

/** Keeps the first `headMax` and the last `tailMax` of what is added. */
export function firstAndLast<T>(headMax: number, tailMax: number): { add(item: T): void; end(): Excerpt<T> } {
  const head: T[] = [];
  // A ring: the oldest of the tail stands at `at`.
  const tail: T[] = [];
  let at = 0;
  let total = 0;
  return {
    add(item) {
      total += 1;
      if (head.length < headMax) head.push(item);
      else if (tail.length < tailMax) tail.push(item);
      else {
        tail[at] = item;
        at = (at + 1) % tailMax;
      }
    },
    end: () => ({
      shown: [...head, ...tail.slice(at), ...tail.slice(0, at)],
      total,
      gapAt: total > headMax + tailMax ? headMax : null,
    }),
  };
}

/** The same excerpt of something else. */
export const mapExcerpt = <A, B>(
  { shown, total, gapAt }: Excerpt<A>,
  to: (a: A, index: number) => B,
): Excerpt<B> => ({ shown: shown.map(to), total, gapAt });

/** How often each of a few names came; what comes after the `namesMax`-th name is counted together as `other`. */
export interface Tally {
  add(name: string): void;
  end(): readonly { readonly name: string; readonly times: number }[];
  /** The same where each name is two words, of which the second is a rule. */
  pairs<A extends string>(): readonly { readonly of: A; readonly rule: string; readonly times: number }[];
}

export function tallied(namesMax: number): Tally {
  const counts = new Map<string, number>();
  const end: Tally['end'] = () =>
    [...counts]
      .map(([name, times]) => ({ name, times }))
      .sort((a, b) => b.times - a.times || (a.name < b.name ? -1 : 1));
  return {
    add(name) {
      const kept = counts.has(name) || counts.size < namesMax ? name : 'other';
      counts.set(kept, (counts.get(kept) ?? 0) + 1);
    },
    end,
    pairs: <A extends string>() =>
      end().map(({ name, times }) => {
        const [of = '', rule = 'other'] = name.split(' ');
        return { of: of as A, rule, times };
      }),
  };
}

/** The first `charsMax` characters, with a mark when there were more. Never half a character. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const end = /[\uD800-\uDBFF]/.test(text[charsMax - 1] ?? '') ? charsMax - 1 : charsMax;
  return `${text.slice(0, end)}…`;
}

/** The last `charsMax` characters: where programs say what went wrong. */
export function cutFront(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const from = text.length - charsMax;
  const start = /[\uDC00-\uDFFF]/.test(text[from] ?? '') ? from + 1 : from;
  return `…${text.slice(start)}`;
}
