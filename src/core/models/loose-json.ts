/** Nested deeper than this is no answer to any question of ours. */
const depthMax = 12;
/** Places at which an object may begin that are tried in vain: prose full of braces is given up. */
const startsMax = 1_000;

/** One value as it was written, and whether the text ended inside it. */
interface Read {
  readonly value: unknown;
  readonly end: number;
}

/** What an object in a text says, and what had to be overlooked to read it. */
export interface LooseObject {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly problems: readonly string[];
  /** The text ended inside it: what was not finished is left out. */
  readonly isCut: boolean;
  /** A field stands there twice, saying different things. */
  readonly contradicts: boolean;
}

/** Bare words with a meaning, in the languages models confuse with JSON. */
const notJson: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
  ['undefined', null],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);
const strictWords: ReadonlySet<string> = new Set(['true', 'false', 'null']);

const cut = Symbol('the text ends here');
const broken = Symbol('this is no JSON, however loosely read');

/**
 * Every outermost object in a text, in order, whatever stands around it. Reads what models write instead of JSON
 * (single quotes, bare keys, trailing commas, a missing end), and says so. Total: never throws.
 */
export function looseObjects(text: string): readonly LooseObject[] {
  const found: LooseObject[] = [];
  for (let at = text.indexOf('{'), starts = 0; at !== -1 && starts < startsMax; starts += 1) {
    const reader = makeReader(text);
    const read = reader.object(at, 0);
    if (read === broken) {
      at = text.indexOf('{', at + 1);
      continue;
    }
    found.push(looseObject(read.value as ReadonlyMap<string, unknown>, reader));
    at = read.end >= text.length ? -1 : text.indexOf('{', read.end);
  }
  return found;
}

function looseObject(fields: ReadonlyMap<string, unknown>, { notes, seen }: Reader): LooseObject {
  return { fields, problems: [...notes], isCut: seen.cut, contradicts: seen.contradiction };
}

interface Reader {
  readonly notes: ReadonlySet<string>;
  readonly seen: { cut: boolean; contradiction: boolean };
  object(at: number, depth: number): Read | typeof broken;
}

/** Objects become maps, so that no key of a stranger's can mean anything to us. */
function makeReader(text: string): Reader {
  const notes = new Set<string>();
  const seen = { cut: false, contradiction: false };
  const note = (what: string): void => void notes.add(what);
  const ended = (value: unknown): Read => {
    seen.cut = true;
    note('the answer ends in the middle');
    return { value, end: text.length };
  };

  const object = (start: number, depth: number): Read | typeof broken => {
    const fields = new Map<string, unknown>();
    if (depth > depthMax) return broken;
    for (let at = skip(text, start + 1), isFirst = true; ; isFirst = false) {
      if (at >= text.length) return ended(fields);
      if (text[at] === '}') {
        if (!isFirst) note('a comma too many');
        return { value: fields, end: at + 1 };
      }
      const key = keyAt(text, at, note);
      if (key === broken) return broken;
      if (key === cut) return ended(fields);
      at = skip(text, key.end);
      if (at >= text.length) return ended(fields);
      if (text[at] !== ':') return broken;
      const one = value(skip(text, at + 1), depth);
      if (one === broken) return broken;
      if (one === cut) return ended(fields);
      const name = String(key.value);
      if (fields.has(name) && fields.get(name) !== one.value) seen.contradiction = true;
      fields.set(name, one.value);
      at = skip(text, one.end);
      if (at >= text.length) return ended(fields);
      if (text[at] === '}') return { value: fields, end: at + 1 };
      if (text[at] !== ',') return broken;
      at = skip(text, at + 1);
    }
  };

  const array = (start: number, depth: number): Read | typeof broken => {
    const items: unknown[] = [];
    if (depth > depthMax) return broken;
    for (let at = skip(text, start + 1), isFirst = true; ; isFirst = false) {
      if (at >= text.length) return ended(items);
      if (text[at] === ']') {
        if (!isFirst) note('a comma too many');
        return { value: items, end: at + 1 };
      }
      const one = value(at, depth);
      if (one === broken) return broken;
      if (one === cut) return ended(items);
      items.push(one.value);
      at = skip(text, one.end);
      if (at >= text.length) return ended(items);
      if (text[at] === ']') return { value: items, end: at + 1 };
      if (text[at] !== ',') return broken;
      at = skip(text, at + 1);
    }
  };

  const value = (at: number, depth: number): Read | typeof broken | typeof cut => {
    const first = text[at];
    if (first === undefined) return cut;
    if (first === '{') return object(at, depth + 1);
    if (first === '[') return array(at, depth + 1);
    if (first === '"' || first === "'") return stringAt(text, at, note);
    return wordAt(text, at, note);
  };

  return { notes, seen, object };
}

/** The next place that is no white space. */
function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at += 1;
  return at;
}

type Scalar = Read | typeof broken | typeof cut;
type Note = (what: string) => void;

function keyAt(text: string, at: number, note: Note): Scalar {
  if (text[at] === '"' || text[at] === "'") return stringAt(text, at, note);
  const bare = /[A-Za-z_$][\w$-]{0,100}/y;
  bare.lastIndex = at;
  const [name] = bare.exec(text) ?? [];
  if (name === undefined) return broken;
  note('keys without quotes');
  return { value: name, end: at + name.length };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function stringAt(text: string, start: number, note: Note): Scalar {
  const quote = text[start] as string;
  if (quote === "'") note('single quotes');
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') {
      const code = text[at + 1] === 'u' ? /^[0-9a-fA-F]{4}/.exec(text.slice(at + 2, at + 6))?.[0] : undefined;
      const next = text[at + 1] ?? '';
      parts.push(
        text.slice(from, at),
        code === undefined ? (escapes[next] ?? next) : String.fromCharCode(Number.parseInt(code, 16)),
      );
      at += code === undefined ? 1 : 5;
      from = at + 1;
    } else if (char === quote && (quote === '"' || endsWord(text, at + 1))) {
      return { value: parts.join('') + text.slice(from, at), end: at + 1 };
    }
  }
  return cut;
}

/** An apostrophe inside a text in single quotes is none of them. */
function endsWord(text: string, at: number): boolean {
  const next = text[skip(text, at)];
  return next === undefined || ',:}]'.includes(next);
}

function wordAt(text: string, at: number, note: Note): Scalar {
  const word = /[-+.\w]{1,100}/y;
  word.lastIndex = at;
  const [found] = word.exec(text) ?? [];
  if (found === undefined) return broken;
  // A number at the very end may have had more digits.
  if (at + found.length >= text.length) return cut;
  if (notJson.has(found)) {
    if (!strictWords.has(found)) note(`${found} is not JSON`);
    return { value: notJson.get(found), end: at + found.length };
  }
  if (text[at + found.length] === '%') {
    note('a word without quotes');
    return { value: `${found}%`, end: at + found.length + 1 };
  }
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(found))
    return { value: Number(found), end: at + found.length };
  note('a word without quotes');
  return { value: found, end: at + found.length };
}
