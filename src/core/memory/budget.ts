import { memoriesMax, memoryTokensMax } from '../../contract/constants.ts';
import type { FoundMemory } from '../../contract/memory.ts';

const charsPerToken = 4;

/** What fits, best first, and what a reader is told about the rest. */
export interface Budgeted<T> {
  readonly memories: readonly T[];
  readonly leftOut: number;
  readonly text: string;
}

/** The best memories as lines within a token budget; one too long for what is left is passed over, and counted. */
export function withinBudget<T extends Pick<FoundMemory, 'type' | 'text'>>(
  found: readonly T[],
  { tokensMax = memoryTokensMax, countMax = memoriesMax } = {},
): Budgeted<T> {
  const memories: T[] = [];
  const lines: string[] = [];
  // The closing line about the rest must fit as well.
  let left = tokensMax - tokensOf(restLine(found.length));
  for (const one of found) {
    const line = `- (${one.type}) ${one.text.replace(/\s+/g, ' ')}`;
    const cost = tokensOf(`${line}\n`);
    if (memories.length >= countMax || cost > left) continue;
    left -= cost;
    memories.push(one);
    lines.push(line);
  }
  const leftOut = found.length - memories.length;
  if (leftOut > 0) lines.push(restLine(leftOut));
  return { memories, leftOut, text: lines.join('\n') };
}

const tokensOf = (text: string): number => Math.ceil(text.length / charsPerToken);
const restLine = (count: number): string => `(${count} more ${count === 1 ? 'memory' : 'memories'} left out)`;
