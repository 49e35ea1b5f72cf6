/** Longest body, in characters, that is stored. */
export const bodyCharsMax = 4 * 1024 * 1024;
/** A body is read this far for secrets; what is cut off afterwards may hold half of one. */
const bodyReadCharsMax = 2 * bodyCharsMax;
/** Longest secret: this close to a place where the text was cut before it was searched, half of one may stand. */
export const secretCharsMax = 65_536;

const cutLineCharsMax = 100;
const ellipsis = '…';

/** The first `charsMax` characters, the last of them an ellipsis when something is missing. Never half a character. */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : headOf(text, charsMax - ellipsis.length) + ellipsis;
}

/** The first `charsMax` characters, one less where the last would be half of a pair. */
export function headOf(text: string, charsMax: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(charsMax - 1)) ? charsMax - 1 : charsMax);
}

/** The last `charsMax` characters, one less where the first would be half of a pair. */
export function tailOf(text: string, charsMax: number): string {
  const start = Math.max(0, text.length - charsMax);
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

/** A text made fit for storing: without secrets, and at most `bodyCharsMax` long with a line that says how much is missing. */
export function fitBody(text: string, redact: (text: string) => string): string {
  const readWhole = text.length <= bodyReadCharsMax;
  const clean = redact(readWhole ? text : headOf(text, bodyReadCharsMax));
  if (readWhole && clean.length <= bodyCharsMax) return clean;
  const sureChars = readWhole ? clean.length : Math.max(0, clean.length - secretCharsMax);
  const head = headOf(clean, Math.min(sureChars, bodyCharsMax - cutLineCharsMax));
  return `${head}\n[cut here: about ${text.length - head.length} more characters were not kept]\n`;
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;
