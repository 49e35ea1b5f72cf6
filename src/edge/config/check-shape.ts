import type { z } from 'zod';
import { type ConfigFile, configFileSchema } from '../../contract/config.ts';
import { expectedWords, keysOf, schemaAt } from './describe-schema.ts';
import type { Problem } from './problems.ts';
import type { Position } from './read-yaml.ts';
import { suggestion } from './suggest.ts';

type Path = readonly PropertyKey[];
type Where = (path: Path, of?: 'key') => Position | undefined;
type Issue = z.core.$ZodIssue;

const foundCharsMax = 60;
const wordsShownMax = 20;

/** Keys people may expect here and the one that does it. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['cyclesMax', 'autonomousMaxCycles'],
  ['maxCycles', 'autonomousMaxCycles'],
]);

export type Shaped = { readonly config: ConfigFile } | { readonly problems: readonly Problem[] };

/** Takes a value for a config file's, or says everything that is wrong with it. A section without any key counts as empty. */
export function checkShape(file: string, value: unknown, where: Where = () => undefined): Shaped {
  const filled = withoutEmptySections(value);
  const parsed = configFileSchema.safeParse(filled);
  if (parsed.success) return { config: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, [], filled, file, where));
  return { problems };
}

/** People comment out every key of a section and leave its name: YAML calls that null. */
function withoutEmptySections(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, one]) => {
      const section = one === null ? schemaAt(configFileSchema, [key]) : undefined;
      return !(section && keysOf(section));
    }),
  );
}

function problemsOf(issue: Issue, base: Path, value: unknown, file: string, where: Where): Problem[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(file, [...path, key], where));
  }
  if (issue.code === 'invalid_union') {
    // The branch that got past the outermost value is the one that was meant.
    const meant = issue.errors.find((branch) => branch.every((one) => one.path.length > 0));
    if (meant) return meant.flatMap((one) => problemsOf(one, path, value, file, where));
  }
  return [wrongValue(file, path, valueAt(value, path), where)];
}

function wrongValue(file: string, path: Path, found: unknown, where: Where): Problem {
  const schema = schemaAt(configFileSchema, path);
  const expected = schema ? expectedWords(schema) : 'another value';
  const key = keyName(path);
  const place = { file, ...where(path), key: key || undefined };
  if (found === undefined)
    return { ...place, message: `is missing, expected ${expected}`, fix: `Add ${last(path)}.` };
  const near = typeof found === 'string' && schema ? suggestion(found, enumWords(schema)) : undefined;
  const message = `found ${shown(found)}, expected ${expected}`;
  if (near) return { ...place, message, fix: `Did you mean ${near}?` };
  return { ...place, message, fix: fixFor(found, expected, path) };
}

function fixFor(found: unknown, expected: string, path: Path): string {
  if (path.length === 0) return 'Write "key: value" lines.';
  if (found === null) return `Write a value after ${last(path)}:, or remove the line.`;
  if (expected === 'true or false' && typeof found === 'string') {
    return `Write ${/^(?:y|yes|on|1|true)$/i.test(found) ? 'true' : 'false'} without quotes.`;
  }
  if (
    typeof found === 'string' &&
    found.trim() !== '' &&
    !Number.isNaN(Number(found)) &&
    /number/.test(expected)
  ) {
    return expected.includes('duration') ? `Add the unit, such as ${found.trim()}m.` : 'Remove the quotes.';
  }
  return 'Change it, or remove the line.';
}

function unknownKey(file: string, path: Path, where: Where): Problem {
  const word = last(path);
  const section = path.slice(0, -1);
  const siblings = keysOf(schemaAt(configFileSchema, section) ?? configFileSchema) ?? [];
  const near = elsewhere.get(word) ?? homeOf(word) ?? suggestion(word, siblings);
  return {
    file,
    ...where(path, 'key'),
    key: keyName(path),
    message: 'is not a setting',
    fix: near
      ? `Did you mean ${near}?`
      : `Remove it; ${section.length > 0 ? keyName(section) : 'this file'} takes ${listed(siblings)}.`,
  };
}

function listed(words: readonly string[]): string {
  const shownWords = words.slice(0, wordsShownMax).join(', ');
  return words.length > wordsShownMax ? `${shownWords} and ${words.length - wordsShownMax} more` : shownWords;
}

/** `turnsMax` at the top belongs under `limits`: the full name of a key that exists in another section. */
function homeOf(word: string): string | undefined {
  const sections = keysOf(configFileSchema) ?? [];
  if (sections.includes(word)) return `${word} at the start of a line`;
  const home = sections.find((section) => {
    const schema = schemaAt(configFileSchema, [section]);
    return schema && keysOf(schema)?.includes(word);
  });
  return home && `${home}.${word}`;
}

/** Shown in messages; long values and odd ones are cut to something printable. */
function shown(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return 'a section';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > foundCharsMax ? `${text.slice(0, foundCharsMax)}…` : text;
}

function keyName(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

function enumWords(schema: z.ZodType): string[] {
  const words = /^one of (.+)$/.exec(expectedWords(schema))?.[1];
  return words ? words.split(', ') : [];
}

function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return here;
}

const last = (path: Path): string => String(path.at(-1) ?? '');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
