import type { Excerpt, GateStory, Report, TurnStory } from '../../core/report/index.ts';
import { count } from '../cli/words.ts';
import { clean, cleanLine } from './clean.ts';
import {
  approveCommand,
  approveWords,
  bandWords,
  changeWords,
  claimWords,
  clock,
  done,
  type Fact,
  gateWords,
  headline,
  itemWords,
  lastChecks,
  moment,
  money,
  notDone,
  resultWords,
  shortTree,
  span,
  tiles,
  troubleWords,
} from './words.ts';

const rowsShown = 50;
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

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The newest rows; a file that people paste into an issue must stay readable. */
function tableOf<T>(heads: readonly string[], all: Excerpt<T>, row: (one: T) => readonly string[]): string {
  const shown = all.shown.slice(-rowsShown);
  const more = all.total - shown.length;
  const note = more === 0 ? '' : `\n\n*The last ${shown.length} of ${all.total}.*`;
  return table(heads, shown.map(row)) + note;
}

const section = (title: string, ...parts: readonly (string | null)[]): string | null => {
  const kept = parts.filter((part) => part !== null && part !== '');
  return kept.length === 0 ? null : [`## ${title}`, ...kept].join('\n\n');
};

/** The report as Markdown that can be pasted anywhere: what agents wrote stays text. */
export function markdownReport(report: Report): string {
  const { badge, says } = headline(report);
  const { asked, ending, run } = report;
  const title = asked.mission === '' ? `Run ${run}` : inline(asked.mission.trim().split('\n')[0] ?? '');
  const parts = [
    `# ${title}`,
    `**${badge}.** ${inline(says)}`,
    deniedPart(report),
    ending.next === null ? null : section('The one safe next step', fenced(ending.next)),
    table(
      tiles(report).map(({ name }) => name),
      [tiles(report).map(({ value, note }) => `**${inline(value)}** ${inline(note)}`)],
    ),
    asked.mission === '' ? null : section('What was asked', fenced(asked.mission)),
    section('Done', factList(done(report)), lastWords(ending.lastMessage)),
    section('Not done', factList(notDone(report))),
    certificatePart(report),
    timePart(report),
    turnsPart(report),
    decisionsPart(report),
    gatesPart(report),
    checksPart(report),
    changesPart(report),
    peoplePart(report),
    section(
      'Trouble along the way',
      troubleWords(report)
        .map((line) => `* ${inline(line)}`)
        .join('\n'),
    ),
    `---\n\nRun ${run}: ${asked.agent.name}, ${moment(asked.at)} to ${moment(ending.at)}, ${ending.entries} entries, policy version ${asked.policyVersion}${report.isPublic ? ', shortened for the public' : ''}.`,
  ];
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`;
}

function deniedPart(report: Report): string | null {
  const { unanswered, isPublic } = report;
  if (unanswered.length === 0) return null;
  const rows = unanswered
    .slice(-rowsShown)
    .map((gate) => [
      clock(gate.askedAt),
      code(gate.asks === '' ? gate.kind : gate.asks),
      inline(gate.because),
      inline(gate.rule),
    ]);
  return section(
    `Denied because nobody answered: ${unanswered.length}`,
    table(['asked', 'what', 'why it was asked', 'rule'], rows),
    isPublic ? null : `${approveWords(report)}\n\n${fenced(approveCommand(report))}`,
  );
}

const notes: Readonly<Record<Fact['how'], string>> = {
  proven: ' *(proven by us)*',
  seen: '',
  claimed: ' *(the agent says)*',
  open: '',
};

const factList = (facts: readonly Fact[]): string =>
  facts.length === 0 ? 'Nothing.' : facts.map(({ text, how }) => `* ${inline(text)}${notes[how]}`).join('\n');

const lastWords = (message: string): string | null =>
  message === '' ? null : folded('What the agent said last: a claim, not evidence', message);

const folded = (summary: string, text: string): string =>
  `<details><summary>${inline(summary)}</summary>\n\n${fenced(text)}\n\n</details>`;

function certificatePart({ certificate }: Report): string | null {
  if (certificate === null) return null;
  const { tree, claim } = certificate;
  const rows: (readonly string[])[] = [
    ['claim', inline(claimWords(claim.via))],
    ...(certificate.acceptedBy === null ? [] : [['accepted by', inline(certificate.acceptedBy)]]),
    ...certificate.checks.map((result) => [
      'check',
      `${inline(resultWords(result))}, output \`${result.outputDigest.slice(0, 12)}\``,
    ]),
    [
      'freshness',
      `tree \`${shortTree(tree.afterChecks)}\` when checked, \`${shortTree(tree.atEnd)}\` at the end: ${tree.isFresh ? 'the same' : '**not known to be the same**'}`,
    ],
    ...(certificate.altered ?? []).map((one) => ['altered', inline(`${one.what} ${one.because}`)]),
    ...(certificate.flaky ?? []).map((name) => ['flaky', inline(name)]),
    ...(certificate.coverage === undefined
      ? []
      : [
          ['coverage', `${certificate.coverage.measured.percent} % of ${certificate.coverage.measured.unit}`],
        ]),
    ['issued', `${moment(certificate.at)}, entry ${certificate.seq}`],
  ];
  return section('Certificate of completion', table(['', ''], rows));
}

