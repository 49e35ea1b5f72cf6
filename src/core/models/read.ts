import { z } from 'zod';
import { coerce } from './coerce.ts';
import { type LooseObject, looseObjects } from './loose-json.ts';

/** Of a longer answer only the end is read: an answer stands last. */
export const answerCharsMax = 65_536;
const problemsMax = 20;
const problemCharsMax = 300;

/** What a model's answer says, field by field; null where it cannot be told. */
export type Fields<O extends z.ZodObject> = { readonly [K in keyof z.infer<O>]: z.infer<O>[K] | null };

export interface Reading<O extends z.ZodObject> {
  /** Null when the text holds no answer at all. */
  readonly fields: Fields<O> | null;
  /** All that had to be overlooked. */
  readonly problems: readonly string[];
  /** False when the answer contradicts itself: nothing in it may be relied on. */
  readonly isSure: boolean;
}

/** Reads an answer as leniently as can be done without inventing anything. Total and pure. */
export function readAnswer<O extends z.ZodObject>(output: O, text: string): Reading<O> {
  const problems = new Set<string>();
  const names = Object.keys(output.shape);
  const candidates = looseObjects(readable(text, problems)).flatMap((one) => candidatesIn(one, names));
  const last = candidates.at(-1);
  if (last === undefined) {
    problems.add(`no object with ${names.join(', ')} in the answer`);
    return { fields: null, problems: bounded(problems), isSure: false };
  }
  const read = candidates.map((one) => ({ one, fields: fieldsOf(output, one, new Set()) }));
  const isSame = new Set(read.map(({ fields }) => JSON.stringify(fields))).size === 1;
  if (!isSame) problems.add(`${read.length} answers that differ; the last is shown`);
  if (last.contradicts) problems.add('one field says two things');
  for (const problem of last.problems) problems.add(problem);
  const fields = fieldsOf(output, last, problems);
  return { fields, problems: bounded(problems), isSure: isSame && !last.contradicts };
}

const bounded = (problems: ReadonlySet<string>): readonly string[] =>
  [...problems].slice(0, problemsMax).map((one) => one.slice(0, problemCharsMax));

/** The part that may hold the answer: without a model's thinking aloud. */
function readable(text: string, problems: Set<string>): string {
  const end = text.lastIndexOf('</think>');
  const said = end === -1 ? text : text.slice(end + '</think>'.length);
  if (said.length <= answerCharsMax) return said;
  problems.add(`only the last ${answerCharsMax} of ${said.length} characters were read`);
  return said.slice(-answerCharsMax);
}

interface Candidate extends Omit<LooseObject, 'isCut'> {
  readonly byName: ReadonlyMap<string, unknown>;
}

/** A field's name without case and punctuation: models write `next_input` for `nextInput`. */
const lettersOnly = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The object itself, or what it wraps, as in `{"decision": {…}}`. */
function candidatesIn(found: LooseObject, names: readonly string[]): readonly Candidate[] {
  const itself = candidate(found, names);
  if (itself !== null) return [itself];
  const inner = [...found.fields.values()].flatMap((value) => (Array.isArray(value) ? value : [value]));
  return inner.flatMap((value) => {
    if (!(value instanceof Map)) return [];
    const wrapped = candidate({ ...found, fields: value }, names);
    return wrapped === null ? [] : [wrapped];
  });
}

function candidate(found: LooseObject, names: readonly string[]): Candidate | null {
  const byName = new Map<string, unknown>();
  let contradicts = found.contradicts;
  for (const [key, value] of found.fields) {
    const name = names.find((one) => lettersOnly(one) === lettersOnly(key));
    if (name === undefined) continue;
    if (byName.has(name) && byName.get(name) !== value) contradicts = true;
    byName.set(name, value);
  }
  return byName.size === 0 ? null : { ...found, byName, contradicts };
}

function fieldsOf<O extends z.ZodObject>(output: O, { byName }: Candidate, problems: Set<string>): Fields<O> {
  const fields = Object.entries(output.shape).map(([name, schema]) => {
    if (!byName.has(name)) {
      if (!(schema instanceof z.ZodNullable)) problems.add(`${name} is missing`);
      return [name, null];
    }
    return [name, coerce(schema as z.ZodType, byName.get(name), { name, problems })];
  });
  return Object.fromEntries(fields) as Fields<O>;
}
