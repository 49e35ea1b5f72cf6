import type { Report } from '../../core/report/index.ts';
import { oneLine, tildePath } from '../cli/format.ts';
import type { Terminal } from '../cli/terminal.ts';
import { clean, cleanLine } from './clean.ts';
import {
  approveCommand,
  approveWords,
  claimWords,
  clock,
  done,
  type Fact,
  headline,
  lastChecks,
  type Mood,
  notDone,
  period,
  resultWords,
  shortTree,
  tiles,
  troubleWords,
} from './phrases.ts';
import { type Drawn, decisionLines, gateLines, history, list, packed, turnLines } from './terminal-story.ts';

type Style = Parameters<Terminal['paint']>[0];

const moods: Readonly<Record<Mood, Style>> = { good: 'green', warn: 'yellow', bad: 'red', calm: 'cyan' };
const facts: Readonly<Record<Fact['how'], readonly [mark: string, style: Style]>> = {
  proven: ['✓', 'green'],
  seen: ['•', 'blue'],
  claimed: ['“', 'dim'],
  open: ['○', 'yellow'],
};
const filesShown = 12;
const linesShown = 6;

/** The report for a terminal of any width: what matters first, the rest by its newest part. */
export function terminalReport(report: Report, terminal: Drawn): string {
  const { paint } = terminal;
  const width = terminal.width();
  const head = headline(report);
  const title = report.asked.mission === '' ? report.run : cleanLine(report.asked.mission);
  const parts: string[][] = [
    [
      `${paint([moods[head.mood] as 'green', 'bold'], `● ${head.badge}`)}  ${paint('dim', report.run)}`,
      ...wrap(title, width).map((line) => paint('bold', line)),
      ...wrap(cleanLine(head.says), width),
    ],
    denied(report, terminal),
    packed(
      tiles(report).map(
        ({ name, value, note }) =>
          `${paint('bold', value)} ${name.toLowerCase()} ${paint('dim', `(${note})`)}`,
      ),
      width,
      paint('dim', ' · '),
    ),
    factList('Done', done(report), terminal),
    factList('Not done', notDone(report), terminal),
    history(report, terminal),
    turnLines(report, terminal),
    decisionLines(report, terminal),
    gateLines(report, terminal),
    certificateLines(report, terminal),
    changeLines(report, terminal),
    list('Trouble', troubleWords(report), terminal),
    report.ending.next === null
      ? []
      : [`${paint('bold', 'Next')}  ${paint(['bold', 'cyan'], report.ending.next)}`],
    small(report, terminal),
  ];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

/** Breaks a text at spaces; a word longer than the line is broken where it must. */
function wrap(text: string, width: number, indent = ''): readonly string[] {
  const room = Math.max(10, width - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length <= room) {
      line += ` ${rest}`;
      continue;
    }
    if (line !== '') lines.push(line);
    for (; rest.length > room; rest = rest.slice(room)) lines.push(rest.slice(0, room));
    line = rest;
  }
  return [...lines, line].map((one) => indent + one);
}

function denied(report: Report, terminal: Drawn): string[] {
  const { unanswered } = report;
  if (unanswered.length === 0) return [];
  const { paint } = terminal;
  const last = unanswered.slice(-linesShown);
  return [
    paint(['yellow', 'bold'], `Denied because nobody answered: ${unanswered.length}`),
    ...last.map(
      (gate) =>
        `  ${paint('yellow', gate.id)} ${oneLine(clean(gate.asks), terminal.width() - 24)} ${paint('dim', clock(gate.closedAt ?? gate.askedAt))}`,
    ),
    ...wrap(approveWords(report), terminal.width(), '  '),
    `  ${paint(['bold', 'cyan'], approveCommand(report))}`,
  ];
}

function factList(title: string, list: readonly Fact[], { paint, width }: Drawn): string[] {
  if (list.length === 0) return [];
  return [
    paint('bold', title),
    ...list.map(({ text, how }) => {
      const [mark, style] = facts[how];
      const note = how === 'claimed' ? paint('dim', ' (the agent says)') : '';
      return `  ${paint(style, mark)} ${oneLine(clean(text), width() - 24)}${note}`;
    }),
  ];
}

function certificateLines(report: Report, terminal: Drawn): string[] {
  const { certificate } = report;
  const { paint, width } = terminal;
  if (certificate === null) {
    const results = lastChecks(report)?.results ?? [];
    const tails = results.filter((r) => r.outcome !== 'passed' && r.tail.text !== '').slice(0, 2);
    return tails.flatMap((r) => [
      paint('red', `${cleanLine(r.name)}: the end of its output`),
      ...clean(r.tail.text)
        .trimEnd()
        .split('\n')
        .slice(-linesShown)
        .map((line) => `  ${paint('dim', oneLine(line, width() - 4))}`),
    ]);
  }
  const { tree, claim } = certificate;
  const before = (certificate.baseline ?? []).map((one) => `${one.name} ${one.outcome}`).join(', ');
  const fresh = tree.isFresh ? 'the same' : 'NOT known to be the same';
  const rows: (readonly [name: string, value: string])[] = [
    ['claim', claimWords(claim.via)],
    ...certificate.checks.map((result) => ['check', resultWords(result)] as const),
    ...(certificate.acceptedBy === null ? [] : [['accepted', `by ${certificate.acceptedBy}`] as const]),
    ['tree', `${shortTree(tree.afterChecks)} when checked, ${shortTree(tree.atEnd)} at the end: ${fresh}`],
    ...(before === '' ? [] : [['before', `${before}, at the baseline`] as const]),
    ...(certificate.altered?.length === 0
      ? [['altered', 'nothing: tests, scripts and CI are as they were'] as const]
      : []),
    ...(certificate.altered ?? []).map((one) => ['altered', `${one.what} (${one.because})`] as const),
    ...(certificate.flaky ?? []).map((name) => ['flaky', name] as const),
  ];
  return [
    paint(['green', 'bold'], 'Certificate'),
    ...rows.map(
      ([name, value]) => `  ${paint('dim', name.padEnd(9))} ${oneLine(clean(value), width() - 14)}`,
    ),
  ];
}

function changeLines({ changes }: Report, terminal: Drawn): string[] {
  const { files, paths } = changes;
  if (files === undefined || files.length === 0) return [];
  const { paint } = terminal;
  const marks = { added: paint('green', 'A'), changed: paint('blue', 'M'), removed: paint('red', 'D') };
  const shown = files.slice(0, filesShown);
  return [
    paint('bold', 'Files'),
    ...shown.map(
      (file) =>
        `  ${marks[file.status]} ${oneLine(clean(file.path), terminal.width() - 24)} ${paint('green', `+${file.added ?? '?'}`)} ${paint('red', `−${file.removed ?? '?'}`)}`,
    ),
    ...((paths ?? 0) > shown.length ? [paint('dim', `  and ${(paths ?? 0) - shown.length} more`)] : []),
  ];
}

function small(report: Report, { paint, env }: Drawn): string[] {
  const { asked, ending, run } = report;
  const where = asked.workspace === '' ? '' : ` in ${tildePath(clean(asked.workspace), env.HOME)}`;
  return [
    paint(
      'dim',
      `${asked.agent.name}${where} · ${period(asked.at, ending.at)} · ${ending.entries} entries, policy version ${asked.policyVersion}`,
    ),
    paint('dim', `More: tireless report --html ${run} · tireless logs ${run}`),
  ];
}
