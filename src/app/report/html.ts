import type { Report } from '../../core/report/index.ts';
import { ownVersion } from '../version.ts';
import { progressChart, timeChart, turnChart } from './charts.ts';
import { certificatePart, checksPart } from './html-evidence.ts';
import { changesPart, decisionsPart, gatesPart, peoplePart, troublesPart, turnsPart } from './html-lists.ts';
import { html, type Markup } from './markup.ts';
import {
  approveCommand,
  approveWords,
  clock,
  done,
  type Fact,
  headline,
  moment,
  notDone,
  period,
  plural,
  tiles,
} from './phrases.ts';
import { style } from './style.ts';

const titleCharsMax = 140;
const leadCharsMax = 400;

/**
 * The report as one file that needs nothing else: no script, no font, no picture from anywhere. What an agent wrote
 * is text and nothing but text, whatever it looks like.
 */
export function htmlReport(report: Report): string {
  const title = titleOf(report);
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
${top(report, title)}
<main>
${deniedPart(report)}
${nextPart(report)}
${tilesPart(report)}
${certificatePart(report)}
${askedPart(report)}
<div class="two">${factsPart('Done', done(report), report.ending.lastMessage)}${factsPart('Not done', notDone(report), '')}</div>
${historyPart(report)}
${turnsPart(report)}
${decisionsPart(report)}
${gatesPart(report)}
${checksPart(report)}
${changesPart(report)}
${peoplePart(report)}
${troublesPart(report)}
</main>
${bottom(report)}
</body>
</html>
`;
  return page.markup;
}

function titleOf({ asked, run }: Report): string {
  const [line = ''] = asked.mission.trim().split('\n');
  if (line === '') return `Run ${run}`;
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax - 1)}…` : line;
}

function top(report: Report, title: string): Markup {
  const { mood, badge, says } = headline(report);
  const { asked, ending } = report;
  const who = [asked.agent.name, asked.agent.version].filter((part) => part !== undefined).join(' ');
  const where = asked.workspace === '' ? null : html` in <code>${asked.workspace}</code>`;
  return html`<header class="top"><span class="badge ${mood}">${badge}</span>
<h1>${title}</h1>
<p class="lead">${says}</p>
<p class="meta">${who}${where} · ${period(asked.at, ending.at)}${report.isPublic ? ' · shortened for the public' : ''}</p></header>`;
}

/** A person away for the night looks for this first. */
function deniedPart(report: Report): Markup | null {
  const { unanswered, isPublic } = report;
  if (unanswered.length === 0) return null;
  return html`<div class="note warn"><h2>${plural(unanswered.length, 'action')} denied because nobody answered</h2>
<div class="scroll"><table><thead><tr><th scope="col">asked</th><th scope="col">what</th><th scope="col">why it was asked</th></tr></thead><tbody>${unanswered.map(
    (gate) =>
      html`<tr><td class="t">${clock(gate.askedAt)}</td><td class="w"><code>${gate.asks === '' ? gate.kind : gate.asks}</code></td><td class="w">${gate.because} <span class="faint">${gate.rule}</span></td></tr>`,
  )}</tbody></table></div>
${isPublic ? null : html`<p>${approveWords(report)}</p><kbd>${approveCommand(report)}</kbd>`}</div>`;
}

function nextPart({ ending }: Report): Markup | null {
  if (ending.next === null) return null;
  return html`<div class="note calm"><h2>The one safe next step</h2><kbd>${ending.next}</kbd></div>`;
}

const tilesPart = (report: Report): Markup =>
  html`<ul class="tiles">${tiles(report).map(
    ({ name, value, note }) => html`<li><span>${name}</span><b>${value}</b><small>${note}</small></li>`,
  )}</ul>`;

function askedPart({ asked }: Report): Markup | null {
  if (asked.mission === '') return null;
  const [first = '', ...rest] = asked.mission.trim().split('\n');
  const isLong = rest.length > 4 || asked.mission.length > 600;
  const text = html`<blockquote>${asked.mission}</blockquote>`;
  return html`<section><h2>What was asked</h2>${
    isLong
      ? html`<p>${first.length > leadCharsMax ? `${first.slice(0, leadCharsMax)}…` : first}</p><details><summary>the whole mission (${asked.mission.length.toLocaleString('en-US')} characters)</summary>${text}</details>`
      : text
  }<p class="meta">asked by ${asked.by} on ${moment(asked.at)} · approvals: ${asked.policy.approvals} · the guard sees ${sees[asked.agent.sees]} · sandbox: ${asked.agent.sandbox ?? 'none'}</p></section>`;
}

const sees = {
  'every-action': 'every action before it happens',
  asks: 'only what the agent asks about',
  nothing: 'nothing',
} as const;

const marks: Readonly<Record<Fact['how'], readonly [mark: string, tone: string, note: string]>> = {
  proven: ['✓', 'good', 'proven by us'],
  seen: ['●', 'calm', 'seen in the record'],
  claimed: ['”', 'faint', 'the agent says'],
  open: ['○', 'warn', ''],
};

function factsPart(title: string, facts: readonly Fact[], lastMessage: string): Markup {
  const rows = facts.map(({ text, how }) => {
    const [mark, tone, note] = marks[how];
    return html`<li><i class="${tone}" aria-hidden="true">${mark}</i><span>${text}${note === '' ? null : html` <span class="how">${note}</span>`}</span></li>`;
  });
  const said =
    lastMessage === ''
      ? null
      : html`<details><summary>what the agent said last (a claim, not evidence)</summary><blockquote>${lastMessage}</blockquote></details>`;
  return html`<section><h2>${title}</h2><ul class="facts">${rows.length === 0 ? html`<li><i class="faint">–</i><span class="soft">nothing</span></li>` : rows}</ul>${said}</section>`;
}

function historyPart(report: Report): Markup | null {
  const charts = [timeChart(report), turnChart(report), progressChart(report)].filter(
    (chart) => chart !== null,
  );
  return charts.length === 0 ? null : html`<section><h2>How it went</h2>${charts}</section>`;
}

function bottom({ run, ending, asked, chain, isPublic }: Report): Markup {
  const whole =
    chain === undefined
      ? ''
      : chain.ok
        ? ' · the chain of entries is whole'
        : ' · THE CHAIN OF ENTRIES IS DAMAGED';
  const how = isPublic
    ? null
    : html`<br>Every figure here is derived from the ledger. Check it yourself: <code>tireless replay ${run}</code>`;
  return html`<footer>Tireless ${ownVersion()} · run ${run} · ${plural(ending.entries, 'entry', 'entries')}, policy version ${asked.policyVersion}, config ${asked.configDigest.slice(0, 12)}${whole}${how}</footer>`;
}
