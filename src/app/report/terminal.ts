import type { BandKind, Report } from '../../core/report/index.ts';
import { oneLine, span, tildePath } from '../cli/format.ts';
import type { Terminal } from '../cli/terminal.ts';
import { clean, cleanLine } from './clean.ts';
import { type Block, flat, type Item, marks, type Section, type Series, type Timeline } from './document.ts';
import { documentOf } from './document-of.ts';
import { drawnLine, packed, tableLines, toneStyles, wrapped } from './terminal-layout.ts';

/** What the report needs of a terminal. */
type Drawn = Pick<Terminal, 'paint' | 'width' | 'env'>;
type Style = Parameters<Terminal['paint']>[0];

const outputLinesShown = 6;
const countsShown = 6;

/** The report for a terminal of any width: what matters first, the rest by its newest part, the next step last. */
export function terminalReport(report: Report, terminal: Drawn): string {
  const { run, title, mood, badge, says, sections, ...about } = documentOf(report);
  const { paint, env } = terminal;
  const width = terminal.width();
  const where = about.workspace === '' ? '' : ` in ${tildePath(cleanLine(about.workspace), env.HOME)}`;
  const isNext = ({ look }: Section): boolean => look === 'next';
  const parts = [
    [
      `${paint([toneStyles[mood], 'bold'], `● ${badge}`)}  ${paint('dim', run)}`,
      ...wrapped(cleanLine(title), width).map((line) => paint('bold', line)),
      ...wrapped(cleanLine(says), width),
    ],
    ...[...sections.filter((section) => !isNext(section)), ...sections.filter(isNext)].map((section) =>
      sectionLines(section, terminal),
    ),
    [
      `${cleanLine(about.agent)}${where} · ${about.when}`,
      about.record,
      `More: tireless report --html ${run} · tireless logs ${run}`,
    ]
      .flatMap((line) => wrapped(line, width))
      .map((line) => paint('dim', line)),
  ];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

function sectionLines({ title, look, blocks }: Section, terminal: Drawn): readonly string[] {
  const lines = blocks
    .filter(({ isDetail }) => isDetail !== true)
    .flatMap((block) => blockLines(block, terminal));
  if (title === undefined || lines.length === 0) return lines;
  const style = look === 'warn' ? 'yellow' : look === 'certificate' ? 'green' : 'reset';
  return [terminal.paint([style, 'bold'], cleanLine(title)), ...lines];
}

function blockLines(block: Block, terminal: Drawn): readonly string[] {
  const { paint } = terminal;
  const width = terminal.width();
  switch (block.is) {
    case 'text':
      return wrapped(
        flat(block.line)
          .map(({ before, text }) => before + cleanLine(text))
          .join(''),
        width,
        '  ',
      );
    case 'heading':
      return [`  ${paint('bold', cleanLine(block.text))}`];
    case 'command':
      return [`  ${paint(['bold', 'cyan'], cleanLine(block.text))}`];
    case 'quote':
      return wrapped(cleanLine(block.text), width, '  ');
    case 'output':
      return [`  ${paint('red', oneLine(block.title, width - 2))}`, ...endOf(block.text, width, paint)];
    case 'fold':
    case 'timeline':
      return block.is === 'fold' ? [] : timelineLines(block, terminal);
    case 'list':
      return block.items.map((item) => itemLine(item, terminal));
    case 'facts':
      return block.rows.map(
        ([name, value]) => `  ${paint('dim', name.padEnd(12))} ${drawnLine(value, width - 15, paint).text}`,
      );
    case 'counts': {
      const more = block.items.length - countsShown;
      const shown = block.items
        .slice(0, countsShown)
        .map(({ name, times }) => `${oneLine(name, width - 12)} ${times}`);
      return packed(more > 0 ? [...shown, `and ${more} more`] : shown, width, paint('dim', ' · '));
    }
    case 'figures':
      return packed(
        block.items.map(
          ({ name, value, note }) =>
            `${paint('bold', value)} ${name.toLowerCase()} ${paint('dim', `(${note})`)}`,
        ),
        width,
        paint('dim', ' · '),
      );
    case 'table':
      return tableLines(block, width, paint);
    case 'series':
      return seriesLines(block, terminal);
  }
}

const endOf = (text: string, width: number, paint: Drawn['paint']): readonly string[] =>
  clean(text)
    .trimEnd()
    .split('\n')
    .slice(-outputLinesShown)
    .map((line) => `  ${paint('dim', oneLine(line, width - 4))}`);

function itemLine({ how, line }: Item, { paint, width }: Drawn): string {
  const { mark, tone, note } = marks[how];
  const said = note === '' ? '' : ` (${note})`;
  const { text } = drawnLine(line, width() - 4 - said.length, paint);
  return `  ${paint(toneStyles[tone], mark)} ${text}${paint('dim', said)}`;
}

const bandStyles: Readonly<Record<BandKind, Style>> = {
  working: 'green',
  checking: 'cyan',
  deciding: 'blue',
  'waiting-person': 'yellow',
  'waiting-world': 'magenta',
  paused: 'gray',
  asleep: 'gray',
  unkept: 'red',
};

/** Where the time went as one coloured strip. */
function timelineLines({ bands, kinds }: Timeline, { paint, width }: Drawn): readonly string[] {
  const cells = width() - 4;
  const [first, last] = [bands[0], bands.at(-1)];
  if (first === undefined || last === undefined) return [];
  const each = (last.to - first.from) / cells;
  let strip = '';
  for (let cell = 0, at = 0; cell < cells; cell++) {
    const middle = first.from + (cell + 0.5) * each;
    while (at < bands.length - 1 && (bands[at]?.to ?? 0) < middle) at += 1;
    strip += paint(bandStyles[bands[at]?.kind ?? 'deciding'], '█');
  }
  const legend = kinds.map(({ kind, name, ms }) => `${paint(bandStyles[kind], '█')} ${name} ${span(ms)}`);
  return [`  ${strip}`, ...packed(legend, width())];
}

const steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** What each turn brought, as small bars; neighbours share one where there are too many. */
function seriesLines({ name, as, top, points, words }: Series, { paint, width }: Drawn): readonly string[] {
  const values = points.map(({ value }) => value);
  const most = Math.max(...values);
  if (most <= 0) return [];
  const [head, tail] = [`  ${name.padEnd(16)}  `, `  most ${words(most)}`];
  const cells = Math.min(width() - head.length - tail.length, values.length);
  if (cells < 1) return [`  ${oneLine(`${name}:${tail}`, width() - 2)}`];
  const bars = Array.from({ length: cells }, (_, cell) => {
    const from = Math.floor((cell * values.length) / cells);
    const to = Math.max(from + 1, Math.floor(((cell + 1) * values.length) / cells));
    const part = Math.max(...values.slice(from, to)) / (as === 'line' ? top : most);
    return steps[Math.min(7, Math.floor(part * 7.999))];
  }).join('');
  return [head + bars + paint('dim', tail)];
}
