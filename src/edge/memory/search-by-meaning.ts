import { type FoundMemory, ModelFailure, memoriesMax } from '../../contract/index.ts';
import { byMeaning, likeness } from '../../core/memory/index.ts';
import type { Embedder } from '../models/embed.ts';
import type { Memories } from './memories.ts';

/** How many matches are ranked again by meaning, and how much of each the model is shown, in characters. */
const rerankedMax = 60;
const shownCharsMax = 2_000;
/** If the model takes longer, it is not used. */
const embeddingMs = 10_000;

type Options = NonNullable<Parameters<Memories['search']>[1]>;

/** Searches by words and, with an embedding model, by meaning. If the model is unreachable, only words count. */
export async function searchByMeaning(
  memories: Memories,
  embedder: Embedder | undefined,
  query: string,
  { limit = memoriesMax, ...options }: Options = {},
): Promise<FoundMemory[]> {
  if (embedder === undefined) return memories.search(query, { ...options, limit });
  const found = memories.search(query, { ...options, limit: Math.max(limit, rerankedMax) });
  if (found.length < 2) return found.slice(0, limit);
  try {
    return byMeaning(found, await likenessTo(query, found, memories, embedder), limit);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const why = `without meaning: ${error.failure.message.slice(0, 120)}`;
    return found.slice(0, limit).map((one) => ({ ...one, why: `${one.why}; ${why}` }));
  }
}

async function likenessTo(
  query: string,
  found: readonly FoundMemory[],
  memories: Memories,
  { name, embed }: Embedder,
): Promise<Map<string, number>> {
  const known = memories.vectors(
    name,
    found.map(({ id }) => id),
  );
  const unknown = found.filter(({ id }) => !known.has(id));
  const texts = [query, ...unknown.map(({ text }) => text)].map((text) => text.slice(0, shownCharsMax));
  const [asked, ...made] = await embed(texts, AbortSignal.timeout(embeddingMs));
  if (asked === undefined || made.length !== unknown.length)
    throw new ModelFailure({
      kind: 'other',
      message: `${name} gave ${made.length + 1} vectors for ${texts.length} texts`,
    });
  const fresh = new Map(unknown.map(({ id }, n) => [id, made[n] as Float32Array]));
  if (fresh.size > 0) memories.keepVectors(name, fresh);
  return new Map([...known, ...fresh].map(([id, vector]) => [id, likeness(asked, vector)]));
}
