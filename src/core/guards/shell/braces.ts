import { braceWordsMax } from '../guard-bounds.ts';

/**
 * The texts of a word after its first brace expansion: `a{b,c}d` gives `abd` and `acd`. Undefined when it would give
 * more words than are followed.
 */
export function expandBrace(before: string, brace: string, after: string): string[] | undefined {
  const inner = brace.slice(1, -1);
  const choices = rangeOf(inner) ?? splitChoices(inner);
  if (choices === undefined || choices.length > braceWordsMax) return undefined;
  return choices.map((choice) => before + choice + after);
}

function splitChoices(inner: string): string[] {
  const choices: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = '';
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at] as string;
    if (char === '\\') at++;
    else if (quote) quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === '{' || char === '(') depth++;
    else if (char === '}' || char === ')') depth--;
    else if (char === ',' && depth === 0) {
      choices.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  choices.push(inner.slice(start));
  return choices;
}

/** `1..9`, `a..e`, with an optional step. An over-long range is undefined, like one that is no range. */
function rangeOf(inner: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  const match = numbers ?? letters;
  if (!match) return undefined;
  const read = (text: string) => (numbers ? Number(text) : text.charCodeAt(0));
  const from = read(match[1] as string);
  const to = read(match[2] as string);
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)));
  const width = numbers && /^-?0\d/.test(match[1] as string) ? (match[1] as string).length : 0;
  const words: string[] = [];
  for (let n = from; from <= to ? n <= to : n >= to; n += from <= to ? step : -step) {
    words.push(numbers ? String(n).padStart(width, '0') : String.fromCharCode(n));
    if (words.length > braceWordsMax) break;
  }
  return words;
}
