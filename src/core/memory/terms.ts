import { dictionaryForm } from './irregular.ts';
import { phraseAliases, phraseWordsMax } from './phrases.ts';
import { stem } from './stem.ts';

/** Longest term, in characters; what is longer is a blob, not a word. */
const termCharsMax = 64;

/** Words that carry no subject. Negations are read from the text itself, so they may stand here. */
const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its itself he him his she her hers they them their theirs
we us our ours you your yours i me my mine myself one ones someone somebody anyone anybody everybody everyone
something anything everything nothing who whom whose which what when where why how whether
and or but nor so yet if then else than as because since until unless while though although
of at by for with about against between into through during before after above below to from up down in out on off
over under again further once upon within without via per toward towards onto
is am are was were be been being do does did doing done have has had having will would shall should can could may might must
ought let lets get gets got getting
not no none never neither dont doesnt didnt isnt arent wasnt werent cant cannot couldnt wont wouldnt shouldnt
very too also just only even still already ever else more most much many some any all both each every few such own same
other another now thing things way ways ok yes please tell know need needs want wants like
s t d ll m re ve vs etc eg ie`.split(/\s+/),
);

/** A word of a text as it stood there. */
export interface Word {
  /** Lower case, without accents. */
  readonly plain: string;
  /** What it is found by. */
  readonly term: string;
  /** A name, a number or an identifier: it says which one is meant. */
  readonly isSpecific: boolean;
  readonly isStop: boolean;
  /** The whole of an identifier whose parts follow. */
  readonly isWhole: boolean;
}

const chunk = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_./:@#'’+-]*/gu;
const hump = /\p{Lu}+(?![\p{Ll}])|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+(?:\p{Ll}+)?/gu;
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}$/u;

/** The words of a text in their order: identifiers and paths whole and in parts, numbers without their commas. */
export function wordsOf(text: string): Word[] {
  const found: Word[] = [];
  const folded = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  const clean = folded.replace(/(\d),(?=\d{3}\b)/g, '$1');
  let isStart = true;
  let end = 0;
  for (const match of clean.matchAll(chunk)) {
    isStart ||= /[.!?:]\s|\n/.test(clean.slice(Math.max(0, end - 1), match.index));
    const raw = match[0].replace(/[^\p{L}\p{N}+#]+$/u, '').replace(/['’]s$/i, '');
    end = match.index + match[0].length;
    if (raw !== '') pushChunk(found, raw, isStart);
    isStart = /[.!?:]$/.test(match[0]);
  }
  return found;
}

function pushChunk(found: Word[], raw: string, isStart: boolean): void {
  const bare = raw.replace(/['’]/g, '');
  const isName = /^\p{Lu}/u.test(bare) && !isStart;
  const parts = bare.match(hump) ?? [];
  const isCompound = parts.length > 1 || /[^\p{L}\p{N}]/u.test(bare);
  if (cjk.test(bare)) {
    for (let at = 0; at + 1 < bare.length; at++) found.push(word(bare.slice(at, at + 2), false, false));
    return;
  }
  if (!isCompound) {
    found.push(word(bare.toLowerCase(), isName || /\d/.test(bare), false));
    return;
  }
  const whole = bare
    .toLowerCase()
    .replace(/\+\+$/, 'pp')
    .replace(/#$/, 'sharp')
    .replace(/[^\p{L}\p{N}]+/gu, '_');
  found.push(word(whole, true, true));
  for (const part of parts) found.push(word(part.toLowerCase(), isName || /\d/.test(part), false));
}

function word(plain: string, isSpecific: boolean, isWhole: boolean): Word {
  return {
    plain,
    term: isWhole ? plain.slice(0, termCharsMax) : termOf(plain),
    isSpecific,
    isStop: !isWhole && stopWords.has(plain),
    isWhole,
  };
}

const known = new Map<string, string>();
const knownMax = 20_000;

/** What a plain word is found by. The same words come again and again, so their stems are kept at hand. */
export function termOf(plain: string): string {
  const before = known.get(plain);
  if (before !== undefined) return before;
  const term = stem(dictionaryForm(plain)).slice(0, termCharsMax);
  if (known.size >= knownMax) known.clear();
  known.set(plain, term);
  return term;
}

/** The terms a memory is found by, in the order of its text; set phrases add their abbreviation. */
export function termsOf(text: string): string[] {
  const words = wordsOf(text);
  const terms = words.filter(({ isStop }) => !isStop).map(({ term }) => term);
  return [...terms, ...aliasesIn(words)];
}

/** Abbreviations of the set phrases in a text, e.g. `pr` for "pull request". */
export function aliasesIn(words: readonly Word[]): string[] {
  const plain = words.filter(({ isWhole }) => !isWhole).map((one) => one.plain);
  const found = new Set<string>();
  for (let at = 0; at < plain.length; at++) {
    for (let length = 2; length <= phraseWordsMax && at + length <= plain.length; length++) {
      const alias = phraseAliases.get(
        plain
          .slice(at, at + length)
          .map(termOf)
          .join(' '),
      );
      if (alias !== undefined) found.add(alias);
    }
  }
  return [...found];
}
