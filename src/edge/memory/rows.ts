import type { KeptMemory, Memory, MemoryType } from '../../contract/memory.ts';

/** A row of the table of memories. */
export interface Row {
  readonly place: number;
  readonly id: string;
  readonly text: string;
  readonly type: MemoryType;
  readonly scope: string;
  readonly source: string | null;
  readonly importance: number;
  readonly at: number;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly forgotten_at: number | null;
  readonly forgotten_why: string | null;
  readonly accessed: number;
  readonly terms: string;
}

/** Built field by field for speed: a question makes hundreds of these. */
export function memoryOf(row: Row): Memory {
  const { id, text, type, scope, importance, at, accessed, source, supersedes } = row;
  const memory: Memory = { id, text, type, scope, importance, at, accessed };
  if (source !== null) memory.source = source;
  if (supersedes !== null) memory.supersedes = supersedes;
  return memory;
}

export function keptMemoryOf(row: Row): KeptMemory {
  return {
    ...memoryOf(row),
    supersededBy: row.superseded_by ?? undefined,
    forgotten: row.forgotten_at === null ? undefined : { at: row.forgotten_at, why: row.forgotten_why ?? '' },
  };
}

export const isLiving = (row: Pick<Row, 'forgotten_at' | 'superseded_by'>): boolean =>
  row.forgotten_at === null && row.superseded_by === null;
