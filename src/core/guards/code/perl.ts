import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';

const pure = new Set(
  'print printf say if unless else elsif while until for foreach do my our local sub return next last redo and or not xor x eq ne lt gt le ge cmp split join length uc lc ucfirst lcfirst substr index rindex sort keys values each push pop shift unshift splice map grep reverse scalar wantarray chomp chop chr ord sprintf eof defined undef exists delete abs int sqrt sin cos exp log rand srand hex oct localtime gmtime time pos quotemeta lc tr y s m q qq qw qr BEGIN END STDIN STDOUT STDERR ARGV ENV_ use strict warnings utf8 feature List Util first sum sum0 max min maxstr minstr uniq shuffle reduce any all none POSIX floor ceil strftime Data Dumper Dumper JSON PP decode_json encode_json pretty canonical encode decode die warn exit ref bless __END__ die a b i j k n g e_ gi VERSION Time HiRes binmode lib v5 pack unpack sprintf read_ getc tell seek_ close_ _ NR'.split(
    ' ',
  ),
);

/** Quote-like operators, and how many delimited parts each has. */
const quoteLike: Record<string, number> = { q: 1, qq: 1, qw: 1, m: 1, qr: 1, s: 2, tr: 2, y: 2 };
const pairs: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Judges Perl code: harmless only when it computes, matches, substitutes and prints. */
export function judgePerl(code: string, call: Call, world: World): void {
  const strange = findStrange(code, 0);
  if (strange === undefined) report(world, 'read', `${call.program} code that only matches and prints`);
  else report(world, 'run-code', `${call.program} code that uses ${shown(strange)}`);
}

/** The first thing in the code that is not known to be harmless. */
function findStrange(code: string, depth: number): string | undefined {
  if (depth > 4) return 'nested code';
  let at = 0;
  let previous = '';
  while (at < code.length) {
    const char = code[at] as string;
    if (char === '`') return 'backticks';
    if (char === '#' && /(^|[\s;{}])$/.test(code.slice(0, at))) {
      const end = code.indexOf('\n', at);
      at = end === -1 ? code.length : end;
    } else if (char === '"' || char === "'") {
      const end = closingOf(code, at + 1, char, char);
      const text = code.slice(at + 1, end);
      if (char === '"' && /@\{|\$\{\s*\\/.test(text)) return 'code inside a string';
      at = end + 1;
      previous = 'value';
    } else if (char === '/' && previous !== 'value') {
      const end = closingOf(code, at + 1, '/', '/');
      if (strangePattern(code.slice(at + 1, end))) return 'code inside a pattern';
      at = end + 1;
      previous = 'value';
    } else if (char === '<' && previous !== 'value' && /^<[^<>=\s]*[^\w$<>=\s][^<>]*>/.test(code.slice(at)))
      return 'a glob';
    else if (/[A-Za-z_]/.test(char)) {
      if (/^do\s*["'$(]/.test(code.slice(at))) return 'do FILE';
      const found = readName(code, at, depth);
      if (found.strange !== undefined) return found.strange;
      at = found.end;
      previous = found.isOperator ? '' : 'value';
    } else if (/[$@%&]/.test(char) && /[A-Za-z_{^:]/.test(code[at + 1] ?? '')) {
      const name = /^[$@%&]+\{?\^?(\w*(?:::\w+)*)/.exec(code.slice(at))?.[1] ?? '';
      if (name === 'ENV' || char === '&') return shown(code.slice(at, at + 20));
      at += 1 + name.length + (code[at + 1] === '{' ? 1 : 0);
      previous = 'value';
    } else {
      if (char === '|' && /^\|\s*["']|["']\s*\|/.test(code.slice(at))) return 'a pipe';
      if (!/\s/.test(char)) previous = /[)\]}\w$]/.test(char) ? 'value' : '';
      at++;
    }
  }
  return undefined;
}

const strangePattern = (pattern: string): boolean => /\(\?\??\{|@\{|\$\{\s*\\/.test(pattern);

function readName(
  code: string,
  at: number,
  depth: number,
): { end: number; strange?: string; isOperator: boolean } {
  const name = /^\w+(?:::\w+)*/.exec(code.slice(at))?.[0] ?? '';
  let end = at + name.length;
  const parts = quoteLike[name];
  const open = code[end] === ' ' && /[{(/|]/.test(code[end + 1] ?? '') ? code[++end] : code[end];
  // `=>` and `,` after a short name make it a word, not a quote operator.
  if (parts && open !== undefined && !/[\s\w,;=)]/.test(open)) {
    return { ...readQuoteLike(code, end, open, parts, name, depth), isOperator: false };
  }
  const isOperator =
    /^(if|unless|while|until|and|or|not|split|grep|map|join|return|print|x|eq|ne|push)$/.test(name);
  const words = name.split('::');
  if (!words.every((word) => pure.has(word))) return { end: at + name.length, strange: name, isOperator };
  return { end: at + name.length, isOperator };
}

function readQuoteLike(
  code: string,
  start: number,
  open: string,
  parts: number,
  name: string,
  depth: number,
): { end: number; strange?: string } {
  const close = pairs[open] ?? open;
  let end = closingOf(code, start + 1, open, close);
  const first = code.slice(start + 1, end);
  let second = '';
  if (parts === 2) {
    let from = end + 1;
    if (pairs[open]) {
      while (/\s/.test(code[from] ?? '')) from++;
      from++;
    }
    end = closingOf(code, from, pairs[open] ? (code[from - 1] ?? open) : open, close);
    second = code.slice(from, end);
  }
  const flags = /^[a-z]*/.exec(code.slice(end + 1))?.[0] ?? '';
  const after = end + 1 + (name === 'q' || name === 'qq' || name === 'qw' ? 0 : flags.length);
  if (strangePattern(first) || strangePattern(second))
    return { end: after, strange: 'code inside a pattern' };
  if (name === 's' && flags.includes('e')) {
    const strange = flags.includes('ee') ? 's///ee' : findStrange(second, depth + 1);
    if (strange !== undefined) return { end: after, strange };
  }
  return { end: after };
}

/** The position of the closing delimiter, nesting and escapes understood; the end of the code when there is none. */
function closingOf(code: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const char = code[at];
    if (char === '\\') at++;
    else if (open !== close && char === open) depth++;
    else if (char === close) {
      if (depth === 0) return at;
      depth--;
    }
  }
  return code.length;
}
