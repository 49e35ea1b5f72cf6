import type { LanguageModel } from 'ai';
import { type Failure, type FailureKind, ModelFailure, type Usage } from '../../contract/index.ts';
import type { Env } from '../home.ts';
import { type Asked, type Model, modelNameOf, type Said } from './model.ts';

export interface ProviderOptions {
  readonly env: Env;
  readonly baseUrl?: string | undefined;
}

type Sdk = Exclude<LanguageModel, string>;
interface Place {
  readonly apiKey: string;
  readonly baseURL?: string;
  readonly fetch: typeof globalThis.fetch;
}
interface Provider {
  /** The environment variable with the key, and whether it works without one. */
  readonly key: string;
  readonly isKeyless?: true;
  readonly baseUrl?: string;
  make(model: string, place: Place): Promise<Sdk>;
}

/** More than any valid answer; a server that sends more is broken. */
const responseBytesMax = 4_000_000;

/** The platform's fetch, with a bound on the response size. */
const boundedFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > responseBytesMax)
          controller.error(new Error(`the model sent more than ${responseBytesMax} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, response);
};

const compatible = async (
  name: string,
  model: string,
  { apiKey, baseURL = '', fetch }: Place,
): Promise<Sdk> => {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name,
    baseURL,
    fetch,
    supportsStructuredOutputs: true,
    apiKey: apiKey || undefined,
  });
  return provider(model);
};

/** Loaded on first use, so that they do not slow down the start of the program. */
const providers: Readonly<Record<string, Provider>> = {
  openai: {
    key: 'OPENAI_API_KEY',
    make: async (model, place) => (await import('@ai-sdk/openai')).createOpenAI(place)(model),
  },
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    make: async (model, place) => (await import('@ai-sdk/anthropic')).createAnthropic(place)(model),
  },
  ollama: {
    key: 'OLLAMA_API_KEY',
    isKeyless: true,
    baseUrl: 'http://127.0.0.1:11434/v1',
    make: (model, place) => compatible('ollama', model, place),
  },
  'openai-compatible': {
    key: 'TIRELESS_ADVICE_API_KEY',
    isKeyless: true,
    make: (model, place) => compatible('openai-compatible', model, place),
  },
};

/** Includes reasoning, so it is far more than an answer needs. */
const outputTokensMax = 4_000;

const setup = (message: string): ModelFailure => new ModelFailure({ kind: 'setup', message });

/** A model behind a provider's HTTP API. Keys are read from the environment when a question is asked and sent nowhere else. */
export function providerModel(written: string, options: ProviderOptions): Model {
  return {
    name: written,
    async answer(asked, signal) {
      const sdk = await sdkModel(written, options);
      try {
        return await generate(sdk, asked, signal);
      } catch (error) {
        throw new ModelFailure(await failureOf(error, written));
      }
    },
  };
}

/** The provider, its address and its key; throws `ModelFailure` when something is missing. */
export function placeOf(
  written: string,
  { env, baseUrl }: ProviderOptions,
): { provider: Provider; name: string; model: string; place: Place } {
  const { provider: name, model } = modelNameOf(written);
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider === undefined) throw setup(`no provider is called ${name}`);
  const apiKey = env[provider.key] ?? '';
  if (apiKey === '' && provider.isKeyless !== true)
    throw setup(`${written} needs ${provider.key} in the environment`);
  const baseURL = baseUrl ?? provider.baseUrl;
  if (name === 'openai-compatible' && baseURL === undefined)
    throw setup(`${written} needs a baseUrl in the config: where is it?`);
  const place = { apiKey, fetch: boundedFetch, baseURL };
  return { provider, name, model, place };
}

function sdkModel(written: string, options: ProviderOptions): Promise<Sdk> {
  const { provider, model, place } = placeOf(written, options);
  return provider.make(model, place);
}

async function generate(model: Sdk, asked: Asked, signal: AbortSignal): Promise<Said> {
  const { generateText, wrapLanguageModel } = await import('ai');
  // Its warnings would go to the terminal.
  (globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;
  const { name, schema, isPlain } = asked;
  const result = await generateText({
    model: isPlain
      ? model
      : wrapLanguageModel({
          model: model as Parameters<typeof wrapLanguageModel>[0]['model'],
          // Requests structured output where the provider supports it; we parse the answer, not the library.
          middleware: {
            specificationVersion: 'v4',
            transformParams: async ({ params }) => ({
              ...params,
              responseFormat: { type: 'json', schema, name },
            }),
          },
        }),
    instructions: asked.instructions,
    prompt: asked.prompt,
    maxRetries: 0,
    maxOutputTokens: outputTokensMax,
    abortSignal: signal,
  });
  return { text: result.text, usage: usageOf(result.usage) };
}

interface ReportedUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  readonly inputTokenDetails?: { readonly cacheReadTokens?: number | undefined } | undefined;
}

function usageOf({ inputTokens, outputTokens, totalTokens, inputTokenDetails }: ReportedUsage): Usage {
  const parts = {
    inputTokens,
    outputTokens,
    totalTokens,
    cachedInputTokens: inputTokenDetails?.cacheReadTokens,
  };
  return Object.fromEntries(
    Object.entries(parts).filter(([, n]) => n !== undefined && Number.isInteger(n) && n >= 0),
  );
}

export async function failureOf(error: unknown, model: string): Promise<Failure> {
  const { APICallError } = await import('ai');
  const message = `${model}: ${wordsOf(error)}`.slice(0, 2_000);
  if (!APICallError.isInstance(error)) return { kind: 'other', message };
  const { statusCode, responseBody } = error;
  return { kind: kindOf(statusCode), message, raw: responseBody?.slice(0, 2_000) };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function kindOf(status: number | undefined): FailureKind {
  if (status === undefined) return 'unreachable';
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'usage-limit';
  if (status === 404) return 'setup';
  if (status === 429) return 'rate-limited';
  if (status === 503 || status === 529) return 'overloaded';
  if (status < 400) return 'other'; // a success status without a valid answer
  return status >= 500 ? 'server-error' : 'refused';
}
