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
