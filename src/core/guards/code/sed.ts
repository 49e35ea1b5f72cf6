import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { hasAnything } from '../marks.ts';

/** Judges a sed script: `w` writes a file, `r` reads one, `e` runs a command; everything else only edits text. */
export function judgeSed(script: string, call: Call, world: World): void {
  let at = 0;
  while (at < script.length) {
    at = skipAddress(script, at);
    const command = script[at];
    if (command === undefined) return;
    if (hasAnything(command)) {
      report(world, 'run-code', 'a sed script that is not known before it runs');
      return;
    }
    at = judgeOne(script, at, command, call, world);
  }
}

/** Blanks, separators, addresses and `!` before a command. */
function skipAddress(script: string, from: number): number {
  let at = from;
  while (at < script.length) {
    const char = script[at] as string;
    if (/[\s;0-9,$!~+{}]/.test(char)) at++;
    else if (char === '#') at = lineEnd(script, at);
    else if (char === '/') at = afterFlags(script, delimited(script, at + 1, '/'));
    else if (char === '\\') at = afterFlags(script, delimited(script, at + 2, script[at + 1] ?? '/'));
    else return at;
  }
  return at;
}

const afterFlags = (script: string, at: number): number => (/[IM]/.test(script[at] ?? '') ? at + 1 : at);
const lineEnd = (script: string, at: number): number => {
  const end = script.indexOf('\n', at);
  return end === -1 ? script.length : end;
};

/** The position after the next unescaped delimiter; brackets may hold it. */
function delimited(script: string, from: number, delimiter: string): number {
  for (let at = from; at < script.length; at++) {
    if (script[at] === '\\') at++;
    else if (script[at] === delimiter) return at + 1;
  }
  return script.length;
}

function judgeOne(script: string, at: number, command: string, call: Call, world: World): number {
  const end = lineEnd(script, at);
  const file = script.slice(at + 1, end).trim();
  switch (command) {
    case 's': {
      const delimiter = script[at + 1] ?? '/';
      const second = delimited(script, delimited(script, at + 2, delimiter), delimiter);
      return judgeFlags(script, second, call, world);
    }
    case 'y': {
      const delimiter = script[at + 1] ?? '/';
      return delimited(script, delimited(script, at + 2, delimiter), delimiter);
    }
    case 'e':
      if (file === '') report(world, 'run-any', 'sed runs the text it edits');
      else {
        report(world, 'run-any', 'sed runs a command');
        world.script(file, call);
      }
      return end;
    case 'w':
    case 'W':
      writes(world, call, file);
      return end;
    case 'r':
    case 'R':
      reads(world, call, file);
      return end;
    case 'a':
    case 'i':
    case 'c':
      return textEnd(script, at);
    case 'b':
    case 't':
    case 'T':
    case ':':
      return Math.min(end, indexOrEnd(script, ';', at), indexOrEnd(script, '}', at));
    default:
      if (/[dDgGhHlnNpPqQxz=FvL]/.test(command)) return at + 1;
      report(world, 'run-code', `the sed command “${command}”`);
      return script.length;
  }
}

const indexOrEnd = (script: string, char: string, from: number): number => {
  const found = script.indexOf(char, from);
  return found === -1 ? script.length : found;
};

/** The text of `a`, `i` and `c` goes on over lines that end in a backslash. */
function textEnd(script: string, from: number): number {
  let end = lineEnd(script, from);
  while (end < script.length && script[end - 1] === '\\') end = lineEnd(script, end + 1);
  return end;
}

function judgeFlags(script: string, from: number, call: Call, world: World): number {
  let at = from;
  while (at < script.length && /[gpiIMm0-9ew]/.test(script[at] as string)) {
    if (script[at] === 'e') report(world, 'run-any', 'sed runs the text it edits');
    if (script[at] === 'w') {
      const end = lineEnd(script, at);
      writes(world, call, script.slice(at + 1, end).trim());
      return end;
    }
    at++;
  }
  return at;
}
