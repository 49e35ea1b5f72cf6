/** A model's name: `ollama:llama3.2` is the model `llama3.2` of the provider `ollama`. */
export interface ModelName {
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
