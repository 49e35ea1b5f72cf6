import type { Usage } from '../../contract/index.ts';

/** One question as it is sent, and the shape its answer should have as JSON Schema. */
export interface Asked {
  readonly name: string;
  readonly instructions: string;
  readonly prompt: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The provider refused the schema: ask without it. */
  readonly isPlain: boolean;
}

export interface Said {
  readonly text: string;
  readonly usage?: Usage;
}

/** A model that answers single questions, without history. Rejects with `ModelFailure`, or when aborted. */
export interface Model {
  readonly name: string;
  answer(asked: Asked, signal: AbortSignal): Promise<Said>;
}

/** A model's name: `ollama:llama3.2` is the model `llama3.2` of the provider `ollama`. */
interface ModelName {
  readonly provider: string;
  /** Empty where the provider chooses. */
  readonly model: string;
}

/** Split at the first colon only: `ollama:llama3.2:70b`. */
export function modelNameOf(written: string): ModelName {
  const at = written.indexOf(':');
  return at === -1
    ? { provider: written, model: '' }
    : { provider: written.slice(0, at), model: written.slice(at + 1) };
}
