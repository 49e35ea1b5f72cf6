/** The names and texts of a piece of code, as far as they decide whether it can only compute and print. */
export interface CodeTokens {
  names: readonly CodeName[];
  strings: readonly string[];
  /** The code with its strings emptied and comments taken out. */
  bare: string;
}

export interface CodeName {
  name: string;
  /** It follows a dot, an arrow or a double colon: a member of something. */
  isMember: boolean;
}

export interface Grammar {
  lineComments: readonly string[];
  quotes: string;
  /** Opens code inside a string, closed by `}`. */
  interpolation?: string;
  /** Only strings with this prefix interpolate (Python's f-strings). */
  interpolationPrefix?: string;
  /** `/…/` after an operator is a pattern. */
  patterns?: boolean;
}

/** Reads code without understanding it: strings out, names kept. */
export function readCode(code: string, grammar: Grammar): CodeTokens {
  const strings: string[] = [];
  let bare = '';
  let inner = '';
  let at = 0;
  while (at < code.length) {
    const char = code[at] as string;
    if (
      grammar.lineComments.some((mark) => code.startsWith(mark, at)) &&
      !(char === '#' && bare.endsWith('$'))
    ) {
      const end = code.indexOf('\n', at);
      at = end === -1 ? code.length : end;
      continue;
    }
    if (
      char === '/' &&
      grammar.patterns &&
      /(^|[(,=:[!&|?{};~]|\b(if|unless|and|or|not|return|when|while|until|puts|p))\s*$/.test(bare)
    ) {
      at = stringEnd(code, at + 1, '/') + 1;
      while (/[a-z]/.test(code[at] ?? '')) at++;
      bare += '""';
      continue;
    }
    if (!grammar.quotes.includes(char)) {
      bare += char;
      at++;
      continue;
    }
    const isTriple = code.startsWith(char.repeat(3), at);
    const close = isTriple ? char.repeat(3) : char;
    const end = stringEnd(code, at + close.length, close);
    const text = code.slice(at + close.length, end);
    strings.push(text);
    const prefix = grammar.interpolationPrefix;
    const interpolates =
      grammar.interpolation && char !== (prefix ? '' : "'") && (!prefix || /[fF][rR]?$/.test(bare));
    if (interpolates) inner += ` ${interpolated(text, grammar.interpolation as string)} `;
    bare += '""';
    at = end + close.length;
  }
  const all = `${bare} ${inner}`;
  return { names: namesOf(all), strings, bare: all };
}

function stringEnd(code: string, from: number, close: string): number {
  for (let at = from; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code.startsWith(close, at)) return at;
  }
  return code.length;
}

/** The code between the opening mark and the next closing brace, everywhere in a string. */
function interpolated(text: string, open: string): string {
  return text
    .split(open)
    .slice(1)
    .map((rest) => rest.split('}')[0] ?? '')
    .join(' ; ');
}

function namesOf(code: string): CodeName[] {
  const names: CodeName[] = [];
  for (const match of code.matchAll(/[A-Za-z_][\w]*/g)) {
    const before = code.slice(Math.max(0, match.index - 3), match.index);
    if (/\d$/.test(before)) continue;
    const after = code.slice(match.index + match[0].length, match.index + match[0].length + 3);
    // `{ name: … }`: a key names nothing that runs.
    if (/[{,]\s*$/.test(before) && /^\s*:(?!:)/.test(after)) continue;
    names.push({ name: match[0], isMember: /(\.|->|::)\s?$/.test(before) && !/\.\.\.?$/.test(before) });
  }
  return names;
}
