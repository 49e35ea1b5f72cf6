import type { CheckResult } from '../../contract/index.ts';
import type { Certificate, CheckRun, Report } from '../../core/report/index.ts';
import { folded } from './html-lists.ts';
import { html, type Markup } from './markup.ts';
import { checkRunWords, claimWords, clock, moment, shortTree, span } from './phrases.ts';

const seal = html`<svg viewBox="0 0 80 80" role="img" aria-label="certified"><circle class="seal-disc" cx="40" cy="40" r="36"/><path class="seal-mark" d="M24 41l11 11 21-23"/></svg>`;

const row = (name: string, value: Markup): Markup => html`<dt>${name}</dt><dd>${value}</dd>`;

/** The evidence that the mission is finished, as a page of its own would state it. */
export function certificatePart({ certificate }: Report): Markup | null {
  if (certificate === null) return null;
  const { claim, plan, acceptedBy, checks } = certificate;
  const said = html`<details><summary>its words</summary><blockquote>${claim.text}</blockquote></details>`;
  return html`<section class="cert">${seal}<h2>Certificate of completion</h2><p class="lead">${leadOf(certificate)}</p><dl>
${row('claim', html`${claimWords(claim.via)}${claim.text === '' ? null : said}`)}
${acceptedBy === null ? null : row('accepted by', html`<b>${acceptedBy}</b>`)}
${checks.map((result) => row('check', resultLine(result)))}
${row('freshness', freshness(certificate))}
${plan === null ? null : row('plan', html`${plan.done} of ${plan.total} steps, as the agent tells it`)}
${sinceBaseline(certificate)}
${row('issued', html`${moment(certificate.at)}, entry ${certificate.seq}`)}</dl></section>`;
}

function leadOf({ acceptedBy, checks, tree }: Certificate): string {
  if (checks.length === 0) return 'No check could prove the work, so a person looked at it and accepted it.';
  const where = tree.isFresh ? ', on the very files it left behind' : '';
  const person = acceptedBy === null ? '' : ' What had to be judged by eye, a person accepted.';
  return `The agent claimed completion. We did not take its word: these checks were run by us${where}.${person}`;
}

const freshness = ({ tree }: Certificate): Markup =>
  html`tree <code>${shortTree(tree.afterChecks)}</code> when checked, <code>${shortTree(tree.atEnd)}</code> at the end: ${tree.isFresh ? html`<b class="good">the same</b>` : html`<b class="warn">not known to be the same</b>`}`;

/** What is known about the proof itself: how it stood at the start, and whether anybody touched it since. */
function sinceBaseline({ baseline = [], altered, flaky = [], wrote = [] }: Certificate): readonly Markup[] {
  const before = baseline.map(({ name, outcome }) => `${name} ${outcome}`).join(', ');
  return [
    ...(before === '' ? [] : [row('baseline', html`before the first turn: ${before}`)]),
    ...(altered === undefined ? [] : [row('altered', alteredLines(altered))]),
    ...(flaky.length === 0 ? [] : [row('flaky', html`${flaky.join(', ')}`)]),
    ...(wrote.length === 0 ? [] : [row('checks wrote', folded(wrote.join('\n'), 80))]),
  ];
}

function alteredLines(altered: NonNullable<Certificate['altered']>): Markup {
  if (altered.length === 0)
    return html`<span class="good">nothing: tests, scripts and CI are as they were</span>`;
  if (altered.every(({ what }) => what === ''))
    return html`<b class="warn">${altered.length} parts of the proof</b>`;
  return html`${altered.map(({ what, because }) => html`<div><b class="warn">${what}</b> ${because}</div>`)}`;
}

const outcomeMoods = { passed: 'good', failed: 'bad', 'timed-out': 'bad', 'not-run': 'warn' } as const;

function resultLine(result: CheckResult): Markup {
  const { counts, coverage, command, because } = result;
  const parts = [
    result.exitCode === null ? '' : `exit ${result.exitCode}`,
    counts === undefined ? '' : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    coverage === undefined ? '' : `${coverage.percent} % of ${coverage.unit} covered`,
    span(result.durationMs),
  ].filter((part) => part !== '');
  const shown = command === '' || command === result.name ? null : html`<code>${command}</code> `;
  const why = because === undefined || because === '' ? null : html` <span class="soft">(${because})</span>`;
  return html`<span class="pill ${outcomeMoods[result.outcome]}">${result.outcome}</span> <b>${result.name}</b> ${shown}<span class="soft">${parts.join(' · ')}</span>${why} <span class="faint">output <code>${result.outputDigest.slice(0, 12)}</code></span>`;
}

export function checksPart({ checkRuns, asked }: Report): Markup | null {
  if (checkRuns.total === 0 && asked.checks.length === 0) return null;
  const gap = checkRuns.total - checkRuns.shown.length;
  const isLast = (i: number): boolean => i === checkRuns.shown.length - 1;
  const runs =
    checkRuns.total === 0
      ? html`<p class="soft">Not run yet.</p>${asked.checks.map(({ name, command, source }) => html`<p><b>${name}</b> <code>${command}</code> <span class="faint">${source}</span></p>`)}`
      : html`${checkRuns.shown.map((ran, i) => checkRunPart(ran, isLast(i)))}`;
  const left = gap > 0 ? html`<p class="faint">${gap} runs in the middle are left out</p>` : null;
  return html`<section><h2>Checks we ran <span class="faint">${checkRuns.total}</span></h2>${left}${runs}</section>`;
}

/** The last one stands open; of those before, a line. */
function checkRunPart(ran: CheckRun, isLast: boolean): Markup {
  const open: Markup = { markup: isLast ? ' open' : '' };
  const results = ran.results.map((result) => html`<p>${resultLine(result)}</p>${tailPart(result)}`);
  return html`<details${open}><summary>${clock(ran.at)}, ${checkRunWords(ran)}</summary>${results}</details>`;
}

function tailPart({ tail, outcome }: CheckResult): Markup | null {
  const text = tail.text.trim();
  if (text === '') return null;
  return outcome === 'passed'
    ? html`<details><summary>the end of its output</summary><pre>${text}</pre></details>`
    : html`<pre>${text}</pre>`;
}
