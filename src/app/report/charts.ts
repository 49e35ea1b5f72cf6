import type { Band, BandKind, Point, Report } from '../../core/report/index.ts';
import { count } from '../cli/format.ts';
import { html, type Markup } from './markup.ts';
import { bandWords, moment, plural, span } from './phrases.ts';

const width = 960;
const left = 56;
const right = 12;
const inner = width - left - right;
const round = (n: number): number => Math.round(n * 10) / 10;

/** Steps a person reads time in, from a second to a week. */
const timeSteps = [
  1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800,
].map((s) => s * 1_000);
const ticksMax = 8;

/** Where the wall time went: one strip of coloured bands over a clock. */
export function timeChart({ bands, spent }: Report): Markup | null {
  const [first, last] = [bands[0], bands.at(-1)];
  if (first === undefined || last === undefined || last.to <= first.from) return null;
  const total = last.to - first.from;
  const x = (at: number): number => ((at - first.from) / total) * width;
  const kinds = (Object.keys(bandWords) as BandKind[]).filter((kind) => spent.byBand[kind] > 0);
  const said = kinds.map((kind) => `${bandWords[kind]} ${span(spent.byBand[kind])}`).join(', ');
  return html`<figure class="chart"><svg viewBox="0 0 ${width} 70" role="img" aria-labelledby="time-t time-d">
<title id="time-t">Where the time went</title><desc id="time-d">From ${moment(first.from)}, ${span(total)} in all: ${said}.</desc>
<g shape-rendering="crispEdges">${bands.map((band) => bandRect(band, x))}</g>
${timeTicks(first.from, last.to, x)}</svg>
<figcaption class="legend">${kinds.map(
    (kind) =>
      html`<span><i class="b-${kind}"></i>${bandWords[kind]} <b>${span(spent.byBand[kind])}</b></span>`,
  )}</figcaption></figure>`;
}

const bandRect = ({ kind, from, to }: Band, x: (at: number) => number): Markup =>
  html`<rect class="b-${kind}" x="${round(x(from))}" y="4" width="${Math.max(0.6, round(x(to) - x(from)))}" height="38"><title>${bandWords[kind]}: ${span(to - from)} from ${moment(from)}</title></rect>`;

function timeTicks(from: number, to: number, x: (at: number) => number): readonly Markup[] {
  const step = timeSteps.find((s) => (to - from) / s <= ticksMax) ?? to - from;
  const offsetMs = new Date(from).getTimezoneOffset() * 60_000;
  const start = Math.ceil((from - offsetMs) / step) * step + offsetMs;
  const ticks: Markup[] = [];
  for (let at = start; at <= to && ticks.length <= ticksMax; at += step) {
    const place = round(x(at));
    const anchor = place < 40 ? 'start' : place > width - 40 ? 'end' : 'middle';
    ticks.push(
      html`<line class="tick" x1="${place}" x2="${place}" y1="42" y2="48"/><text class="axis" x="${place}" y="62" text-anchor="${anchor}">${tickWords(at, step)}</text>`,
    );
  }
  return ticks;
}

function tickWords(at: number, step: number): string {
  const date = new Date(at);
  if (step >= 86_400_000) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  const seconds = step < 60_000 ? { second: '2-digit' as const } : {};
  return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...seconds });
}

const barsHigh = 150;

