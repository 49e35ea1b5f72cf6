import { type BandKind, bandKinds, type Point, type Report } from '../../../core/report/index.ts';
import { count, plural, span } from '../../cli/format.ts';
import type { Block, Section, Series } from '../document.ts';

export function history(report: Report): Section | null {
  const blocks = [timeline(report), perTurn(report), progress(report)].filter((block) => block !== null);
  return blocks.length === 0 ? null : { title: 'How it went', blocks };
}

const bandWords: Readonly<Record<BandKind, string>> = {
  working: 'agent at work',
  checking: 'checks running',
  deciding: 'deciding',
  'waiting-person': 'waiting for a person',
  'waiting-world': 'waiting for the world',
  paused: 'paused',
  asleep: 'machine asleep',
  unkept: 'nobody kept it',
};

function timeline({ bands, spent: { byBand } }: Report): Block | null {
  if (bands.length === 0) return null;
  const kinds = bandKinds
    .filter((kind) => byBand[kind] > 0)
    .map((kind) => ({ kind, name: bandWords[kind], ms: byBand[kind] }));
  return { is: 'timeline', name: 'Where the time went', bands, kinds };
}

const nameOf = ({ fromTurn, toTurn }: Point): string =>
  fromTurn === toTurn ? `Turn ${fromTurn}` : `Turns ${fromTurn} to ${toTurn}`;

/** What each turn took, coloured by what came of it. Without tokens the time stands in. */
function perTurn({ points }: Report): Series | null {
  const [first] = points;
  if (first === undefined) return null;
  const isTokens = points.some((point) => (point.tokens ?? 0) > 0);
  const value = (point: Point): number => (isTokens ? (point.tokens ?? 0) : point.durationMs);
  const values = points.map(value);
  const most = Math.max(...values);
  const words = (n: number): string => (isTokens ? count(n) : span(n));
  const merged = first.toTurn - first.fromTurn + 1;
  const unit = isTokens ? ' tokens' : '';
  const sum = values.reduce((all, n) => all + n, 0);
  return {
    is: 'series',
    as: 'bars',
    name: `${isTokens ? 'Tokens' : 'Time'} per ${merged > 1 ? `${merged} turns` : 'turn'}`,
    says: `${plural(points.length, 'bar')}; ${words(sum)}${unit} in all, at most ${words(most)}${unit} in one.`,
    points: points.map((point) => ({
      name: nameOf(point),
      tick: point.fromTurn,
      value: value(point),
      tone: point.failed > 0 ? 'bad' : point.changed > 0 ? 'good' : 'idle',
    })),
    top: niceTop(Math.max(most, 1), isTokens ? 1 : 1_000),
    words,
    legend: { good: 'left a result', idle: 'changed nothing', bad: 'failed' },
  };
}

/** A round number at or above the largest value. */
function niceTop(most: number, unit: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / unit)));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((n) => n * power * unit >= most) ?? 10;
  return step * power * unit;
}

/** How the work grew: the agent's plan where it has one, else turns that left a result. */
function progress({ points }: Report): Series | null {
  if (points.length < 2) return null;
  const isPlan = points.some((point) => (point.plan?.total ?? 0) > 0);
  let changed = 0;
  const grown = points.map((point) => {
    changed += point.changed;
    const planned = point.plan === null ? 0 : point.plan.done / Math.max(1, point.plan.total);
    return { name: nameOf(point), tick: point.fromTurn, value: isPlan ? planned : changed };
  });
  const words = (n: number): string => (isPlan ? `${Math.round(n * 100)} %` : count(Math.round(n)));
  return {
    is: 'series',
    as: 'line',
    name: isPlan ? 'Plan, as the agent tells it' : 'Turns that left a result',
    says: `${words(grown.at(-1)?.value ?? 0)} at the end, after ${plural(points.at(-1)?.toTurn ?? 0, 'turn')}.`,
    points: grown,
    top: isPlan ? 1 : Math.max(1, changed),
    words,
    legend: {},
  };
}
