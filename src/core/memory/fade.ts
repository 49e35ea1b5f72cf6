import type { Memory, MemoryType } from '../../contract/memory.ts';

const dayMs = 86_400_000;

/** Days after which half of a memory's freshness is gone. A preference holds until it is replaced. */
const halfLifeDays: Readonly<Record<MemoryType, number>> = {
  preference: Number.POSITIVE_INFINITY,
  mistake: 365,
  procedure: 180,
  fact: 120,
  observation: 30,
};

/** How fresh a memory is, 1 when new, towards 0; it only ever shifts what is about equally relevant. */
export function freshness(type: MemoryType, at: number, nowAt: number): number {
  const days = Math.max(0, nowAt - at) / dayMs;
  return 0.5 ** (days / halfLifeDays[type]);
}

/** What is worth knowing whatever the question is: the important and fresh first. */
export const byStanding = <T extends Memory>(memories: readonly T[], nowAt: number): T[] => {
  const standing = ({ type, at, importance }: Memory): number => importance * freshness(type, at, nowAt);
  return memories.toSorted((a, b) => standing(b) - standing(a));
};

/** An observation nobody needed for this long, in ms, may be forgotten. */
export const prunedAfterMs = 365 * dayMs;
/** What was called more important than this, or given to an agent more than once, is never pruned. */
const prunedImportanceMax = 0.5;
const prunedAccessedMax = 1;

/**
 * Why a memory may be forgotten by itself, or null. Only observations made in a run fade away: a mistake, a fact or a
 * wish stays, and so does whatever a person wrote.
 */
export function whyFaded({ type, at, importance, accessed, source }: Memory, nowAt: number): string | null {
  if (source === undefined || type !== 'observation' || nowAt - at < prunedAfterMs) return null;
  if (importance > prunedImportanceMax || accessed > prunedAccessedMax) return null;
  const times = accessed === 0 ? 'never' : accessed === 1 ? 'once' : `${accessed} times`;
  return `faded: observed ${Math.floor((nowAt - at) / dayMs)} days ago, and ${times} given to an agent since`;
}
