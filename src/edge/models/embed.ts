import type { EmbeddingModel } from 'ai';
import { ModelFailure, type Settings } from '../../contract/index.ts';
import type { Env } from '../home.ts';
import { failureOf, type ProviderOptions, placeOf } from './provider.ts';

/** Turns texts into vectors, one each, in order. Rejects with `ModelFailure`. */
export interface Embedder {
  readonly name: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** The configured embedding model, or undefined. Loads and asks nothing yet. */
export function openEmbedder(
  { embeddings, embeddingsBaseUrl }: Pick<Settings['memory'], 'embeddings' | 'embeddingsBaseUrl'>,
  env: Env,
): Embedder | undefined {
  return embeddings === undefined
    ? undefined
    : providerEmbedder(embeddings, { env, baseUrl: embeddingsBaseUrl });
}

type Sdk = Exclude<EmbeddingModel, string>;

/** An embedding model behind a provider's HTTP API. */
export function providerEmbedder(written: string, options: ProviderOptions): Embedder {
  return {
    name: written,
    async embed(texts, signal) {
      const { name, model, place } = placeOf(written, options);
      try {
        const sdk = await embeddingModel(name, model, place);
        const { embedMany } = await import('ai');
        const { embeddings } = await embedMany({
          model: sdk,
          values: [...texts],
          maxRetries: 0,
          abortSignal: signal,
        });
        return embeddings.map((one) => Float32Array.from(one));
      } catch (error) {
        throw new ModelFailure(await failureOf(error, written));
      }
    },
  };
}

async function embeddingModel(
  name: string,
  model: string,
  place: ReturnType<typeof placeOf>['place'],
): Promise<Sdk> {
  if (name === 'openai') {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI(place).embeddingModel(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { apiKey, fetch, baseURL = '' } = place;
  const provider = createOpenAICompatible({ name, baseURL, fetch, apiKey: apiKey || undefined });
  return provider.embeddingModel(model);
}
