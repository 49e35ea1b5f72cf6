import type { Terminal } from '../cli/terminal.ts';
import { cleanLine } from './clean.ts';
import { excerptOf, flat, type Line, type Piece, type Table, type Tone } from './document.ts';

type Paint = Terminal['paint'];

const rowsShown = 12;
const columnCharsMax = 80;
const wordCharsMin = 9;

export const toneStyles = {
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  calm: 'cyan',
  soft: 'reset',
  faint: 'dim',
} as const satisfies Readonly<Record<Tone, Parameters<Paint>[0]>>;

/** Breaks a text at spaces; a word longer than the line is broken where it must. */
export function wrapped(text: string, width: number, indent = ''): readonly string[] {
  const room = Math.max(10, width - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length <= room) {
      line += ` ${rest}`;
      continue;
    }
    if (line !== '') lines.push(line);
    for (; rest.length > room; rest = rest.slice(room)) lines.push(rest.slice(0, room));
    line = rest;
  }
  return [...lines, line].map((one) => indent + one);
}

/** As many parts on a line as fit; colours take no room. */
export function packed(parts: readonly string[], width: number, between = '  '): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
  const bare = (text: string): number => text.replaceAll(/\u001b\[[0-9;]*m/g, '').length;
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && bare(last) + bare(between) + bare(part) <= width)
      lines[lines.length - 1] = `${last}${between}${part}`;
    else lines.push(`  ${part}`);
  }
  return lines;
}

const lengthOf = (line: Line): number =>
  flat(line).reduce((sum, { before, text }) => sum + before.length + cleanLine(text).length, 0);

/** A line in colours, cut to the room there is, and how long it became. */
export function drawnLine(line: Line, room: number, paint: Paint): { text: string; length: number } {
  const isWhole = lengthOf(line) <= room;
  let left = isWhole ? room : room - 1;
  let text = '';
  for (const { before, ...piece } of flat(line)) {
    const shown = (before + cleanLine(piece.text)).slice(0, left);
    const start = Math.min(before.length, shown.length);
    text += shown.slice(0, start) + painted(piece, shown.slice(start), paint);
    left -= shown.length;
  }
  return isWhole ? { text, length: room - left } : { text: `${text}…`, length: room - left };
}

function painted({ tone, as }: Piece, text: string, paint: Paint): string {
  const toned = tone === undefined || tone === 'soft' ? text : paint(toneStyles[tone], text);
  return as === 'strong' ? paint('bold', toned) : toned;
}

/** The rows that matter most, under their heads, in columns as wide as they need to be and the terminal allows. */
export function tableLines(table: Table, width: number, paint: Paint): string[] {
  const { columns } = table;
  const { shown, note } = excerptOf(table, rowsShown);
  const sized = columns.flatMap(({ name, as, isDetail }, i) => {
    const chars = Math.max(name.length, ...shown.map((row) => lengthOf(row[i] ?? '')));
    return isDetail === true ? [] : [{ i, as, chars: Math.min(columnCharsMax, chars) }];
  });
  const kept = fitted(sized, width - 2);
  const cells = (cell: (i: number) => Line): string =>
    kept
      .map(({ i, chars, as }) => {
        const { text, length } = drawnLine(cell(i), chars, paint);
        const pad = ' '.repeat(chars - length);
        return as === 'number' ? pad + text : text + pad;
      })
      .join('  ')
      .trimEnd();
  const heads = cells((i) => columns[i]?.name ?? '');
  return [
    `  ${paint('dim', heads)}`,
    ...shown.map((row) => `  ${cells((i) => row[i] ?? '')}`),
    ...(note === '' ? [] : [`  ${paint('dim', note)}`]),
  ];
}

interface Sized {
  readonly i: number;
  readonly as?: 'number' | 'time' | 'wide';
  readonly chars: number;
}

/** Takes from the widest until all fit. Where words become too short to be read, figures give way. */
function fitted(columns: readonly Sized[], room: number): readonly Sized[] {
  const widest = columns.reduce((a, b) => (b.chars > a.chars ? b : a));
  if (columns.reduce((sum, { chars }) => sum + chars + 2, -2) <= room) return columns;
  const figure = columns.findLast(({ i, as }) => i > 0 && (as === 'number' || as === 'time'));
  if (widest.chars <= wordCharsMin && figure !== undefined)
    return fitted(
      columns.filter((one) => one !== figure),
      room,
    );
  if (widest.chars <= 1) return columns;
  return fitted(
    columns.map((one) => (one === widest ? { ...one, chars: one.chars - 1 } : one)),
    room,
  );
}
