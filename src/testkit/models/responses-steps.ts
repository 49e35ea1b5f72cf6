/** One thing the scripted model produces inside a response. */
export type ModelOutput =
  | { readonly out: 'message'; readonly text: string; readonly deltas: readonly string[] }
  /** A message that begins and is never finished: what a cut or hanging stream leaves behind. */
  | { readonly out: 'message-begun'; readonly text: string }
  | { readonly out: 'reasoning'; readonly summary: readonly string[] }
  | {
      readonly out: 'function-call';
      readonly id: string;
      readonly name: string;
      readonly args: string;
      readonly namespace?: string;
    }
  | { readonly out: 'custom-call'; readonly id: string; readonly name: string; readonly input: string };

export interface ModelUsage {
  /** All of the input, with what was read from the cache and written to it. */
  readonly input?: number;
  readonly cached?: number;
  /** Written to the cache; only Anthropic's protocol tells it. */
  readonly cacheWritten?: number;
  readonly output?: number;
  readonly reasoning?: number;
}

/** How a stream ends: properly, with an error of the model's own, by a broken socket, or never. */
type StreamEnd = 'complete' | 'cut' | 'hang' | { readonly code: string; readonly message: string };

/** What the scripted model does with one request. */
export type ModelStep =
  | {
      readonly do: 'stream';
      readonly outputs: readonly ModelOutput[];
      readonly end: StreamEnd;
      readonly usage?: ModelUsage;
      readonly delayMs?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly do: 'refuse';
      readonly status: number;
      readonly body: unknown;
      readonly delayMs?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** 200, and then bytes that are no answer. */
  | { readonly do: 'babble'; readonly bytes: string; readonly delayMs?: number };

export interface StepOptions {
  readonly usage?: ModelUsage;
  readonly delayMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const stream = (outputs: readonly ModelOutput[], end: StreamEnd, options?: StepOptions): ModelStep => ({
  do: 'stream',
  outputs,
  end,
  ...options,
});

/** Deltas of a few words each, so that a reader sees a message grow. */
const pieces = (text: string) => text.match(/[\s\S]{1,24}/g) ?? [];

/** The model says `text` and stops. */
export function say(text: string, options?: StepOptions): ModelStep {
  return stream([{ out: 'message', text, deltas: pieces(text) }], 'complete', options);
}

/** The model thinks, says `text` and stops. */
export function thinkThenSay(summary: string, text: string, options?: StepOptions): ModelStep {
  const outputs: ModelOutput[] = [
    { out: 'reasoning', summary: [summary] },
    { out: 'message', text, deltas: pieces(text) },
  ];
  return stream(outputs, 'complete', options);
}

/** The model calls one function tool; `args` is sent as JSON. */
export function call(
  id: string,
  name: string,
  args: unknown,
  options?: StepOptions & { namespace?: string },
): ModelStep {
  const { namespace, ...rest } = options ?? {};
  const output: ModelOutput = { out: 'function-call', id, name, args: JSON.stringify(args), namespace };
  return stream([output], 'complete', rest);
}

/** The model calls a free-form tool, as Codex wants its patches. */
export function patch(id: string, input: string, options?: StepOptions): ModelStep {
  return stream([{ out: 'custom-call', id, name: 'apply_patch', input }], 'complete', options);
}

/** Several outputs in one response, such as two calls at once. */
export function together(outputs: readonly ModelOutput[], options?: StepOptions): ModelStep {
  return stream(outputs, 'complete', options);
}

/** The provider answers with an HTTP error. */
export function refuse(status: number, body: unknown, options?: StepOptions): ModelStep {
  return { do: 'refuse', status, body, delayMs: options?.delayMs, headers: options?.headers };
}

/** The model begins to speak and the connection breaks. */
export function cut(text = 'half a sent'): ModelStep {
  return stream([{ out: 'message-begun', text }], 'cut');
}

/** The model begins to speak and never goes on. */
export function hang(text = 'let me think'): ModelStep {
  return stream([{ out: 'message-begun', text }], 'hang');
}

/** The model accepts the request and then reports an error of its own inside the stream. */
export function fail(code: string, message: string): ModelStep {
  return stream([], { code, message });
}

/** The provider answers as if all were well, with bytes that mean nothing. */
export function babble(bytes = 'event: response.wha\ndata: {"type": "resp\n\n<html>\u0000'): ModelStep {
  return { do: 'babble', bytes };
}
