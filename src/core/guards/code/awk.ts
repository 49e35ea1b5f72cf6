import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { anything, hasAnything, shown } from '../marks.ts';
import { nothing } from '../shell/state.ts';

/** One token of an awk program, as far as it decides where output goes. */
type Token =
  | { of: 'text'; text: string }
  | { of: 'pattern' }
  | { of: 'name'; text: string }
  | { of: 'mark'; text: string };

/** Judges an awk program: `system`, pipes, redirected output and sockets are what they are; the rest computes. */
export function judgeAwk(program: string, call: Call, world: World): void {
  if (hasAnything(program)) {
    report(world, 'run-code', 'an awk program that is not known before it runs');
    return;
  }
  const tokens = tokensOf(program);
  for (const token of tokens) {
    if (token.of === 'text' && /^\/inet[46]?\//.test(token.text))
      report(world, 'network-out', shown(token.text));
  }
  for (const token of tokens)
    if (token.of === 'text' && /^[~/]\w[^\s*]*$/.test(token.text)) reads(world, call, token.text);
  for (let at = 0; at < tokens.length; at++) judgeToken(tokens, at, call, world);
  report(world, 'read', `${call.program} program`);
}

function judgeToken(tokens: readonly Token[], at: number, call: Call, world: World): void {
  const token = tokens[at] as Token;
  if (token.of === 'name') {
    if (token.text === 'system') {
      report(world, 'run-any', 'awk runs a command');
      runs(textAfter(tokens, at + 1), call, world);
    }
    if (token.text === 'ENVIRON' && isMark(tokens[at - 1], undefined, 'in'))
      report(world, 'read-secret', 'ENVIRON');
    if (token.text === 'print' || token.text === 'printf') judgePrint(tokens, at + 1, call, world);
    if (token.text === 'getline') judgeGetline(tokens, at, call, world);
    return;
  }
  if (token.of === 'mark' && token.text === '@')
    report(world, 'run-code', 'awk extensions or indirect calls');
}

const isMark = (token: Token | undefined, mark: string | undefined, name?: string): boolean =>
  (token?.of === 'mark' && token.text === mark) || (token?.of === 'name' && token.text === name);

function runs(command: string, call: Call, world: World): void {
  if (hasAnything(command)) report(world, 'run-any', `awk runs ${shown(command)}`);
  else world.script(command, call, { stdin: nothing });
}

/** The text of a string expression that starts here: literals joined, anything else unknown. */
function textAfter(tokens: readonly Token[], from: number): string {
  let text = '';
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.of === 'text') text += token.text;
    else if (token.of === 'mark' && token.text === '(') depth++;
    else if (token.of === 'mark' && token.text === ')') {
      if (--depth <= 0) break;
    } else if (token.of === 'mark' && /^[;}\n|>{]$/.test(token.text) && depth === 0) break;
    else text += anything;
  }
  return text;
}

/** `print … > file`, `print … | command`; a `>` inside parentheses compares. */
function judgePrint(tokens: readonly Token[], from: number, call: Call, world: World): void {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.of !== 'mark') continue;
    if (token.text === '(' || token.text === '[') depth++;
    else if (token.text === ')' || token.text === ']') depth--;
    else if (depth > 0) continue;
    else if (/^[;}\n]$/.test(token.text)) return;
    else if (token.text === '>' || token.text === '>>') {
      const path = textAfter(tokens, at + 1);
      if (path !== '/dev/stderr' && path !== '/dev/stdout' && path !== '-') writes(world, call, path);
      return;
    } else if (token.text === '|' || token.text === '|&') {
      runs(textAfter(tokens, at + 1), call, world);
      return;
    }
  }
}

/** `"command" | getline`, `getline < file`. */
function judgeGetline(tokens: readonly Token[], at: number, call: Call, world: World): void {
  const before = tokens[at - 1];
  if (before?.of === 'mark' && (before.text === '|' || before.text === '|&')) {
    const command = tokens[at - 2];
    const isWhole = command?.of === 'text' && /^[({;\n]?$/.test(markText(tokens[at - 3]));
    runs(isWhole ? command.text : anything, call, world);
  }
  for (let next = at + 1; next < Math.min(tokens.length, at + 4); next++) {
    const token = tokens[next] as Token;
    if (token.of === 'mark' && token.text === '<') {
      reads(world, call, textAfter(tokens, next + 1));
      return;
    }
    if (token.of === 'mark' && /^[;}\n)]$/.test(token.text)) return;
  }
}

const markText = (token: Token | undefined): string =>
  token === undefined ? '' : token.of === 'mark' ? token.text : 'x';

function tokensOf(program: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const char = program[at] as string;
    if (char === '#') at = endOfLine(program, at);
    else if (char === '"') {
      const end = quoteEnd(program, at + 1, '"');
      tokens.push({ of: 'text', text: unescaped(program.slice(at + 1, end)) });
      at = end + 1;
    } else if (char === '/' && startsPattern(tokens.at(-1))) {
      at = quoteEnd(program, at + 1, '/') + 1;
      tokens.push({ of: 'pattern' });
    } else if (/[A-Za-z_]/.test(char)) {
      const name = /^\w+/.exec(program.slice(at))?.[0] ?? char;
      tokens.push({ of: 'name', text: name });
      at += name.length;
    } else if (char === '\\' && program[at + 1] === '\n') at += 2;
    else if (char === ' ' || char === '\t' || char === '\r') at++;
    else {
      const two = program.slice(at, at + 2);
      const mark = /^(>>|\|\||&&|>=|<=|==|!=|\|&)$/.test(two) ? two : char;
      tokens.push({ of: 'mark', text: mark });
      at += mark.length;
    }
  }
  return tokens;
}

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

function quoteEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)/g, (_whole, code: string) => {
    if (code[0] === 'x') return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return { n: '\n', t: '\t' }[code] ?? code;
  });

/** A slash after a value divides; anywhere else it opens a pattern. */
const startsPattern = (before: Token | undefined): boolean =>
  before === undefined ||
  (before.of === 'mark' && !/^[)\]$0-9]$/.test(before.text)) ||
  (before.of === 'name' && /^(in|print|return|case|getline)$/.test(before.text));
