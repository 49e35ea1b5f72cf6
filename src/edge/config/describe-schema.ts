import { z } from 'zod';

/** What a setting takes, in words: for error messages and for the generated reference. */
export function expectedWords(schema: z.ZodType): string {
  const { inner, expects } = unwrapped(schema);
  if (expects) return expects;
  if (inner instanceof z.ZodNumber) return numberWords(inner);
  if (inner instanceof z.ZodEnum) return oneOf(inner.options);
  if (inner instanceof z.ZodLiteral) return oneOf([...inner.values]);
  if (inner instanceof z.ZodBoolean) return 'true or false';
  if (inner instanceof z.ZodArray) return `a list: ${expectedWords(inner.element as z.ZodType)} on each line`;
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) return 'a section of "key: value" lines';
  if (inner instanceof z.ZodUnion)
    return inner.options.map((one) => expectedWords(one as z.ZodType)).join(', or ');
  if (inner instanceof z.ZodString) return textWords(inner);
  return 'another value';
}

/** The schema of the value at `path`; undefined where the path leaves what the schema knows. */
export function schemaAt(root: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let schema: z.ZodType | undefined = root;
  for (const step of path) {
    const { inner } = unwrapped(schema);
    const options: z.ZodType[] = inner instanceof z.ZodUnion ? (inner.options as z.ZodType[]) : [inner];
    schema = options.map((option) => childOf(option, step)).find((child) => child !== undefined);
    if (!schema) return undefined;
  }
  return schema;
}

/** The keys a section takes; undefined for anything that is no section. */
export function keysOf(schema: z.ZodType): string[] | undefined {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum)
    return inner.keyType.options.map(String);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : undefined;
}

function childOf(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const { inner } = unwrapped(schema);
  if (inner instanceof z.ZodObject) {
    return Object.hasOwn(inner.shape, step) ? (inner.shape[String(step)] as z.ZodType) : undefined;
  }
  if (inner instanceof z.ZodArray && typeof step === 'number') return inner.element as z.ZodType;
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  return undefined;
}

function unwrapped(schema: z.ZodType): { inner: z.ZodType; expects?: string } {
  let inner = schema;
  for (;;) {
    const expects = z.globalRegistry.get(inner)?.expects;
    if (typeof expects === 'string') return { inner, expects };
    if (
      !(inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault)
    ) {
      return { inner };
    }
    inner = inner.unwrap() as z.ZodType;
  }
}

function numberWords(schema: z.ZodNumber): string {
  const { minValue, maxValue, isInt } = schema;
  const low = minValue !== null && minValue > Number.MIN_SAFE_INTEGER ? minValue : undefined;
  const high = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? maxValue : undefined;
  const noun = isInt ? 'a whole number' : 'a number';
  if (low === undefined) return noun;
  if (high !== undefined) return `${noun} from ${low} to ${high}`;
  return schema.safeParse(low).success ? `${noun} of at least ${low}` : `${noun} above ${low}`;
}

function textWords(schema: z.ZodString): string {
  const most = schema.maxLength ? ` of at most ${schema.maxLength} characters` : '';
  return schema.minLength ? `text${most}, not empty` : `text${most}`;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}
