import type { Effect, Entry } from '../contract/index.ts';

/** The id of an entry's n-th effect. It is derived, so a replay gives the same one. */
export const effectId = (run: string, seq: number, n: number): string => `${run}/${seq}/${n}`;

/** Is this the id of an effect of this run? */
export const isEffectOf = (run: string, id: string | undefined): boolean =>
  id?.startsWith(`${run}/`) === true;

/** The effects an entry set out to do, with their ids. */
export const effectsOf = (entry: Entry): readonly { readonly id: string; readonly effect: Effect }[] =>
  (entry.effects ?? []).map((effect, n) => ({ id: effectId(entry.run, entry.seq, n), effect }));
