import type { DecisionStory, Excerpt, GateStory, Report, TurnStory } from '../../core/report/index.ts';
import { count } from '../cli/format.ts';
import { html, type Markup } from './markup.ts';
import {
  changeWords,
  clock,
  gateWords,
  itemWords,
  type Mood,
  moment,
  money,
  plural,
  shortTree,
  span,
  troubleWords,
} from './phrases.ts';

/** Longer tables stand folded, so that the page can be read from top to bottom. */
const openRowsMax = 25;
const longCharsMax = 220;

/** A text that may be long: its beginning, and the rest on demand. */
export function folded(text: string, charsMax = longCharsMax): Markup {
  const trimmed = text.trim();
  if (trimmed.length <= charsMax && !trimmed.includes('\n')) return html`${trimmed}`;
  const [first = ''] = trimmed.split('\n');
  return html`<details><summary>${first.slice(0, 120)}…</summary><pre>${trimmed}</pre></details>`;
}

/** A table of the first and last of something, with the gap named where it is. */
function tableOf<T>(
  heads: readonly (readonly [name: string, kind?: 'n'])[],
  all: Excerpt<T>,
  row: (one: T) => Markup,
): Markup {
  const rows = all.shown.flatMap((one, i) =>
    i === all.gapAt
      ? [
          html`<tr class="gap"><td colspan="${heads.length}">${all.total - all.shown.length} more in the ledger</td></tr>`,
          row(one),
        ]
      : [row(one)],
  );
  const table = html`<div class="scroll"><table><thead><tr>${heads.map(([name, kind]) => (kind === 'n' ? html`<th scope="col" class="n">${name}</th>` : html`<th scope="col">${name}</th>`))}</tr></thead><tbody>${rows}</tbody></table></div>`;
  return all.shown.length <= openRowsMax
    ? table
    : html`<details class="all"><summary>all ${all.shown.length} rows</summary>${table}</details>`;
}

export function turnsPart({ turns }: Report): Markup | null {
  if (turns.total === 0) return null;
  const heads = [
    ['#', 'n'],
    ['began'],
    ['took', 'n'],
    ['tokens', 'n'],
    ['cost', 'n'],
    ['did'],
    ['changed'],
    ['then'],
  ] as const;
  return html`<section><h2>Turns <span class="faint">${turns.total}</span></h2>${tableOf(heads, turns, turnRow)}</section>`;
}

const statusMoods: Readonly<Record<TurnStory['status'], Mood>> = {
  running: 'calm',
  completed: 'good',
  interrupted: 'warn',
  failed: 'bad',
};

function turnRow(turn: TurnStory): Markup {
  const name = turn.isForeign ? html`<span class="pill">not ours</span>` : html`${turn.turn}`;
  const status =
    turn.status === 'completed'
      ? null
      : html`<span class="pill ${statusMoods[turn.status]}">${turn.status}</span> `;
  const failure =
    turn.failure === null
      ? null
      : html`<div class="soft">${turn.failure.kind}${turn.failure.message === '' ? '' : `: ${turn.failure.message}`}</div>`;
  const changed =
    turn.changed.length > 0
      ? turn.changed.map((what) => html`<span class="pill good">${what}</span> `)
      : html`<span class="faint">nothing</span>`;
  const said =
    turn.message === ''
      ? null
      : html`<details class="said"><summary>what it said</summary><pre>${turn.message}</pre></details>`;
  const { before, after } = turn.trees;
  const tree =
    after === null || after === before
      ? null
      : html`<div class="faint tree"><code>${shortTree(before).slice(0, 8)} → ${shortTree(after).slice(0, 8)}</code></div>`;
  return html`<tr><td class="n">${name}</td><td class="t">${clock(turn.startedAt)}</td><td class="n">${turn.endedAt === null ? '…' : span(turn.durationMs)}</td><td class="n">${turn.tokens === null ? '–' : count(turn.tokens)}</td><td class="n">${turn.money === null ? '–' : money(turn.money)}</td><td>${status}${itemWords(turn)}${failure}${said}</td><td>${changed}${tree}</td><td class="w">${turn.decided.map(
    (one) => html`<div>${verdictPill(one)} <span class="soft">${one.rule}</span></div>`,
  )}</td></tr>`;
}

const verdictMoods: Readonly<Record<DecisionStory['verdict'], Mood>> = {
  continue: 'calm',
  wait: 'warn',
  verify: 'calm',
  review: 'calm',
  pause: 'warn',
  stop: 'bad',
};

const verdictPill = ({ verdict, to }: Pick<DecisionStory, 'verdict' | 'to'>): Markup =>
  to === 'done'
    ? html`<span class="pill good">done</span>`
    : html`<span class="pill ${verdictMoods[verdict]}">${verdict}</span>`;

export function decisionsPart({ decisions, rules }: Report): Markup | null {
  if (decisions.total === 0) return null;
  const heads = [['at'], ['turn', 'n'], ['verdict'], ['rule'], ['because'], ['sure', 'n']] as const;
  return html`<section><h2>Decisions and why <span class="faint">${decisions.total}</span></h2>
<ul class="chips">${rules.map(({ verdict, rule, times }) => html`<li>${verdict} · ${rule} <b>${times}</b></li>`)}</ul>
${tableOf(heads, decisions, decisionRow)}</section>`;
}

