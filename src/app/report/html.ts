import type { Report } from '../../core/report/index.ts';
import type { ReportDocument, Section } from './document.ts';
import { documentOf } from './document-of.ts';
import { blockMarkup } from './html-blocks.ts';
import { classed, html, type Markup } from './markup.ts';
import { style } from './style.ts';

const titleCharsMax = 140;

/**
 * The report as one file that needs nothing else: no script, no font, no picture from anywhere. What an agent wrote
 * is text and nothing but text, whatever it looks like.
 */
export function htmlReport(report: Report): string {
  const document = documentOf(report);
  const title = titleOf(document);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Tireless">
<title>${title} · Tireless</title>
<style>${{ markup: style }}</style>
</head>
<body>
${top(document, title)}
<main>
${sectionsMarkup(document.sections)}
</main>
${bottom(document)}
</body>
</html>
`;
  return page.markup;
}

function titleOf({ title }: ReportDocument): string {
  const [line = ''] = title.split('\n');
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax - 1)}…` : line;
}

const top = (
  { mood, badge, says, agent, workspace, when, isPublic }: ReportDocument,
  title: string,
): Markup =>
  html`<header class="top"><span class="badge ${mood}">${badge}</span>
<h1>${title}</h1>
<p class="lead">${says}</p>
<p class="meta">${agent}${workspace === '' ? null : html` in <code>${workspace}</code>`} · ${when}${isPublic ? ' · shortened for the public' : ''}</p></header>`;

/** Sections that fit beside each other stand in one row. */
function sectionsMarkup(sections: readonly Section[]): readonly Markup[] {
  const isHalf = (section: Section | undefined): boolean => section?.look === 'half';
  return sections.map((section, i) => {
    const part = sectionMarkup(section);
    if (!isHalf(section)) return html`${part}\n`;
    const begins = !isHalf(sections[i - 1]);
    const ends = !isHalf(sections[i + 1]);
    return html`${begins ? { markup: '<div class="two">' } : null}${part}${ends ? { markup: '</div>\n' } : null}`;
  });
}

const looks = { warn: 'note warn', next: 'note calm', certificate: 'cert', half: '' } as const;

const seal = html`<svg viewBox="0 0 80 80" role="img" aria-label="certified"><circle class="seal-disc" cx="40" cy="40" r="36"/><path class="seal-mark" d="M24 41l11 11 21-23"/></svg>`;

function sectionMarkup({ title, count, look, blocks }: Section): Markup {
  const body = blocks.map(blockMarkup);
  if (title === undefined) return html`${body}`;
  const number = count === undefined ? null : html` <span class="faint">${count}</span>`;
  return html`<section${classed(look && looks[look])}>${look === 'certificate' ? seal : null}<h2>${title}${number}</h2>${body}</section>`;
}

const bottom = ({ record, run, isPublic }: ReportDocument): Markup =>
  html`<footer>${record}${
    isPublic
      ? null
      : html`<br>Every figure here is derived from the ledger. Check it yourself: <code>tireless replay ${run}</code>`
  }</footer>`;
