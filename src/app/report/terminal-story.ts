import type {
  BandKind,
  DecisionStory,
  Excerpt,
  GateStory,
  Report,
  TurnStory,
} from '../../core/report/index.ts';
import { count, oneLine } from '../cli/format.ts';
import type { Terminal } from '../cli/terminal.ts';
import { clean, cleanLine } from './clean.ts';
import { bandWords, clock, gateWords, itemWords, span } from './phrases.ts';

/** What the report needs of a terminal. */
export type Drawn = Pick<Terminal, 'paint' | 'width' | 'env'>;
type Style = Parameters<Terminal['paint']>[0];

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
const steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const turnsShown = 12;
const decisionsShown = 12;
const gatesShown = 10;
const rulesShown = 6;

export const list = (title: string, lines: readonly string[], { paint, width }: Drawn): string[] =>
  lines.length === 0
    ? []
    : [paint('bold', title), ...lines.map((line) => `  · ${oneLine(clean(line), width() - 6)}`)];

/** Where the time went as one coloured strip, and what each turn took as small bars. */
export function history(report: Report, terminal: Drawn): string[] {
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
  const lines = [paint('bold', 'How it went'), `  ${strip}`, ...packed(legend, terminal.width())];
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

/** As many parts on a line as fit; colours take no room. */
export function packed(parts: readonly string[], width: number, between = '  '): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
  const bare = (text: string): number => text.replaceAll(/\u001b\[[0-9;]*m/g, '').length;
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && bare(last) + bare(between) + bare(part) <= width)
      lines[lines.length - 1] = `${last}${between}${part}`;
    else lines.push(`  ${part}`);
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

export function turnLines({ turns }: Report, terminal: Drawn): string[] {
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

export function decisionLines({ decisions }: Report, terminal: Drawn): string[] {
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

export function gateLines({ gates, answers }: Report, terminal: Drawn): string[] {
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
    : [...lines, ...list('Answered by rule', byRule.slice(0, rulesShown), terminal)];
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
