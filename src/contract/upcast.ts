import type { Entry } from './entry.ts';
import { StoreError } from './errors.ts';

type Raw = Readonly<Record<string, unknown>>;

/** Makes an entry of one version into the same entry of the next. */
export type Upcast = (entry: Raw) => Raw;

/** The first makes version 2 of version 1, and so on up to `entryVersion`. What stands here once stays. */
const upcasts: readonly Upcast[] = [];

/**
 * A stored entry as today's code knows it. The chain is checked on the stored text, which is never rewritten, so this
 * comes after. An entry of a newer version, or of none, is refused.
 */
export function upcast(raw: unknown, known: readonly Upcast[] = upcasts): Entry {
  const newest = known.length + 1;
  const { v, run, seq } = (raw ?? {}) as Raw;
  const which = `entry ${seq} of run ${run}`;
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1)
    throw new StoreError(
      'corrupt',
      `${which} names no version of its format`,
      'Nothing was changed. `tireless doctor` looks at the whole ledger.',
    );
  if (v > newest)
    throw new StoreError(
      'newer',
      `${which} was written by a newer Tireless (entry format ${v}, this one reads up to ${newest})`,
      'Use the newer version. Nothing was changed.',
    );
  return known.slice(v - 1).reduce<Raw>((entry, lift) => lift(entry), raw as Raw) as unknown as Entry;
}
