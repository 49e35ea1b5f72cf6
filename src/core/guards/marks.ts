import { shownCharsMax } from './guard-bounds.ts';

/**
 * Words are followed as text in which these characters stand for what is not known literally. None of them can
 * stand in a readable command: input that contains one is refused before it is parsed.
 */
/** Anything at all: empty, absolute, several folders. */
export const anything = '\u0000';
/** One plain word: a number, a date, a commit id; no slash, no leading dash or dot. */
export const plain = '\u0001';
/** An unquoted `*`. */
export const star = '\u0002';
/** An unquoted `?` or bracket expression. */
export const oneChar = '\u0003';
/** Any path below the folder before it. */
export const below = '\u0004';

const between = (first: string, last: string): string => `[${first}-${last}]`;
const mark = between(anything, below);
const markClass = new RegExp(mark);
const marksClass = new RegExp(mark, 'g');
const globClass = new RegExp(between(star, below));
const globsClass = new RegExp(between(star, below), 'g');
const onlyGlobs = new RegExp(`^[${star}-${below}.]+$`);
const narrowClass = new RegExp(between(plain, oneChar), 'g');
/** Control characters other than tab, newline and return hide what a person is shown; the last ones carry marks. */
const forbiddenClass = new RegExp(
  `[${String.fromCharCode(0)}-${String.fromCharCode(8)}${String.fromCharCode(11, 12)}${String.fromCharCode(14)}-${String.fromCharCode(31)}${String.fromCharCode(127)}\ue000-\ue004]`,
);
const carriedClass = /[\ue000-\ue004]/g;

const shownMarks: Record<string, string> = {
  [anything]: '…',
  [plain]: '…',
  [star]: '*',
  [oneChar]: '?',
  [below]: '**/',
};

/** Is every character of this word known? */
export const isLiteral = (word: string): boolean => !markClass.test(word);
/** Could this word stand for several paths? */
export const hasGlob = (word: string): boolean => globClass.test(word);
/** Where the first wildcard stands, or -1. */
export const firstGlob = (word: string): number => word.search(globClass);
/** Does this name stand for everything in its folder: `*`, `.*`, `??*`? */
export const isAllGlob = (name: string): boolean => hasGlob(name) && onlyGlobs.test(name);
/** The word with its wildcards replaced by a text. */
export const fillGlobs = (word: string, text: string): string => word.replace(globsClass, text);
/** The same for what stands for part of one name. */
export const fillNarrow = (word: string, text: string): string => word.replace(narrowClass, text);
/** Could this word be anything? */
export const hasAnything = (word: string): boolean => word.includes(anything);
/** Does the source hold characters that a person would not see, or that we use as marks? */
export const hidesText = (source: string): boolean => forbiddenClass.test(source);

/** Marks in a text that is parsed again travel as private letters, which the parser leaves alone. */
export const carryMarks = (text: string): string =>
  text.replace(marksClass, (one) => String.fromCharCode(0xe000 + one.charCodeAt(0)));
export const takeMarks = (text: string): string =>
  text.replace(carriedClass, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xe000));

/** A glob as a person would write it, whole; a wildcard that was quoted has a backslash. */
export const globText = (glob: string): string =>
  glob
    .replaceAll(/[\\*?]/g, String.raw`\$&`)
    .replaceAll(below, '**')
    .replaceAll(star, '*')
    .replaceAll(oneChar, '?');

/** The word as a person would write it, cut to a readable length. */
export function shown(word: string): string {
  const text = word.replace(marksClass, (one) => shownMarks[one] ?? '…').replaceAll(/\s+/g, ' ');
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax - 1)}…` : text;
}

/** Does this glob (with our marks) match the literal name, case aside? Time is bounded by the product of both lengths. */
export function globMatches(glob: string, name: string): boolean {
  let g = 0;
  let n = 0;
  let lastStar = -1;
  let retry = 0;
  while (n < name.length) {
    const want = glob[g];
    if (want !== undefined && isWild(want)) {
      lastStar = g++;
      retry = n;
    } else if (want !== undefined && (want === oneChar || want.toLowerCase() === name[n]?.toLowerCase())) {
      g++;
      n++;
    } else if (lastStar >= 0) {
      g = lastStar + 1;
      n = ++retry;
    } else return false;
  }
  while (g < glob.length && isWild(glob[g] as string)) g++;
  return g === glob.length;
}

const isWild = (char: string): boolean =>
  char === star || char === below || char === anything || char === plain;
