import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFileOnce } from '../atomic-file.ts';
import { type Env, HomeError } from '../home.ts';
import { isSecretValue, secretValues, spellingsOf } from './secret-values.ts';
import { tokenShapes } from './token-shapes.ts';

/** Takes secrets out of a text. Doing it again changes nothing more, unless tokens were glued to one another. */
export type Redact = (text: string) => string;

export interface RedactorParts {
  readonly env: Env;
  /** Names of variables whose values are secret whatever they look like. */
  readonly declared: readonly string[];
  /** Of `readKey`: keeps the digests of this person's secrets useless to others. */
  readonly key: Uint8Array;
}

/** Digests kept at hand; a run meets few different secrets. */
const knownMax = 1_000;
const keyBytes = 32;

/** Every secret becomes `⟦secret:xxxxxxxx⟧`, a keyed digest: equal secrets stay equal, and nobody can read them back. */
export function makeRedactor({ env, declared, key }: RedactorParts): Redact {
  const marks = new Map<string, string>();
  const markOf = (secret: string) => {
    const known = marks.get(secret);
    if (known) return known;
    const mark = `⟦secret:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)}⟧`;
    if (marks.size >= knownMax) marks.clear();
    marks.set(secret, mark);
    return mark;
  };
  const secretBehind = new Map<string, string>();
  for (const value of secretValues(env, declared)) {
    for (const spelling of spellingsOf(value))
      if (!secretBehind.has(spelling)) secretBehind.set(spelling, value);
  }
  // The longest first: a secret may be the beginning of another.
  const spellings = [...secretBehind.keys()]
    .sort((a, b) => b.length - a.length)
    .map((one) => RegExp.escape(one));
  const search = new RegExp([...spellings, ...tokenShapes.map(({ source }) => source)].join('|'), 'g');

  return (text) =>
    text.replace(search, (match: string, ...rest: unknown[]) => {
      const value = secretBehind.get(match);
      if (value !== undefined) return markOf(value);
      const pre = (rest.at(-1) as { pre?: string }).pre ?? '';
      const secret = match.slice(pre.length);
      if (pre.startsWith('://') && !isAddressPassword(secret)) return match;
      return pre + markOf(secretBehind.get(secret) ?? secret);
    });
}

/** `https://user:${TOKEN}@host` and `postgres://user:password@host` give nothing away. */
function isAddressPassword(text: string): boolean {
  return !/^(?:[$%{(*[]|x+$|\.+$)/i.test(text) && (isSecretValue(text) || /\d/.test(text));
}

/** The key of this home, made once. Several processes that start together agree on one. */
export async function readKey(file: string): Promise<Uint8Array> {
  const read = () => {
    const key = readFileSync(file);
    if (key.length === keyBytes) return key;
    throw new HomeError(
      `${file} holds ${key.length} bytes, expected ${keyBytes}.`,
      'Move it away; a new one is made, and secrets get other marks from then on.',
    );
  };
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await createFileOnce(file, randomBytes(keyBytes));
  return read();
}
