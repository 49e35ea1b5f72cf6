import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Aborting,
  type Failure,
  ModelFailure,
  type Signature,
  type Usage,
} from '../../contract/index.ts';
import { type Reading, readAnswer } from '../../core/models/index.ts';
import type { Asked, Model, Said } from './model.ts';

export interface AskOptions {
  /** For all attempts together. */
  readonly timeoutMs: number;
  readonly signal?: Aborting | undefined;
}

/** A typed answer: what could be read, what was tolerated, and what it cost. */
export interface Answered<O extends z.ZodObject> {
  readonly value: NonNullable<Reading<O>['fields']>;
  readonly diagnostics: readonly string[];
  readonly reading: Reading<O>;
  /** The raw text. */
  readonly raw: string;
  readonly usage?: Usage;
}

const triesMax = 2;
const retryMs = 250;
const inputCharsMax = 60_000;

/**
 * Asks a model, and once more if it was unreachable, refused our schema or gave no readable answer. Always settles
 * within `timeoutMs`; rejects only with `ModelFailure`.
 */
export async function ask<I extends z.ZodObject, O extends z.ZodObject>(
  signature: Signature<I, O>,
  model: Model,
  input: z.input<I>,
  { timeoutMs, signal }: AskOptions,
): Promise<Answered<O>> {
  const calledOff = new AbortController();
  const callOff = (): void => calledOff.abort();
  if (signal?.aborted === true) callOff();
  signal?.addEventListener('abort', callOff);
  const limit = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([limit, calledOff.signal]);
  const given: Given = {
    stop,
    up: () =>
      limit.aborted
        ? { kind: 'silent', message: `${model.name} did not answer within ${timeoutMs} ms` }
        : { kind: 'other', message: `asking ${model.name} was called off` },
  };
  try {
    return await tried(signature, model, askedOf(signature, input), given);
  } finally {
    signal?.removeEventListener('abort', callOff);
  }
}

/** When to give up, and the message for it. */
interface Given {
  readonly stop: AbortSignal;
  up(): Failure;
}

async function tried<I extends z.ZodObject, O extends z.ZodObject>(
  { output }: Signature<I, O>,
  model: Model,
  asked: Omit<Asked, 'isPlain'>,
  given: Given,
): Promise<Answered<O>> {
  const { stop } = given;
  let usage: Usage | undefined;
  let isPlain = false;
  for (let tries = 1; ; tries += 1) {
    let failure: Failure;
    try {
      const said = await within(model.answer({ ...asked, isPlain }, stop), stop);
      usage = sumUsage(usage, said.usage);
      const reading = readAnswer(output, said.text);
      if (reading.fields !== null) return answered(reading.fields, reading, said, usage);
      failure = { kind: 'refused', message: `${model.name} gave no answer: ${reading.problems.join('; ')}` };
    } catch (error) {
      failure = stop.aborted ? given.up() : failureFrom(error, model);
      if (error instanceof ModelFailure) usage = sumUsage(usage, error.usage);
    }
    if (tries === triesMax || stop.aborted || !isWorthATry(failure)) throw new ModelFailure(failure, usage);
    isPlain = failure.kind === 'refused';
    await wait(retryMs, undefined, { signal: stop }).catch(() => undefined); // the next try sees the abort
  }
}

function answered<O extends z.ZodObject>(
  value: NonNullable<Reading<O>['fields']>,
  reading: Reading<O>,
  { text }: Said,
  usage: Usage | undefined,
): Answered<O> {
  return { value, diagnostics: reading.problems, reading, raw: text, usage };
}

/** A wrong key or an unknown model is not worth a retry. */
const isWorthATry = ({ kind }: Failure): boolean => !['auth', 'setup', 'usage-limit'].includes(kind);

/** The result of a promise, or the abort's reason: a model that ignores the abort is not waited for. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function failureFrom(error: unknown, model: Model): Failure {
  if (error instanceof ModelFailure) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'other', message: `${model.name}: ${message}`.slice(0, 2_000) };
}

function askedOf<I extends z.ZodObject>(
  { name, instructions, input: shape, output }: Signature<I>,
  input: z.input<I>,
): Omit<Asked, 'isPlain'> {
  const schema = wireSchema(output);
  const facts = JSON.stringify(shape.parse(input), null, 1);
  const shown =
    facts.length > inputCharsMax ? `${facts.slice(0, inputCharsMax)}\n… (cut: too long to be shown)` : facts;
  return {
    name,
    instructions: `${instructions}\n\nAnswer with one JSON object and nothing else. Its JSON Schema:\n${JSON.stringify(schema)}`,
    prompt: shown,
    schema,
  };
}

/** The schema without the bounds that some providers refuse; the parser enforces them anyway. */
function wireSchema(output: z.ZodObject): Asked['schema'] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(output, {
    override: ({ jsonSchema: one }) => {
      delete one.minimum;
      delete one.maximum;
      delete one.maxLength;
    },
  });
  return schema;
}

/** The total cost of several calls. What was not reported stays unknown. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const parts = ['totalTokens', 'inputTokens', 'cachedInputTokens', 'outputTokens', 'money'] as const;
  return Object.fromEntries(
    parts.flatMap((part) => {
      const known = [a[part], b[part]].filter((one) => one !== undefined);
      return known.length === 0 ? [] : [[part, known.reduce((x, y) => x + y, 0)]];
    }),
  );
}
