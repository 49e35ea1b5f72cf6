import { shownCharsMax } from './limits.ts';

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are control characters so that no command can hold one.
const markClass = /[\u0000-\u0004]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
const marksClass = /[\u0000-\u0004]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
const globClass = /[\u0002-\u0004]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters other than tab, newline and return hide what a person is shown.
const forbiddenClass = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

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
/** Could this word be anything? */
export const hasAnything = (word: string): boolean => word.includes(anything);
/** Does the source hold characters that a person would not see, or that we use as marks? */
export const hidesText = (source: string): boolean => forbiddenClass.test(source);

/** The word as a person would write it, cut to a readable length. */
export function shown(word: string): string {
  const text = word.replace(marksClass, (mark) => shownMarks[mark] ?? '…').replaceAll(/\s+/g, ' ');
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

const isWild = (char: string): boolean => char === star || char === below || char === anything || char === plain;