function decisionRow(one: DecisionStory): Markup {
  const { advice } = one;
  const advised =
    advice === null
      ? null
      : html`<div class="soft">advice: ${advice.action}${advice.confidence === null ? '' : ` at ${advice.confidence}`}${advice.overridden ? ', overridden by this rule' : ''} ${folded(advice.reason)}${advice.problems.length === 0 ? null : html`<div class="faint">${advice.problems.join('; ')}</div>`}</div>`;
  return html`<tr><td class="t">${clock(one.at)}</td><td class="n">${one.turn}</td><td>${verdictPill(one)}</td><td><code>${one.rule}</code></td><td class="w">${folded(one.because)}${advised}</td><td class="n">${one.confidence}</td></tr>`;
}

export function gatesPart({ gates, answers, denials }: Report): Markup | null {
  if (gates.total === 0 && answers.length === 0) return null;
  const asked =
    gates.total === 0
      ? html`<p class="soft">No question needed a person.</p>`
      : tableOf([['asked'], ['turn', 'n'], ['what'], ['why'], ['answer']], gates, gateRow);
  const chips = html`<h3>Answered by rule, without a person</h3><ul class="chips">${answers.map(
    ({ answer, rule, times }) =>
      html`<li>${answer === 'approve' ? 'approved' : 'denied'} · ${rule} <b>${times}</b></li>`,
  )}</ul>`;
  const refused =
    denials.total === 0
      ? null
      : html`<h3>Refused by the guard</h3>${tableOf([['at'], ['rule'], ['what'], ['why']], denials, (one) => html`<tr><td class="t">${clock(one.at)}</td><td><code>${one.rule}</code>${one.never ? html` <span class="pill bad">never list</span>` : null}</td><td class="w">${folded(one.action)}</td><td class="w">${one.because}</td></tr>`)}`;
  return html`<section><h2>Questions and approvals</h2>${asked}${answers.length === 0 ? null : chips}${refused}</section>`;
}

const gateMoods: Readonly<Record<GateStory['end'], Mood>> = {
  open: 'warn',
  approved: 'good',
  denied: 'bad',
  answered: 'good',
  expired: 'warn',
  withdrawn: 'calm',
};

function gateRow(gate: GateStory): Markup {
  const after = gate.closedAt === null ? '' : `after ${span(gate.closedAt - gate.askedAt)}`;
  const by = gate.by === null ? null : html` <span class="soft">by ${gate.by}</span>`;
  const said = gate.said === '' ? null : html`<div class="soft">“${gate.said}”</div>`;
  return html`<tr><td class="t">${clock(gate.askedAt)}</td><td class="n">${gate.turn}</td><td class="w">${gate.asks === '' ? gate.kind : folded(gate.asks)}</td><td class="w">${gate.because} <span class="faint">${gate.rule}</span>${gate.never ? html` <span class="pill bad">never without a person</span>` : null}</td><td><span class="pill ${gateMoods[gate.end]}">${gateWords[gate.end]}</span>${by} <span class="faint">${after}</span>${said}</td></tr>`;
}

const fileMoods = { added: 'good', changed: 'calm', removed: 'bad' } as const;
const filesShown = 200;

export function changesPart(report: Report): Markup | null {
  const { changes } = report;
  const { files, paths, firstTree, lastTree } = changes;
  if (firstTree === null) return null;
  const trees = html`<p class="soft">Tree <code>${shortTree(firstTree)}</code> at the start, <code>${shortTree(lastTree)}</code> at the end; ${plural(changes.turns, 'turn')} left a result.</p>`;
  const isNamed = files?.some((file) => file.path !== '') === true;
  const shown = { shown: (files ?? []).slice(0, filesShown), total: paths ?? 0, gapAt: null };
  const table = isNamed
    ? tableOf(
        [[''], ['file'], ['added', 'n'], ['removed', 'n']],
        shown,
        (file) =>
          html`<tr><td><span class="pill ${fileMoods[file.status]}">${file.status}</span></td><td class="w"><code>${file.path}</code></td><td class="n plus">${file.added === null ? '–' : `+${file.added}`}</td><td class="n minus">${file.removed === null ? '–' : `−${file.removed}`}</td></tr>`,
      )
    : null;
  const more =
    isNamed && shown.total > shown.shown.length
      ? html`<p class="faint">and ${shown.total - shown.shown.length} more</p>`
      : null;
  const words = changeWords(report);
  return html`<section><h2>Changes</h2>${words === null ? null : html`<p>${words}</p>`}${table}${more}${trees}</section>`;
}

export function peoplePart({ people, isPublic }: Report): Markup | null {
  if (people.total === 0) return null;
  const words = { steer: 'gave directions', limits: 'changed limits' } as const;
  return html`<section><h2>What people did</h2>${tableOf(
    [['at'], ['who'], ['what']],
    people,
    ({ at, by, act, text }) => {
      const verb = act === 'steer' || act === 'limits' ? words[act] : `asked to ${act}`;
      return html`<tr><td class="t">${moment(at)}</td><td>${isPublic ? 'a person' : by}</td><td class="w">${verb}${text === '' ? null : html`: ${folded(text)}`}</td></tr>`;
    },
  )}</section>`;
}

export function troublesPart(report: Report): Markup {
  const lines = troubleWords(report);
  return html`<section><h2>Trouble along the way</h2>${
    lines.length === 0
      ? html`<p class="soft">None: no failure, no crash, no sleep, nothing unreadable.</p>`
      : html`<ul class="facts">${lines.map((line) => html`<li><i class="faint" aria-hidden="true">·</i><span>${line}</span></li>`)}</ul>`
  }</section>`;
}
