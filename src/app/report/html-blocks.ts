import { seriesChart, timeChart } from './charts.ts';
import { type Block, type Line, marks, type Piece, partsOf, type Table } from './document.ts';
import { classed, html, type Markup } from './markup.ts';

/** Longer tables stand folded, so that the page can be read from top to bottom. */
const openRowsMax = 25;
const longCharsMax = 220;
const summaryCharsMax = 120;

export function blockMarkup(block: Block): Markup {
  switch (block.is) {
    case 'text':
      return html`<p${classed(block.tone)}>${lineMarkup(block.line)}</p>`;
    case 'heading':
      return html`<h3>${block.text}</h3>`;
    case 'command':
      return html`<kbd>${block.text}</kbd>`;
    case 'quote':
      return html`<blockquote>${block.text}</blockquote>`;
    case 'output':
      return html`<p class="soft">${block.title}</p><pre>${block.text}</pre>`;
    case 'fold':
      return foldMarkup(
        block.title,
        block.block.is === 'output' ? html`<pre>${block.block.text}</pre>` : blockMarkup(block.block),
      );
    case 'list':
      return html`<ul class="facts">${block.items.map(({ how, line }) => {
        const { mark, tone, note } = marks[how];
        const said = note === '' ? null : html` <span class="how">${note}</span>`;
        return html`<li><i class="${tone}" aria-hidden="true">${mark}</i><span>${lineMarkup(line)}${said}</span></li>`;
      })}</ul>`;
    case 'facts':
      return html`<dl>${block.rows.map(([name, value]) => html`<dt>${name}</dt><dd>${lineMarkup(value)}</dd>\n`)}</dl>`;
    case 'counts':
      return html`<ul class="chips">${block.items.map(({ name, times }) => html`<li>${name} <b>${times}</b></li>`)}</ul>`;
    case 'figures':
      return html`<ul class="tiles">${block.items.map(
        ({ name, value, note }) => html`<li><span>${name}</span><b>${value}</b><small>${note}</small></li>`,
      )}</ul>`;
    case 'table':
      return tableMarkup(block);
    case 'timeline':
      return timeChart(block);
    case 'series':
      return seriesChart(block);
  }
}

const foldMarkup = (summary: string, body: Markup): Markup =>
  html`<details><summary>${summary}</summary>${body}</details>`;

const cellClasses = { number: 'n', time: 't', wide: 'w' } as const;

/** A table of the first and last of something, with the gap named where it is. */
function tableMarkup({ columns, rows, total, gapAt }: Table): Markup {
  const left = total - rows.length;
  const kinds = columns.map(({ as }) => classed(as && cellClasses[as]));
  const heads = columns.map(({ name }, i) => html`<th scope="col"${kinds[i]}>${name}</th>`);
  const gap = html`<tr class="gap"><td colspan="${columns.length}">${left} more in the ledger</td></tr>`;
  const body = rows.map((row, at) => {
    const cells = row.map((cell, i) => html`<td${kinds[i]}>${lineMarkup(cell)}</td>`);
    return html`${at === gapAt ? gap : null}<tr>${cells}</tr>`;
  });
  const table = html`<div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>`;
  const more = left > 0 && gapAt === null ? html`<p class="faint">and ${left} more</p>` : null;
  return rows.length <= openRowsMax
    ? html`${table}${more}`
    : html`<details class="all"><summary>all ${rows.length} rows</summary>${table}</details>${more}`;
}

const lineMarkup = (line: Line): Markup =>
  html`${partsOf(line).map((part, i) => {
    if ('below' in part) return html`<div>${lineMarkup(part.below)}</div>`;
    return html`${i === 0 ? '' : ' '}${pieceMarkup(part)}`;
  })}`;

function pieceMarkup({ text, fold, as, tone }: Piece): Markup {
  if (fold !== undefined)
    return html`<details class="said"><summary>${fold}</summary><pre>${text}</pre></details>`;
  const trimmed = text.trim();
  if (trimmed.length > longCharsMax || trimmed.includes('\n')) {
    const [first = ''] = trimmed.split('\n');
    return foldMarkup(`${first.slice(0, summaryCharsMax)}…`, html`<pre>${trimmed}</pre>`);
  }
  if (as === 'pill') return html`<span class="pill ${tone}">${text}</span>`;
  if (as === 'code') return html`<code${classed(tone)}>${text}</code>`;
  if (as === 'strong') return html`<b${classed(tone)}>${text}</b>`;
  return tone === undefined ? html`${text}` : html`<span class="${tone}">${text}</span>`;
}