/** What each turn took, coloured by what came of it. Without tokens the time stands in. */
export function turnChart({ points }: Report): Markup | null {
  if (points.length === 0) return null;
  const isTokens = points.some((point) => (point.tokens ?? 0) > 0);
  const amount = (point: Point): number => (isTokens ? (point.tokens ?? 0) : point.durationMs);
  const words = (n: number): string => (isTokens ? `${count(n)} tokens` : span(n));
  const most = niceTop(Math.max(...points.map(amount), 1), isTokens ? 1 : 1_000);
  const slot = inner / points.length;
  const bar = Math.min(56, slot * 0.72);
  const merged = (points[0]?.toTurn ?? 1) - (points[0]?.fromTurn ?? 1) + 1;
  const name = `${isTokens ? 'Tokens' : 'Time'} per ${merged > 1 ? `${merged} turns` : 'turn'}`;
  const bars = points.map((point, i) => {
    const high = (amount(point) / most) * barsHigh;
    const tone = point.failed > 0 ? 'bad' : point.changed > 0 ? 'good' : 'idle';
    return html`<rect class="bar ${tone}" x="${round(left + i * slot + (slot - bar) / 2)}" y="${round(10 + barsHigh - high)}" width="${round(bar)}" height="${Math.max(1.5, round(high))}" rx="${round(Math.min(4, bar / 3))}"><title>${turnName(point)}: ${words(amount(point))}, ${tone === 'bad' ? 'failed' : tone === 'good' ? 'left a result' : 'changed nothing'}</title></rect>`;
  });
  const sum = points.reduce((all, point) => all + amount(point), 0);
  return html`<figure class="chart"><figcaption class="legend"><b>${name}</b><span><i class="k-good"></i>left a result</span><span><i class="k-idle"></i>changed nothing</span><span><i class="k-bad"></i>failed</span></figcaption>
<svg viewBox="0 0 ${width} ${barsHigh + 40}" role="img" aria-labelledby="turns-t turns-d">
<title id="turns-t">${name}</title><desc id="turns-d">${plural(points.length, 'bar')}; ${words(sum)} in all, at most ${words(Math.max(...points.map(amount)))} in one.</desc>
${gridLines(most, (n) => (isTokens ? count(n) : span(n)))}${bars}${turnTicks(points, slot)}</svg></figure>`;
}

const turnName = ({ fromTurn, toTurn }: Point): string =>
  fromTurn === toTurn ? `Turn ${fromTurn}` : `Turns ${fromTurn} to ${toTurn}`;

/** A round number at or above the largest value. */
function niceTop(most: number, unit: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / unit)));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((n) => n * power * unit >= most) ?? 10;
  return step * power * unit;
}

const gridLines = (most: number, words: (n: number) => string): readonly Markup[] =>
  [0, 0.5, 1].map((part) => {
    const y = round(10 + barsHigh * (1 - part));
    return html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y}" y2="${y}"/><text class="axis" x="${left - 8}" y="${y + 4}" text-anchor="end">${words(most * part)}</text>`;
  });

function turnTicks(points: readonly Point[], slot: number): readonly Markup[] {
  const every = Math.max(1, Math.ceil(points.length / 16));
  return points.flatMap((point, i) =>
    i % every === 0
      ? [
          html`<text class="axis" x="${round(left + (i + 0.5) * slot)}" y="${barsHigh + 30}" text-anchor="middle">${point.fromTurn}</text>`,
        ]
      : [],
  );
}

/** How the work grew: the agent's plan where it has one, else turns that left a result. */
export function progressChart({ points }: Report): Markup | null {
  if (points.length < 2) return null;
  const isPlan = points.some((point) => (point.plan?.total ?? 0) > 0);
  let changed = 0;
  const counted = points.map((point) => {
    changed += point.changed;
    return isPlan ? (point.plan === null ? 0 : point.plan.done / Math.max(1, point.plan.total)) : changed;
  });
  const most = isPlan ? 1 : Math.max(1, changed);
  const slot = inner / points.length;
  const at = (i: number): string =>
    `${round(left + (i + 0.5) * slot)},${round(10 + barsHigh * (1 - (counted[i] ?? 0) / most))}`;
  const line = points.map((_, i) => at(i)).join(' ');
  const base = 10 + barsHigh;
  const area = `${round(left + slot / 2)},${base} ${line} ${round(left + (points.length - 0.5) * slot)},${base}`;
  const name = isPlan ? 'Plan, as the agent tells it' : 'Turns that left a result';
  const words = (n: number): string => (isPlan ? `${Math.round(n * 100)} %` : count(Math.round(n)));
  const dots =
    points.length > 60
      ? []
      : points.map((point, i) => {
          const [x = '', y = ''] = at(i).split(',');
          return html`<circle class="dot" cx="${x}" cy="${y}" r="4"><title>${turnName(point)}: ${words(counted[i] ?? 0)}</title></circle>`;
        });
  return html`<figure class="chart"><figcaption class="legend"><b>${name}</b></figcaption>
<svg viewBox="0 0 ${width} ${barsHigh + 40}" role="img" aria-labelledby="prog-t prog-d">
<title id="prog-t">${name}</title><desc id="prog-d">${words(counted.at(-1) ?? 0)} at the end, after ${plural(points.at(-1)?.toTurn ?? 0, 'turn')}.</desc>
${gridLines(most, words)}<polygon class="area" points="${area}"/><polyline class="line" points="${line}"/>${dots}${turnTicks(points, slot)}</svg></figure>`;
}