function timePart({ spent }: Report): string | null {
  const kinds = (Object.keys(bandWords) as (keyof typeof bandWords)[]).filter(
    (kind) => spent.byBand[kind] > 0,
  );
  if (kinds.length === 0) return null;
  return section(
    'Where the time went',
    table(
      kinds.map((kind) => bandWords[kind]),
      [kinds.map((kind) => span(spent.byBand[kind]))],
    ),
  );
}

function turnsPart({ turns }: Report): string | null {
  if (turns.total === 0) return null;
  const row = (turn: TurnStory): readonly string[] => [
    turn.isForeign ? 'not ours' : String(turn.turn),
    clock(turn.startedAt),
    turn.endedAt === null ? '…' : span(turn.durationMs),
    turn.tokens === null ? '–' : count(turn.tokens),
    turn.money === null ? '–' : inline(money(turn.money)),
    [turn.status === 'completed' ? '' : turn.status, turn.failure?.kind ?? '', itemWords(turn)]
      .filter((part) => part !== '')
      .join(', '),
    turn.changed.length === 0 ? 'nothing' : turn.changed.join(', '),
    turn.decided
      .map((one) => `${one.to === 'done' ? 'done' : one.verdict} (${inline(one.rule)})`)
      .join(' → '),
  ];
  return section(
    `Turns: ${turns.total}`,
    tableOf(['turn', 'began', 'took', 'tokens', 'cost', 'did', 'changed', 'then'], turns, row),
  );
}

function decisionsPart({ decisions, rules }: Report): string | null {
  if (decisions.total === 0) return null;
  const byRule = rules
    .map(({ verdict, rule, times }) => `${verdict} by ${inline(rule)}: ${times}`)
    .join(' · ');
  return section(
    `Decisions: ${decisions.total}`,
    byRule,
    tableOf(['at', 'turn', 'verdict', 'rule', 'because', 'confidence', 'advice'], decisions, (one) => [
      ...[
        clock(one.at),
        String(one.turn),
        one.verdict,
        inline(one.rule),
        inline(one.because),
        String(one.confidence),
      ],
      one.advice === null
        ? ''
        : `${one.advice.action}${one.advice.overridden ? ', overridden' : ''} ${inline(one.advice.reason)}`.trim(),
    ]),
  );
}

function gatesPart({ gates, answers, denials }: Report): string | null {
  const row = (gate: GateStory): readonly string[] => [
    ...[
      clock(gate.askedAt),
      code(gate.asks === '' ? gate.kind : gate.asks),
      `${inline(gate.because)} (${inline(gate.rule)})`,
    ],
    `${gateWords[gate.end]}${gate.by === null ? '' : ` by ${inline(gate.by)}`}`,
  ];
  const byRule = answers.map(
    ({ answer, rule, times }) =>
      `* ${answer === 'approve' ? 'approved' : 'denied'} by ${inline(rule)}: ${times}`,
  );
  return section(
    'Questions and approvals',
    gates.total === 0 ? null : tableOf(['asked', 'what', 'why', 'answer'], gates, row),
    byRule.length === 0 ? null : `Answered by rule, without a person:\n\n${byRule.join('\n')}`,
    denials.total === 0
      ? null
      : tableOf(['refused at', 'rule', 'what', 'why'], denials, (one) => [
          clock(one.at),
          inline(one.rule),
          code(one.action),
          inline(one.because),
        ]),
  );
}

function checksPart(report: Report): string | null {
  const { checkRuns } = report;
  if (checkRuns.total === 0) return null;
  const tails = (lastChecks(report)?.results ?? []).filter((result) => result.tail.text.trim() !== '');
  return section(
    `Checks we ran: ${checkRuns.total}`,
    tableOf(['at', 'after turn', 'result'], checkRuns, (ran) => [
      ...[clock(ran.at), String(ran.turn)],
      `${ran.isVoid ? '*void* ' : ''}${ran.results.map((result) => inline(resultWords(result))).join('; ')}`,
    ]),
    ...tails.map((result) => folded(`The end of the output of ${result.name}`, result.tail.text)),
  );
}

function changesPart(report: Report): string | null {
  const { files, firstTree, lastTree } = report.changes;
  if (firstTree === null) return null;
  const named = (files ?? []).filter((file) => file.path !== '').slice(0, rowsShown);
  const rows = named.map((file) => [
    file.status,
    code(file.path),
    file.added === null ? '–' : `+${file.added}`,
    file.removed === null ? '–' : `−${file.removed}`,
  ]);
  const words = changeWords(report);
  return section(
    'Changes',
    words === null ? null : `${words}.`,
    rows.length === 0 ? null : table(['', 'file', 'added', 'removed'], rows),
    `Tree \`${shortTree(firstTree)}\` at the start, \`${shortTree(lastTree)}\` at the end.`,
  );
}

function peoplePart({ people, isPublic }: Report): string | null {
  if (people.total === 0) return null;
  return section(
    'What people did',
    tableOf(['at', 'who', 'what'], people, ({ at, by, act, text }) => [
      moment(at),
      isPublic ? 'a person' : inline(by),
      `${act}${text === '' ? '' : `: ${inline(text)}`}`,
    ]),
  );
}
