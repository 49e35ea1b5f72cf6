import type { MemoryType } from '../../contract/memory.ts';

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
