import type { Report } from '../../core/report/index.ts';
import { span } from '../cli/format.ts';
import { clean, cleanLine } from './clean.ts';
import {
  type Block,
  excerptOf,
  flat,
  type Line,
  marks,
  type Piece,
  type Section,
  type Table,
} from './document.ts';
import { documentOf } from './document-of.ts';

/** A file that people paste into an issue must stay readable. */
const rowsShown = 50;
const cellCharsMax = 300;

/** The report as Markdown that can be pasted anywhere: what agents wrote stays text. */
export function markdownReport(report: Report): string {
  const { title, badge, says, agent, when, record, isPublic, sections } = documentOf(report);
  const parts = [
    `# ${inline(title.split('\n')[0] ?? '')}`,
    `**${badge}.** ${inline(says)}`,
    ...sections.map(sectionText),
    `---\n\n${inline(agent)}, ${when}${isPublic ? ', shortened for the public' : ''} · ${record}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const sectionText = ({ title, count, blocks }: Section): string =>
  [
    title === undefined ? '' : `## ${inline(title)}${count === undefined ? '' : `: ${count}`}`,
    ...blocks.map(blockText),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

function blockText(block: Block): string {
  switch (block.is) {
    case 'text':
      return lineText(block.line);
    case 'heading':
      return `### ${inline(block.text)}`;
    case 'command':
    case 'quote':
      return fenced(block.text);
    case 'output':
      return `${inline(block.title)}\n\n${fenced(block.text)}`;
    case 'fold': {
      const { title, block: inner } = block;
      const body = 'text' in inner ? fenced(inner.text) : blockText(inner);
      return `<details><summary>${inline(title)}</summary>\n\n${body}\n\n</details>`;
    }
    case 'list':
      return block.items
        .map(
          ({ line, how }) => `* ${lineText(line)}${marks[how].note === '' ? '' : ` *(${marks[how].note})*`}`,
        )
        .join('\n');
    case 'facts':
      return grid(
        ['', ''],
        block.rows.map(([name, value]) => [name, lineText(value)]),
      );
    case 'counts':
      return block.items.map(({ name, times }) => `${inline(name)}: ${times}`).join(' · ');
    case 'figures':
      return grid(
        block.items.map(({ name }) => name),
        [block.items.map(({ value, note }) => `**${inline(value)}** ${inline(note)}`)],
      );
    case 'table':
      return tableText(block);
    case 'timeline':
      return grid(
        block.kinds.map(({ name }) => name),
        [block.kinds.map(({ ms }) => span(ms))],
      );
    case 'series':
      return '';
  }
}

const grid = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function tableText(table: Table): string {
  const { shown, note } = excerptOf(table, rowsShown);
  const heads = table.columns.map(({ name }) => name);
  return (
    grid(
      heads,
      shown.map((row) => row.map(lineText)),
    ) + (note === '' ? '' : `\n\n*${note}*`)
  );
}

const lineText = (line: Line): string =>
  flat(line)
    .map((piece) => piece.before + pieceText(piece))
    .join('');

function pieceText({ text, as }: Piece): string {
  if (as === 'code') return inlineCode(text);
  return as === 'strong' ? `**${inline(text)}**` : inline(text);
}

/** Text inside a paragraph or a table cell: no markup, no link, nobody mentioned, whatever it says. */
function inline(text: string): string {
  const line = cleanLine(text);
  const short = line.length > cellCharsMax ? `${line.slice(0, cellCharsMax)}…` : line;
  return short
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~#$!]/g, '\\$&')
    .replaceAll('@', '@&#8203;')
    .replaceAll('://', ':&#8203;//')
    .replaceAll(/www\./gi, '$&&#8203;')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^([-=]|\+(?=\s|$))/, '\\$1');
}

/** Text as it is, in a fence that nothing inside can close. */
function fenced(text: string): string {
  const body = clean(text).trimEnd();
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${body}\n${fence}`;
}

/** A command or a name as code, in a table cell too. */
function inlineCode(text: string): string {
  const line = cleanLine(text).slice(0, cellCharsMax).replaceAll('|', '\\|');
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}
