import type { ParameterOperation, Word } from 'unbash';
import { anything, isLiteral, oneChar, plain, star } from '../marks.ts';

/** Reads a word of an operation as one text; several possible texts give `anything`. */
export type ReadWord = (word: Word) => string;

/** The value after `${name<operation>}`. `value` undefined: the script did not assign the variable. */
export function operate(
  value: string,
  assigned: boolean,
  operation: ParameterOperation,
  read: ReadWord,
): string {
  switch (operation.type) {
    case 'Default':
      return byDefault(value, assigned, operation.operator, read(operation.operand));
    case 'Remove':
      return remove(value, operation.operator, read(operation.operand));
    case 'Replace':
      return replace(value, operation.operator, read(operation.pattern), read(operation.replacement));
    case 'Slice':
      return slice(value, read(operation.offset), operation.length ? read(operation.length) : undefined);
    case 'CaseModification':
      return changeCase(value, operation.operator, operation.operand);
    case 'Names':
      return plain;
    default:
      return anything;
  }
}

function byDefault(value: string, assigned: boolean, operator: string, operand: string): string {
  const isEmpty = operator.startsWith(':') && value === '';
  switch (operator) {
    case '+':
    case ':+':
      if (!assigned) return anything;
      return isEmpty ? '' : operand;
    case '?':
    case ':?':
      return value;
    default:
      // What the environment holds under this name is not known; the default is what the script's author expects.
      return assigned && !isEmpty ? value : operand;
  }
}

/** A shell pattern, written with our marks, as a regular expression source. */
function patternSource(pattern: string, greedy: boolean): string {
  let source = '';
  for (const char of pattern) {
    if (char === star) source += greedy ? '[\\s\\S]*' : '[\\s\\S]*?';
    else if (char === oneChar) source += '[\\s\\S]';
    else source += char.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  }
  return source;
}

/** A pattern simple enough to match in time linear in the value, give or take one wildcard. */
const isSimple = (pattern: string, value: string): boolean =>
  !pattern.includes(anything) &&
  pattern.length <= 200 &&
  value.length <= 2_000 &&
  pattern.split(star).length <= 2;

function remove(value: string, operator: string, pattern: string): string {
  if (!isSimple(pattern, value)) return anything;
  const greedy = operator.length === 2;
  const source = patternSource(pattern, greedy);
  if (operator.startsWith('#')) return value.replace(new RegExp(`^${source}`), '');
  // The shortest suffix starts as late as possible, the longest as early as possible.
  const matcher = new RegExp(`^([\\s\\S]*${greedy ? '?' : ''})${source}$`);
  return matcher.exec(value)?.[1] ?? value;
}

function replace(value: string, operator: string, pattern: string, replacement: string): string {
  if (!isLiteral(value) || !isSimple(pattern, value)) return anything;
  const source = patternSource(pattern, true);
  if (source === '') return value;
  const text = () => replacement;
  if (operator === '//') return value.replace(new RegExp(source, 'g'), text);
  if (operator === '/#') return value.replace(new RegExp(`^${source}`), text);
  if (operator === '/%') return value.replace(new RegExp(`${source}$`), text);
  return value.replace(new RegExp(source), text);
}

function slice(value: string, offset: string, length: string | undefined): string {
  const from = wholeNumber(offset);
  const count = length === undefined ? undefined : wholeNumber(length);
  if (!isLiteral(value) || from === undefined || (length !== undefined && count === undefined))
    return anything;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  if (count === undefined) return value.slice(start);
  return count < 0 ? value.slice(start, value.length + count) : value.slice(start, start + count);
}

const wholeNumber = (text: string): number | undefined =>
  /^\s*\(?\s*-?\d{1,6}\s*\)?\s*$/.test(text) ? Number(text.replaceAll(/[()\s]/g, '')) : undefined;

function changeCase(value: string, operator: string, operand: Word | undefined): string {
  if (operand) return anything;
  const change = (text: string) => (operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}
