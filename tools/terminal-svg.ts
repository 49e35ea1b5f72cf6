/**
 * Draws what a terminal showed: `node tools/terminal-svg.ts [--seconds 2] frame.txt... > out.svg`. Each file is one
 * screen with its colours, as `tmux capture-pane -e -p` prints it; several are shown one after the other, for ever.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const cellWidth = 8.4;
const lineHeight = 19;
const margin = 16;
const barHeight = 28;

interface Style {
  readonly color: string | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

interface Piece extends Style {
  readonly column: number;
  readonly text: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const sgr = /(\u001b\[[0-9;]*m)/;
const plain: Style = { color: null, isBold: false, isDim: false };
const ink = '#d6dae0';
/** The sixteen colours a program can name, on a dark ground. */
const palette = ['#5c6370', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d6dae0'];

/** The lines of a screen, cut where the style changes; a style holds until it is changed, also into the next line. */
function linesOf(screen: string): readonly (readonly Piece[])[] {
  let style = plain;
  return screen
    .trimEnd()
    .split('\n')
    .map((line) => {
      const pieces: Piece[] = [];
      let column = 0;
      for (const part of line.split(sgr)) {
        const codes = part.startsWith('\u001b[') ? part.slice(2, -1) : null;
        if (codes !== null) {
          style = codes.split(';').reduce((now, code) => styled(now, Number(code)), style);
          continue;
        }
        // A sign outside ASCII may be wider than a cell in the reader's font: what follows starts at its own place again.
        for (const text of stripVTControlCharacters(part).split(/([^\x20-\x7e])/)) {
          const blank = text.length - text.trimStart().length;
          if (text.trim() !== '') pieces.push({ ...style, column: column + blank, text: text.trim() });
          column += [...text].length;
        }
      }
      return pieces;
    });
}

function styled(style: Style, code: number): Style {
  if (code === 0) return plain;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 39) return { ...style, color: null };
  if (code >= 30 && code <= 37) return { ...style, color: palette[code - 30] ?? null };
  if (code >= 90 && code <= 97) return { ...style, color: palette[code - 90] ?? null };
  return style;
}

/** The screens as one picture. Readers who asked for less motion see the last screen only. */
export function terminalSvg(screens: readonly string[], title: string, secondsEach: number): string {
  const frames = screens.map(linesOf);
  const columns = Math.max(...frames.flat(2).map((piece) => piece.column + [...piece.text].length));
  const width = Math.ceil(columns * cellWidth) + 2 * margin;
  const height = Math.max(...frames.map((lines) => lines.length)) * lineHeight + barHeight + margin;
  const share = 100 / frames.length;
  const motion = frames.map((_, n) => `.f${n}{animation-delay:${n * secondsEach}s}`).join('');
  const isStill = frames.length === 1;
  const css = isStill
    ? ''
    : `.f{visibility:hidden;animation:show ${frames.length * secondsEach}s step-end infinite}${motion}@keyframes show{0%{visibility:visible}${share}%{visibility:hidden}}@media(prefers-reduced-motion:reduce){.f{animation:none}.f${frames.length - 1}{visibility:visible}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${ink};white-space:pre}.b{font-weight:700}.d{fill-opacity:.6}${css}</style>
<rect width="${width}" height="${height}" rx="8" fill="#1b1f26"/>
<text x="${width / 2}" y="19" text-anchor="middle" class="d">${escaped(title)}</text>
${frames.map((lines, n) => `<g class="${isStill ? '' : `f f${n}`}">\n${lines.map(lineSvg).join('')}</g>`).join('\n')}
</svg>
`;
}

function lineSvg(pieces: readonly Piece[], row: number): string {
  if (pieces.length === 0) return '';
  const y = barHeight + (row + 1) * lineHeight - 5;
  return `<text y="${y}">${pieces.map(pieceSvg).join('')}</text>\n`;
}

function pieceSvg({ column, text, color, isBold, isDim }: Piece): string {
  const classes = [isBold ? 'b' : '', isDim ? 'd' : ''].join(' ').trim();
  const x = Number((margin + column * cellWidth).toFixed(1));
  const look = `${classes === '' ? '' : ` class="${classes}"`}${color === null ? '' : ` fill="${color}"`}`;
  return `<tspan x="${x}"${look}>${escaped(text.replaceAll(' ', '\u00a0'))}</tspan>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '2' }, title: { type: 'string', default: 'tireless' } },
  });
  const seconds = Number(values.seconds);
  if (positionals.length === 0 || !(seconds > 0)) {
    console.error(`usage: ${basename(import.meta.filename)} [--seconds 2] [--title text] frame.txt...`);
    process.exit(2);
  }
  const screens = positionals.map((file) => readFileSync(file, 'utf8'));
  process.stdout.write(terminalSvg(screens, values.title, seconds));
}
