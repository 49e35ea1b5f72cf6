import { type Moment, momentIn } from './moments.ts';
import { hintsOf, looseOf, synonymsOf } from './synonyms.ts';
import { aliasesIn, termOf, type Word, wordsOf } from './terms.ts';

/** Most words of a question that are looked for; of a longer one the first count. */
const conceptsMax = 48;

/** One thing a question is about, and the terms that may stand for it, each with how well it does (0 to 1). */
export interface Concept {
  /** As the person wrote it. */
  readonly word: string;
  readonly term: string;
  readonly weight: number;
  readonly variants: ReadonlyMap<string, number>;
}

export interface Question {
  readonly concepts: readonly Concept[];
  /** Names in it, in lower case. */
  readonly names: ReadonlySet<string>;
  readonly moment: Moment | null;
  /** It asks for what is not so. */
  readonly isNegated: boolean;
  /** It asks how things are now. */
  readonly isAboutNow: boolean;
  readonly wants: 'time' | 'number' | null;
}

const weights = {
  synonym: 0.7,
  loose: 0.5,
  hint: 0.3,
  joined: 0.8,
  alias: 0.9,
  specific: 1.25,
  dated: 0.6,
  excluded: 0,
};

const negation =
  /\b(?:not|no|never|none|neither|nor|without|cannot|avoid|forbidden|except|\w+n['’]t|dont|doesnt|shouldnt|cant)\b/i;

export const speaksOfNot = (text: string): boolean => negation.test(text);

/** Reads a question: what it is about, of which time it speaks, what kind of answer it wants. */
export function readQuestion(text: string, nowAt: number): Question {
  const moment = momentIn(text, nowAt);
  const words = wordsOf(text);
  const excluded = excludedIn(text);
  const dated = new Set(moment === null ? [] : wordsOf(moment.words).map(({ term }) => term));
  const concepts = new Map<string, Concept>();
  const content = words.filter(({ isStop }) => !isStop);
  const hasNames = tellsNames(text);
  for (const [at, word] of content.entries()) {
    if (concepts.size >= conceptsMax || concepts.has(word.term)) continue;
    const weight =
      (word.isSpecific && (hasNames || /\d|_/.test(word.plain)) ? weights.specific : 1) *
      (dated.has(word.term) ? weights.dated : 1) *
      (excluded.has(word.term) ? weights.excluded : 1);
    concepts.set(word.term, conceptOf(word, content[at + 1], content[at - 1], weight));
  }
  for (const alias of aliasesIn(words)) {
    if (!concepts.has(alias))
      concepts.set(alias, {
        word: alias,
        term: alias,
        weight: weights.alias,
        variants: variantsOf(alias, []),
      });
  }
  return {
    concepts: [...concepts.values()].filter(({ weight }) => weight > 0),
    names: new Set(
      content
        .filter((word) => hasNames && word.isSpecific && !/\d|_/.test(word.plain))
        .map((word) => word.plain),
    ),
    moment,
    isNegated: speaksOfNot(text),
    isAboutNow: /\b(?:current(?:ly)?|now(?:adays)?|latest|newest|today|still|these days|most recent)\b/i.test(
      text,
    ),
    wants: wantsOf(text),
  };
}

/** Capitals say nothing where every word has one, as in a heading. */
function tellsNames(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
  return words.filter((word) => /^\p{Lu}/u.test(word)).length * 2 <= words.length + 1;
}

function wantsOf(text: string): Question['wants'] {
  if (/^\W*(?:when|what (?:time|date|day|year|month)|since when|how long ago)\b/i.test(text)) return 'time';
  return /\bhow (?:many|much|long|often|big|large|fast|old|far)\b|\bwhat (?:number|percentage|amount|size|port|version)\b/i.test(
    text,
  )
    ? 'number'
    : null;
}

/** What a question rules out by name: "other than Redis". */
function excludedIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const pattern =
    /\b(?:other than|except(?: for)?|excluding|apart from|aside from|besides|not about)\s+(\S+)/gi;
  for (const [, word = ''] of text.matchAll(pattern)) for (const one of wordsOf(word)) found.add(one.term);
  return found;
}

function conceptOf(word: Word, next: Word | undefined, before: Word | undefined, weight: number): Concept {
  const joined: string[] = [];
  // People write "time out" and "timeout", "log file" and "logfile".
  if (next !== undefined && !word.isWhole) joined.push(termOf(word.plain + next.plain));
  if (before !== undefined && !word.isWhole) joined.push(termOf(before.plain + word.plain));
  return { word: word.plain, term: word.term, weight, variants: variantsOf(word.term, joined) };
}

function variantsOf(term: string, joined: readonly string[]): Map<string, number> {
  const variants = new Map<string, number>([[term, 1]]);
  const add = (other: string, weight: number) =>
    variants.set(other, Math.max(weight, variants.get(other) ?? 0));
  for (const other of joined) add(other, weights.joined);
  for (const other of synonymsOf.get(term) ?? []) add(other, weights.synonym);
  for (const other of looseOf.get(term) ?? []) add(other, weights.loose);
  for (const other of hintsOf.get(term) ?? []) add(other, weights.hint);
  return variants;
}
