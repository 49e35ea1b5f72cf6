import { z } from 'zod';
import { factCharsMax } from '../../contract/constants.ts';
import { type Event, eventSchema } from '../../contract/event.ts';
import { textSchema } from '../../contract/text.ts';
import { cutText, headOf, secretCharsMax, tailOf } from './cut.ts';

/** Strings people read: an over-long one is cut. All others name something, and cut they would name something else. */
export const proseKeys: ReadonlySet<string> = new Set([
  'instead',
  'what',
  'because',
  'current',
  'label',
  'message',
  'mode',
  'note',
  'options',
  'problems',
  'recalled',
  'question',
  'raw',
  'reason',
  'sample',
  'text',
]);

/** Lists that are shown, not judged one by one: the first of them are enough. */
const shownLists: ReadonlySet<string> = new Set(['steps', 'tasks']);

export interface FitOptions {
  redact(text: string): string;
  /** Keeps a whole text, without its secrets, as a body. */
  keep(text: string): { readonly clean: string; readonly digest: string };
}

type Fit = (value: unknown, handlers: FitOptions) => unknown;
type Redacting = (value: unknown, handlers: Pick<FitOptions, 'redact'>) => unknown;

/**
 * Makes a draft fit its schema where that can be done without changing what it says: secrets out of every string,
 * unknown keys gone, prose cut, long texts kept whole as bodies. What it cannot fit is left for validation to refuse.
 */
export function fitEvent(draft: unknown, handlers: FitOptions): unknown {
  return fitsEvent(draft, handlers);
}

/** Takes secrets out of every string in a value. */
export const redactAll: Redacting = (value, handlers) => {
  if (typeof value === 'string') return handlers.redact(value);
  if (Array.isArray(value)) return value.map((one) => redactAll(one, handlers));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [handlers.redact(key), redactAll(one, handlers)]),
  );
};

/** Built once from the schema, so that no bound is written down twice. */
function fitOf(schema: z.ZodType, key: string): Fit {
  if (schema === textSchema) return (value, handlers) => fitText(value, key, handlers);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return fitOf(schema.unwrap() as z.ZodType, key);
  }
  if (schema instanceof z.ZodNullable) return fitOf(schema.unwrap() as z.ZodType, key);
  if (schema instanceof z.ZodString) return fitString(schema.maxLength, key);
  if (schema instanceof z.ZodArray) return fitArray(schema, key);
  if (schema instanceof z.ZodDiscriminatedUnion) return fitUnion(schema);
  if (schema instanceof z.ZodObject) return fitObject(schema.shape);
  // Records, plain unions and what has no strings: nothing to cut, so what is too long is refused.
  return redactAll;
}

function fitObject(shape: Readonly<Record<string, unknown>>): Fit {
  const fields = Object.entries(shape).map(([key, field]) => [key, fitOf(field as z.ZodType, key)] as const);
  return (value, handlers) => {
    if (!isRecord(value)) return redactAll(value, handlers);
    const fitted: Record<string, unknown> = {};
    for (const [key, fitOne] of fields) {
      const one = value[key];
      if (one !== undefined) fitted[key] = fitOne(one, handlers);
    }
    return fitted;
  };
}

function fitUnion(schema: z.ZodDiscriminatedUnion): Fit {
  const { discriminator } = schema.def;
  const byName = new Map<unknown, Fit>();
  for (const option of schema.options) {
    const { shape } = option as z.ZodObject;
    const [name] = (shape[discriminator] as z.ZodLiteral<string>).values;
    byName.set(name, fitObject(shape));
  }
  return (value, handlers) => {
    const fit = isRecord(value) ? byName.get(value[discriminator]) : undefined;
    return (fit ?? redactAll)(value, handlers);
  };
}

function fitString(charsMax: number | null, key: string): Fit {
  return (value, handlers) => {
    if (typeof value !== 'string') return redactAll(value, handlers);
    const clean = handlers.redact(value);
    return charsMax !== null && proseKeys.has(key) ? cutText(clean, charsMax) : clean;
  };
}

function fitArray(schema: z.ZodArray, key: string): Fit {
  const fitOne = fitOf(schema.element as z.ZodType, key);
  const itemsMax = schema.def.checks
    ?.map((check) => check._zod.def as { maximum?: number })
    .find((def) => def.maximum)?.maximum;
  const holdsStrings = schema.element instanceof z.ZodString;
  return (value, handlers) => {
    if (!Array.isArray(value)) return redactAll(value, handlers);
    if (itemsMax !== undefined && !holdsStrings && shownLists.has(key))
      return value.slice(0, itemsMax).map((one) => fitOne(one, handlers));
    if (itemsMax === undefined || value.length <= itemsMax || !holdsStrings)
      return value.map((one) => fitOne(one, handlers));
    const left = value.length - itemsMax + 1;
    // A path that stands in no workspace, so that whoever judges the list cannot take the missing ones for harmless.
    const rest = key === 'paths' ? `/… and ${left} more` : `… and ${left} more`;
    return [...value.slice(0, itemsMax - 1).map((one) => fitOne(one, handlers)), rest];
  };
}

function fitText(value: unknown, key: string, handlers: FitOptions): unknown {
  if (!isRecord(value) || typeof value.text !== 'string') return redactAll(value, handlers);
  if (value.text.length <= factCharsMax) {
    const text = handlers.redact(value.text);
    if (text.length <= factCharsMax) return { text, body: value.body };
  }
  const { clean, digest } = handlers.keep(value.text);
  if (key !== 'tail') return { text: headOf(clean, factCharsMax), body: digest };
  // A tail is there for its end, where test runners say what failed; a body that was cut no longer has it.
  const end = handlers.redact(tailOf(value.text, factCharsMax + secretCharsMax));
  return { text: tailOf(end, factCharsMax), body: digest };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fitsEvent = fitOf(eventSchema as z.ZodType<Event>, '');
