import { z } from 'zod';

interface Spot {
  readonly name: string;
  readonly problems: Set<string>;
}

const stringCharsMax = 16_384;
const sampleCharsMax = 60;

/** One value in the shape its schema wants, or null with a problem: nothing is made up. */
export function coerce(schema: z.ZodType, raw: unknown, spot: Spot): unknown {
  const found = shaped(schema, raw, spot);
  if (found === null || schema.safeParse(found).success) return found;
  spot.problems.add(`${spot.name}: ${sample(raw)} is out of range`);
  return null;
}

function shaped(schema: z.ZodType, raw: unknown, spot: Spot): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return isNothing(raw) ? null : coerce(schema.unwrap() as z.ZodType, raw, spot);
  if (schema instanceof z.ZodEnum) return word(schema.options.map(String), raw, spot);
  if (schema instanceof z.ZodNumber) return number(raw, spot);
  if (schema instanceof z.ZodBoolean) return truth(raw, spot);
  if (schema instanceof z.ZodString) return prose(raw, spot);
  if (schema instanceof z.ZodArray) return list(schema.element as z.ZodType, raw, spot);
  if (schema instanceof z.ZodObject) return record(schema, raw, spot);
  return refused(raw, 'is of a kind we do not read', spot);
}

const isNothing = (raw: unknown): boolean =>
  raw === null || (typeof raw === 'string' && /^\s*(?:null|none|n\/a)?\s*$/i.test(raw));

function refused(raw: unknown, why: string, { name, problems }: Spot): null {
  problems.add(`${name}: ${sample(raw)} ${why}`);
  return null;
}

function sample(raw: unknown): string {
  const text =
    raw instanceof Map
      ? 'an object'
      : Array.isArray(raw)
        ? 'a list'
        : typeof raw === 'string'
          ? `"${raw}"`
          : `${raw}`;
  return text.length > sampleCharsMax ? `${text.slice(0, sampleCharsMax)}…` : text;
}

function word(options: readonly string[], raw: unknown, spot: Spot): string | null {
  if (typeof raw !== 'string') return refused(raw, 'is no word', spot);
  const said = raw.toLowerCase().replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
  const found = options.find((one) => one.toLowerCase() === said);
  if (found === undefined) return refused(raw, `is none of ${options.join(', ')}`, spot);
  if (found !== raw) spot.problems.add(`${spot.name}: ${sample(raw)} was read as ${found}`);
  return found;
}

/** A number as a number, as a text, or in percent. Words such as "high" are no numbers. */
function number(raw: unknown, spot: Spot): number | null {
  if (typeof raw === 'number')
    return Number.isFinite(raw) ? raw : refused(raw, 'is no number to rely on', spot);
  if (typeof raw !== 'string') return refused(raw, 'is no number', spot);
  const [, digits, percent] = /^\s*([-+]?(?:\d+\.?\d*|\.\d+))\s*(%?)\s*$/.exec(raw) ?? [];
  if (digits === undefined) return refused(raw, 'is no number', spot);
  const found = percent === '%' ? Number(digits) / 100 : Number(digits);
  spot.problems.add(`${spot.name}: ${sample(raw)} was read as ${found}`);
  return found;
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

function truth(raw: unknown, spot: Spot): boolean | null {
  if (typeof raw === 'boolean') return raw;
  const found = typeof raw === 'string' ? truths.get(raw.trim().toLowerCase()) : undefined;
  if (found === undefined) return refused(raw, 'is neither true nor false', spot);
  spot.problems.add(`${spot.name}: ${sample(raw)} was read as ${found}`);
  return found;
}

function prose(raw: unknown, spot: Spot): string | null {
  if (typeof raw === 'number' || typeof raw === 'boolean') {
    spot.problems.add(`${spot.name}: ${sample(raw)} was read as a text`);
    return String(raw);
  }
  if (typeof raw !== 'string') return refused(raw, 'is no text', spot);
  if (raw.length <= stringCharsMax) return raw;
  spot.problems.add(`${spot.name}: cut to ${stringCharsMax} characters`);
  return headOf(raw, stringCharsMax);
}

/** The first characters of a text, never half of one. */
export function headOf(text: string, charsMax: number): string {
  const head = text.slice(0, charsMax);
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}

function list(element: z.ZodType, raw: unknown, spot: Spot): unknown[] | null {
  if (!Array.isArray(raw)) return refused(raw, 'is no list', spot);
  return raw
    .map((one, index) => coerce(element, one, { ...spot, name: `${spot.name}[${index}]` }))
    .filter((one) => one !== null);
}

function record(schema: z.ZodObject, raw: unknown, spot: Spot): Record<string, unknown> | null {
  if (!(raw instanceof Map)) return refused(raw, 'is no object', spot);
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const one = coerce(field as z.ZodType, raw.get(name), { ...spot, name: `${spot.name}.${name}` });
    return one === null && field instanceof z.ZodOptional ? [] : [[name, one] as const];
  });
  const isWhole = fields.every(([name, one]) => one !== null || schema.shape[name] instanceof z.ZodNullable);
  return isWhole ? Object.fromEntries(fields) : null;
}
