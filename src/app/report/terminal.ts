import type {
  BandKind,
  DecisionStory,
  Excerpt,
  GateStory,
  Report,
  TurnStory,
} from '../../core/report/index.ts';
import type { Terminal } from '../cli/terminal.ts';
import { count, oneLine, tildePath } from '../cli/words.ts';
import { clean, cleanLine } from './clean.ts';
import {
  approveCommand,
  approveWords,
  bandWords,
  claimWords,
  clock,
  done,
  type Fact,
  gateWords,
  headline,
  itemWords,
  lastChecks,
  type Mood,
  moment,
  notDone,
  resultWords,
  shortTree,
  span,
  tiles,
  troubleWords,
} from './words.ts';

type Drawn = Pick<Terminal, 'paint' | 'width' | 'env'>;
type Style = Parameters<Terminal['paint']>[0];

const moods: Readonly<Record<Mood, Style>> = { good: 'green', warn: 'yellow', bad: 'red', calm: 'cyan' };
const bandStyles: Readonly<Record<BandKind, Style>> = {
  working: 'green',
  checking: 'cyan',
  deciding: 'blue',
  'waiting-person': 'yellow',
  'waiting-world': 'magenta',
  paused: 'gray',
  asleep: 'gray',
  unkept: 'red',
};
const facts: Readonly<Record<Fact['how'], readonly [mark: string, style: Style]>> = {
  proven: ['✓', 'green'],
  seen: ['•', 'blue'],
  claimed: ['“', 'dim'],
  open: ['○', 'yellow'],
};
const steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const turnsShown = 12;
const decisionsShown = 12;
const gatesShown = 10;
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
    [
      tiles(report)
        .map(
          ({ name, value, note }) =>
            `${paint('bold', value)} ${name.toLowerCase()} ${paint('dim', `(${note})`)}`,
        )
        .join(paint('dim', ' · ')),
    ],
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
export function wrap(text: string, width: number, indent = ''): readonly string[] {
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
    `  ${approveWords(report)}`,
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

const list = (title: string, lines: readonly string[], { paint, width }: Drawn): string[] =>
  lines.length === 0
    ? []
    : [paint('bold', title), ...lines.map((line) => `  · ${oneLine(clean(line), width() - 6)}`)];

/** Where the time went as one coloured strip, and what each turn took as small bars. */
function history(report: Report, terminal: Drawn): string[] {
  const { bands, points, spent } = report;
  const { paint } = terminal;
  const cells = terminal.width() - 4;
  const [first, last] = [bands[0], bands.at(-1)];
  if (first === undefined || last === undefined) return [];
  const each = (last.to - first.from) / cells;
  let strip = '';
  for (let cell = 0, at = 0; cell < cells; cell++) {
    const middle = first.from + (cell + 0.5) * each;
    while (at < bands.length - 1 && (bands[at]?.to ?? 0) < middle) at += 1;
    strip += paint(bandStyles[bands[at]?.kind ?? 'deciding'], '█');
  }
  const legend = (Object.keys(bandStyles) as BandKind[])
    .filter((kind) => spent.byBand[kind] > 0)
    .map((kind) => `${paint(bandStyles[kind], '█')} ${bandWords[kind]} ${span(spent.byBand[kind])}`);
  const lines = [paint('bold', 'How it went'), `  ${strip}`, ...legendLines(legend, terminal.width())];
  const tokens = points.map((point) => point.tokens ?? 0);
  if (tokens.some((n) => n > 0))
    lines.push(
      `  tokens per turn  ${spark(tokens, cells - 40)}  ${paint('dim', `most ${count(Math.max(...tokens))}`)}`,
    );
  const plan = points.map((point) =>
    point.plan === null ? 0 : point.plan.done / Math.max(1, point.plan.total),
  );
  if (plan.some((n) => n > 0)) lines.push(`  plan done        ${spark(plan, cells - 40, 1)}`);
  return lines;
}

/** As many entries of the legend on a line as fit; colours take no room. */
function legendLines(legend: readonly string[], width: number): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
  const bare = (text: string): number => text.replaceAll(/\u001b\[[0-9;]*m/g, '').length;
  const lines: string[] = [];
  for (const one of legend) {
    const last = lines.at(-1);
    if (last !== undefined && bare(last) + bare(one) + 2 <= width)
      lines[lines.length - 1] = `${last}  ${one}`;
    else lines.push(`  ${one}`);
  }
  return lines;
}

function spark(values: readonly number[], cells: number, most = Math.max(...values)): string {
  const room = Math.max(1, Math.min(cells, values.length));
  let out = '';
  for (let cell = 0; cell < room; cell++) {
    const from = Math.floor((cell * values.length) / room);
    const to = Math.max(from + 1, Math.floor(((cell + 1) * values.length) / room));
    const value = Math.max(...values.slice(from, to), 0);
    out +=
      values.length <= from
        ? ''
        : (steps[Math.min(7, Math.floor((value / Math.max(most, 1e-9)) * 7.999))] ?? '');
  }
  return out;
}

function turnLines({ turns }: Report, terminal: Drawn): string[] {
  const { paint } = terminal;
  const row = (turn: TurnStory): string => {
    const mark =
      turn.status === 'failed'
        ? paint('red', '✗')
        : turn.changed.length > 0
          ? paint('green', '●')
          : paint('dim', '○');
    const name = turn.isForeign ? 'not ours' : String(turn.turn);
    const parts = [
      span(turn.durationMs),
      turn.tokens === null ? '' : `${count(turn.tokens)} tokens`,
      itemWords(turn),
      turn.changed.length > 0 ? `changed ${turn.changed.join(', ')}` : '',
      turn.failure === null ? '' : turn.failure.kind,
      turn.decided.length > 0 ? `→ ${turn.decided.map((d) => `${d.verdict} (${d.rule})`).join(' → ')}` : '',
    ];
    const text = parts.filter((part) => part !== '').join(' · ');
    return `  ${mark} ${name.padStart(4)} ${paint('dim', clock(turn.startedAt))}  ${oneLine(clean(text), terminal.width() - 20)}`;
  };
  return newest('Turns', turns, turnsShown, row, terminal);
}

function decisionLines({ decisions }: Report, terminal: Drawn): string[] {
  const { paint } = terminal;
  const row = (one: DecisionStory): string => {
    const advice =
      one.advice === null
        ? ''
        : ` (advice: ${one.advice.action}${one.advice.overridden ? ', overridden' : ''})`;
    return `  ${paint('dim', clock(one.at))}  ${one.verdict.padEnd(8)} ${paint('bold', one.rule)} ${oneLine(clean(one.because + advice), terminal.width() - 24 - one.rule.length)}`;
  };
  return newest('Decisions', decisions, decisionsShown, row, terminal);
}

function gateLines({ gates, answers }: Report, terminal: Drawn): string[] {
  const { paint } = terminal;
  const row = (gate: GateStory): string => {
    const style =
      gate.end === 'approved' || gate.end === 'answered'
        ? 'green'
        : gate.end === 'withdrawn'
          ? 'dim'
          : 'yellow';
    const by = gate.by === null ? '' : ` by ${cleanLine(gate.by)}`;
    const room = terminal.width() - 40;
    return `  ${gate.id.padEnd(5)} ${oneLine(clean(gate.asks === '' ? gate.rule : gate.asks), room)} ${paint(style, `${gateWords[gate.end]}${by}`)}`;
  };
  const lines = newest('Questions', gates, gatesShown, row, terminal);
  const byRule = answers.map(
    ({ answer, rule, times }) => `${answer === 'approve' ? 'approved' : 'denied'} by ${rule}: ${times}`,
  );
  return byRule.length === 0
    ? lines
    : [...lines, ...list('Answered by rule', byRule.slice(0, linesShown), terminal)];
}

/** The newest of a list, and how many more there are. */
function newest<T>(
  title: string,
  all: Excerpt<T>,
  most: number,
  row: (one: T) => string,
  { paint }: Drawn,
): string[] {
  if (all.total === 0) return [];
  const shown = all.shown.slice(-most);
  const more = all.total - shown.length;
  const note = more === 0 ? '' : paint('dim', ` (the last ${shown.length} of ${all.total})`);
  return [`${paint('bold', title)}${note}`, ...shown.map(row)];
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
  const fresh = tree.isFresh ? 'the same' : 'NOT known to be the same';
  const rows: (readonly [name: string, value: string])[] = [
    ['claim', claimWords(claim.via)],
    ...certificate.checks.map((result) => ['check', resultWords(result)] as const),
    ...(certificate.acceptedBy === null ? [] : [['accepted', `by ${certificate.acceptedBy}`] as const]),
    ['tree', `${shortTree(tree.afterChecks)} when checked, ${shortTree(tree.atEnd)} at the end: ${fresh}`],
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
  const shown = files.slice(0, turnsShown);
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
      `${asked.agent.name}${where} · ${moment(asked.at)} to ${moment(ending.at)} · ${ending.entries} entries, policy version ${asked.policyVersion}`,
    ),
    paint('dim', `More: tireless report --html ${run} · tireless logs ${run}`),
  ];
}
