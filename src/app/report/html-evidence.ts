import type { CheckResult } from '../../contract/index.ts';
import type { CheckRun, Report } from '../../core/report/index.ts';
import { html, type Markup } from './markup.ts';
import { claimWords, clock, moment, shortTree, span } from './words.ts';

const seal = html`<svg viewBox="0 0 80 80" role="img" aria-label="certified"><circle class="seal-disc" cx="40" cy="40" r="36"/><path class="seal-mark" d="M24 41l11 11 21-23"/></svg>`;

/** The evidence that the mission is finished, as a page of its own would state it. */
export function certificatePart({ certificate }: Report): Markup | null {
  if (certificate === null) return null;
  const { claim, tree, plan, acceptedBy, checks } = certificate;
  const how =
    acceptedBy === null
      ? `The agent claimed completion. We did not take its word: these checks were run by us${tree.isFresh ? ', on the very files it left behind' : ''}.`
      : 'No check could prove the work, so a person looked at it and accepted it.';
  const row = (name: string, value: Markup): Markup => html`<dt>${name}</dt><dd>${value}</dd>`;
  return html`<section class="cert">${seal}<h2>Certificate of completion</h2><p class="lead">${how}</p><dl>
${row('claim', html`${claimWords(claim.via)}${claim.text === '' ? null : html`<details><summary>its words</summary><blockquote>${claim.text}</blockquote></details>`}`)}
${acceptedBy === null ? null : row('accepted by', html`<b>${acceptedBy}</b>`)}
${checks.map((result) => row('check', resultLine(result)))}
${row('freshness', html`tree <code>${shortTree(tree.afterChecks)}</code> when checked, <code>${shortTree(tree.atEnd)}</code> at the end: ${tree.isFresh ? html`<b class="good">the same</b>` : html`<b class="warn">not known to be the same</b>`}`)}
${plan === null ? null : row('plan', html`${plan.done} of ${plan.total} steps, as the agent tells it`)}
${certificate.baseline === undefined ? null : row('baseline', html`${certificate.baseline.map(({ name, outcome }) => `${name} ${outcome}`).join(', ')}`)}
${certificate.altered === undefined ? null : row('altered', alteredLines(certificate.altered))}
${certificate.flaky === undefined || certificate.flaky.length === 0 ? null : row('flaky', html`${certificate.flaky.join(', ')}`)}
${certificate.coverage === undefined ? null : row('coverage', html`${certificate.coverage.measured.percent} % of ${certificate.coverage.measured.unit}${certificate.coverage.needed === null ? '' : `, ${certificate.coverage.needed} % needed`}`)}
${row('issued', html`${moment(certificate.at)}, entry ${certificate.seq}`)}</dl></section>`;
}

const alteredLines = (altered: readonly { what: string; because: string }[]): Markup =>
  altered.length === 0
    ? html`<span class="good">nothing: tests, scripts and CI are as they were</span>`
    : html`${altered.map(({ what, because }) => html`<div><b class="warn">${what}</b> ${because}</div>`)}`;

const outcomeMoods = { passed: 'good', failed: 'bad', 'timed-out': 'bad', 'not-run': 'warn' } as const;

function resultLine(result: CheckResult): Markup {
  const { counts, coverage } = result;
  const parts = [
    result.exitCode === null ? '' : `exit ${result.exitCode}`,
    counts === undefined ? '' : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    coverage === undefined ? '' : `${coverage.percent} % of ${coverage.unit} covered`,
    span(result.durationMs),
  ].filter((part) => part !== '');
  return html`<span class="pill ${outcomeMoods[result.outcome]}">${result.outcome}</span> <b>${result.name}</b> ${result.command === '' ? null : html`<code>${result.command}</code> `}<span class="soft">${parts.join(' · ')}</span>${result.because === undefined ? null : html` <span class="soft">(${result.because})</span>`} <span class="faint">output <code>${result.outputDigest.slice(0, 12)}</code></span>`;
}

export function checksPart({ checkRuns, asked }: Report): Markup | null {
  if (checkRuns.total === 0 && asked.checks.length === 0) return null;
  if (checkRuns.total === 0)
    return html`<section><h2>Checks</h2><p class="soft">Not run: the agent has not claimed to be finished.</p><ul class="facts">${asked.checks.map((check) => html`<li><i class="faint" aria-hidden="true">·</i><span><b>${check.name}</b> <code>${check.command}</code> <span class="faint">${check.source}</span></span></li>`)}</ul></section>`;
  const gap = checkRuns.total - checkRuns.shown.length;
  return html`<section><h2>Checks we ran <span class="faint">${checkRuns.total}</span></h2>${gap > 0 ? html`<p class="faint">${gap} runs in the middle are left out</p>` : null}${checkRuns.shown.map((ran, i) => checkRunPart(ran, i === checkRuns.shown.length - 1))}</section>`;
}

/** The last one stands open; of those before, a line. */
function checkRunPart(ran: CheckRun, isLast: boolean): Markup {
  const passed = ran.results.filter((result) => result.outcome === 'passed').length;
  const head = `${clock(ran.at)}, after turn ${ran.turn}: ${passed} of ${ran.results.length} passed${ran.isVoid ? ' (void: the ground moved meanwhile)' : ''}`;
  return html`<details${{ markup: isLast ? ' open' : '' }}><summary>${head}</summary>${ran.results.map(
    (result) => html`<p>${resultLine(result)}</p>${tailPart(result)}`,
  )}</details>`;
}

function tailPart({ tail, outcome }: CheckResult): Markup | null {
  const text = tail.text.trim();
  if (text === '') return null;
  return outcome === 'passed'
    ? html`<details><summary>the end of its output</summary><pre>${text}</pre></details>`
    : html`<pre>${text}</pre>`;
}
