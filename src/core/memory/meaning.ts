import type { FoundMemory } from '../../contract/memory.ts';

/** How much the likeness of meaning counts beside the words. */
const meaningShare = 0.5;

/** Likeness of two vectors, from -1 to 1; 0 where it cannot be told. */
export function likeness(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let [dot, aa, bb] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const y = b[at] as number;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  const size = Math.sqrt(aa * bb);
  return size > 0 && Number.isFinite(size) ? dot / size : 0;
}

/**
 * Answers found by their words, put in order by words and meaning together. The best by words stays among them,
 * whatever a model thinks of it. Scores are shares of the best from here on.
 */
export function byMeaning(
  found: readonly FoundMemory[],
  likenessOf: ReadonlyMap<string, number>,
  limit: number,
): FoundMemory[] {
  const top = Math.max(...found.map(({ score }) => score), 0);
  const known = [...likenessOf.values()];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const ranked = found
    .map((one) => {
      const words = top === 0 ? 0 : one.score / top;
      const alike = likenessOf.get(one.id);
      const meaning = alike === undefined || most <= least ? 0 : (alike - least) / (most - least);
      const score = Number((words * (1 - meaningShare) + meaning * meaningShare).toFixed(4));
      const why = `${one.why}; meaning ${alike === undefined ? 'unknown' : alike.toFixed(3)}, words ${words.toFixed(2)} of the best`;
      return { ...one, score, why };
    })
    .sort((a, b) => b.score - a.score);
  const chosen = ranked.slice(0, limit);
  const best = ranked.find(({ id }) => id === found[0]?.id);
  if (best !== undefined && !chosen.includes(best) && limit > 1) chosen[limit - 1] = best;
  return chosen;
}
