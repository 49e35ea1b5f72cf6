import type { Report } from '../../core/report/index.ts';
import { decisionsPart, gatesPart, turnsPart } from './markdown-story.ts';
import { code, fenced, folded, inline, rowsShown, section, table, tableOf } from './markdown-text.ts';
import {
  approveCommand,
  approveWords,
  bandWords,
  changeWords,
  checkRunWords,
  claimWords,
  clock,
  done,
  type Fact,
  headline,
  lastChecks,
  moment,
  notDone,
  period,
  resultWords,
  shortTree,
  span,
  tiles,
  troubleWords,
} from './phrases.ts';

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
    `---\n\nRun ${run}: ${asked.agent.name}, ${period(asked.at, ending.at)}, ${ending.entries} entries, policy version ${asked.policyVersion}${report.isPublic ? ', shortened for the public' : ''}.`,
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

function certificatePart({ certificate }: Report): string | null {
  if (certificate === null) return null;
  const { tree, claim } = certificate;
  const before = (certificate.baseline ?? []).map((one) => `${one.name} ${one.outcome}`).join(', ');
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
    ...(before === '' ? [] : [['baseline', inline(`before the first turn: ${before}`)]]),
    ...(certificate.altered?.length === 0
      ? [['altered', 'nothing: tests, scripts and CI are as they were']]
      : []),
    ...(certificate.altered ?? []).map((one) => [
      'altered',
      inline(one.what === '' ? 'a part of the proof' : `${one.what} ${one.because}`),
    ]),
    ...(certificate.flaky ?? []).map((name) => ['flaky', inline(name)]),
    ...(certificate.wrote ?? [])
      .slice(0, 1)
      .map(() => ['checks wrote', inline((certificate.wrote ?? []).join(', '))]),
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

function checksPart(report: Report): string | null {
  const { checkRuns } = report;
  if (checkRuns.total === 0) return null;
  const tails = (lastChecks(report)?.results ?? []).filter((result) => result.tail.text.trim() !== '');
  return section(
    `Checks we ran: ${checkRuns.total}`,
    tableOf(['at', 'when', 'result'], checkRuns, (ran) => [
      ...[clock(ran.at), checkRunWords(ran)],
      `${ran.results.map((result) => inline(resultWords(result))).join('; ')}`,
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
