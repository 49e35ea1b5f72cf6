import type { Excerpt } from '../../core/report/index.ts';
import { clean, cleanLine } from './clean.ts';

export const rowsShown = 50;
const cellCharsMax = 300;

/** Text inside a paragraph or a table cell: no markup, no link, nobody mentioned, whatever it says. */
export function inline(text: string): string {
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
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^([-+=])/, '\\$1');
}

/** Text as it is, in a fence that nothing inside can close. */
export function fenced(text: string): string {
  const body = clean(text).trimEnd();
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${body}\n${fence}`;
}

/** A command or a name as code, in a table cell too. */
export function code(text: string): string {
  const line = cleanLine(text).slice(0, cellCharsMax).replaceAll('|', '\\|');
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The newest rows; a file that people paste into an issue must stay readable. */
export function tableOf<T>(
  heads: readonly string[],
  all: Excerpt<T>,
  row: (one: T) => readonly string[],
): string {
  const shown = all.shown.slice(-rowsShown);
  const more = all.total - shown.length;
  const note = more === 0 ? '' : `\n\n*The last ${shown.length} of ${all.total}.*`;
  return table(heads, shown.map(row)) + note;
}

export const section = (title: string, ...parts: readonly (string | null)[]): string | null => {
  const kept = parts.filter((part) => part !== null && part !== '');
  return kept.length === 0 ? null : [`## ${title}`, ...kept].join('\n\n');
};

/** A long text that opens on demand. */
export const folded = (summary: string, text: string): string =>
  `<details><summary>${inline(summary)}</summary>\n\n${fenced(text)}\n\n</details>`;
