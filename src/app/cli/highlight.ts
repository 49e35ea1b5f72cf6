import type { Terminal } from './terminal.ts';

type Paint = Terminal['paint'];

/** Control and direction characters as people can see them: what an agent wrote must not draw on this screen. */
export const visible = (text: string): string =>
  text.replaceAll(
    /[^\P{Cc}\n\t]|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** A diff with its additions and removals in colour. */
export const paintedDiff = (paint: Paint, text: string): string =>
  text
    .split('\n')
    .map((line) => {
      if (line.startsWith('+')) return paint('green', line);
      if (line.startsWith('-')) return paint('red', line);
      if (line.startsWith('@@')) return paint('cyan', line);
      return /^(?:diff|add|update|delete|move|write) /.test(line) ? paint('bold', line) : line;
    })
    .join('\n');

const words = /("(?:[^"\\]|\\.)*"|'[^']*')|(\|\|?|&&?|;|[<>]+)|((?<=\s)--?[A-Za-z][^\s=;|&]*)/g;

/** A command line: its quotes, its options and what joins its parts stand out. */
export const paintedCommand = (paint: Paint, text: string): string =>
  text.replaceAll(words, (all: string, quoted?: string, joins?: string, option?: string) => {
    if (quoted !== undefined) return paint('green', all);
    if (joins !== undefined) return paint('yellow', all);
    return option === undefined ? all : paint('cyan', all);
  });
