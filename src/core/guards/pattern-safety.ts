import { patternCharsMax } from './guard-bounds.ts';

/** Repetitions one pattern may hold: each one more multiplies the time by the length of the text. */
const repetitionsMax = { anchored: 2, free: 1 };
/** Parts that may be there or not: each one more doubles the time. */
const optionalsMax = 6;

/** Why a regular expression may not be used, or undefined when it is safe to run on hostile text. */
export function patternProblem(source: string): string | undefined {
  if (source.length > patternCharsMax) return `longer than ${patternCharsMax} characters`;
  try {
    new RegExp(source, 'u');
  } catch (error) {
    return error instanceof Error ? error.message : 'not a regular expression';
  }
  if (/\\[1-9]|\\k</.test(source)) return 'it refers back to a group, which can take exponential time';
  if (/\(\?<?[=!]/.test(source)) return 'it looks ahead or behind, which can take exponential time';
  return ambiguity(source);
}

interface Group {
  /** What is inside can match the same text in several ways. */
  isLoose: boolean;
}

type Quantifier = 'once' | 'optional' | 'repeated';

/** `(a+)+`, `(a|a)*`, `.*.*x`: patterns that can match the same text in too many ways. */
function ambiguity(source: string): string | undefined {
  const stack: Group[] = [{ isLoose: false }];
  let repeated = 0;
  let optional = 0;
  let at = 0;
  while (at < source.length) {
    const char = source[at] as string;
    const group = stack.at(-1) as Group;
    if (char === '(') {
      stack.push({ isLoose: false });
      at = source.startsWith('(?:', at) ? at + 3 : at + 1;
      continue;
    }
    if (char === '|') group.isLoose = true;
    const end = char === '\\' ? escapeEnd(source, at) : char === '[' ? classEnd(source, at) : at + 1;
    const inner = char === ')' ? stack.pop() : undefined;
    const { quantifier, next } = quantifierAt(source, end);
    if (quantifier === 'repeated' && inner?.isLoose) {
      return 'a repeated group holds repetitions, options or alternatives, which can take exponential time';
    }
    if (quantifier === 'repeated') repeated++;
    if (quantifier === 'optional') optional++;
    const around = stack.at(-1);
    if (around && (quantifier !== 'once' || inner?.isLoose)) around.isLoose = true;
    at = next;
  }
  const max = source.startsWith('^') ? repetitionsMax.anchored : repetitionsMax.free;
  if (repeated > max) {
    return `${repeated} repetitions, at most ${max} (2 when it starts with ^): each one multiplies the time; it need not match the whole command, so .* at its ends can go`;
  }
  return optional > optionalsMax ? `${optional} optional parts, at most ${optionalsMax}` : undefined;
}

/** The quantifier that stands here, if any, and where it ends. */
function quantifierAt(source: string, at: number): { quantifier: Quantifier; next: number } {
  const match = /^(?:([*+])|(\?)|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at, at + 24));
  if (!match) return { quantifier: 'once', next: at };
  const next = at + match[0].length;
  if (match[1]) return { quantifier: 'repeated', next };
  if (match[2]) return { quantifier: 'optional', next };
  const isFixed = match[4] === undefined || match[5] === match[3];
  return { quantifier: isFixed && Number(match[3]) <= 1 ? 'once' : 'repeated', next };
}

const escapeEnd = (source: string, at: number): number =>
  at + (/^\\[pPu]\{[^}]*\}/.exec(source.slice(at))?.[0].length ?? 2);

function classEnd(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']' && at > from + 1) return at + 1;
  }
  return source.length;
}
