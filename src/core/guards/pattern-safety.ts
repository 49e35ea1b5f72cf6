import { patternCharsMax } from './limits.ts';

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
  return nestingProblem(source) ?? neighbourProblem(source);
}

interface Group {
  /** A quantifier without an upper bound, or with a large one, stands inside. */
  repeats: boolean;
  /** An alternative stands inside. */
  branches: boolean;
}

/** `(a+)+`, `(a|a)*`, `(a*){10}`: a repeated group whose inside can match the same text in several ways. */
function nestingProblem(source: string): string | undefined {
  const stack: Group[] = [{ repeats: false, branches: false }];
  let at = 0;
  while (at < source.length) {
    const char = source[at] as string;
    if (char === '\\') at += 2;
    else if (char === '[') at = classEnd(source, at);
    else if (char === '(') {
      stack.push({ repeats: false, branches: false });
      at++;
    } else if (char === '|') {
      (stack.at(-1) as Group).branches = true;
      at++;
    } else if (char === ')') {
      const inner = stack.pop() as Group;
      const outer = stack.at(-1);
      const repeat = repeatAt(source, at + 1);
      if (repeat && inner.repeats)
        return 'a repeated group holds another repetition, which can take exponential time';
      if (repeat && inner.branches)
        return 'a repeated group holds alternatives, which can take exponential time';
      if (outer) outer.repeats ||= repeat || inner.repeats;
      at++;
    } else {
      if (repeatAt(source, at + 1)) (stack.at(-1) as Group).repeats = true;
      at++;
    }
  }
  return undefined;
}

/** `.*.*`, `\w+\w+`, `a*[a-z]*`: several open repetitions may share the same text. More than two are too slow. */
function neighbourProblem(source: string): string | undefined {
  const open = source.match(/(?:\\.|\[[^\]]*\]|\.|\w|\))(?:[*+]|\{\d*,\d*\})/g) ?? [];
  return open.length > 4 ? 'more than four open repetitions, which can take very long' : undefined;
}

function repeatAt(source: string, at: number): boolean {
  const char = source[at];
  if (char === '*' || char === '+') return true;
  if (char !== '{') return false;
  const bounds = /^\{(\d+)(,(\d*))?\}/.exec(source.slice(at));
  if (!bounds) return false;
  return bounds[2] !== undefined ? bounds[3] === '' || Number(bounds[3]) > 10 : Number(bounds[1]) > 10;
}

function classEnd(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']' && at > from + 1) return at + 1;
  }
  return source.length;
}
