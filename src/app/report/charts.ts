import { moment, span } from '../cli/format.ts';
import type { Series, Timeline } from './document.ts';
import { html, type Markup } from './markup.ts';

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
export function timeChart({ name, bands, kinds }: Timeline): Markup {
  const [first, last] = [bands[0], bands.at(-1)];
  if (first === undefined || last === undefined || last.to <= first.from) return html``;
  const total = last.to - first.from;
  const x = (at: number): number => ((at - first.from) / total) * width;
  const names = new Map(kinds.map((one) => [one.kind, one.name]));
  const rects = bands.map(
    ({ kind, from, to }) =>
      html`<rect class="b-${kind}" x="${round(x(from))}" y="4" width="${Math.max(0.6, round(x(to) - x(from)))}" height="38"><title>${names.get(kind)}: ${span(to - from)} from ${moment(from)}</title></rect>`,
  );
  const said = kinds.map((one) => `${one.name} ${span(one.ms)}`).join(', ');
  return html`<figure class="chart"><svg viewBox="0 0 ${width} 70" role="img" aria-labelledby="time-t time-d">
<title id="time-t">${name}</title><desc id="time-d">From ${moment(first.from)}, ${span(total)} in all: ${said}.</desc>
<g shape-rendering="crispEdges">${rects}</g>
${timeTicks(first.from, last.to, x)}</svg>
<figcaption class="legend">${kinds.map((one) => html`<span><i class="b-${one.kind}"></i>${one.name} <b>${span(one.ms)}</b></span>`)}</figcaption></figure>`;
}

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

const high = 150;
const dotsMax = 60;
const ticksPerTurnsMax = 16;

/** A value per turn, over a grid that names its heights. */
export function seriesChart(series: Series): Markup {
  const { as, name, says, points, top, words, legend } = series;
  const slot = inner / points.length;
  const y = (value: number): number => round(10 + high * (1 - value / top));
  const id = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const keys = Object.entries(legend).map(
    ([tone, meaning]) => html`<span><i class="k-${tone}"></i>${meaning}</span>`,
  );
  const grid = [0, 0.5, 1].map(
    (part) =>
      html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(top * part)}" y2="${y(top * part)}"/><text class="axis" x="${left - 8}" y="${y(top * part) + 4}" text-anchor="end">${words(top * part)}</text>`,
  );
  const every = Math.max(1, Math.ceil(points.length / ticksPerTurnsMax));
  const ticks = points.map(({ tick }, i) =>
    i % every === 0
      ? html`<text class="axis" x="${round(left + (i + 0.5) * slot)}" y="${high + 30}" text-anchor="middle">${tick}</text>`
      : html``,
  );
  return html`<figure class="chart"><figcaption class="legend"><b>${name}</b>${keys}</figcaption>
<svg viewBox="0 0 ${width} ${high + 40}" role="img" aria-labelledby="${id}-t ${id}-d">
<title id="${id}-t">${name}</title><desc id="${id}-d">${says}</desc>
${grid}${as === 'bars' ? bars(series, slot, y) : curve(series, slot, y)}${ticks}</svg></figure>`;
}

type Height = (value: number) => number;

function bars({ points, words, legend }: Series, slot: number, y: Height): readonly Markup[] {
  const wide = Math.min(56, slot * 0.72);
  return points.map(({ name, value, tone = 'idle' }, i) => {
    const tall = Math.max(1.5, round(y(0) - y(value)));
    return html`<rect class="bar ${tone}" x="${round(left + i * slot + (slot - wide) / 2)}" y="${y(value)}" width="${round(wide)}" height="${tall}" rx="${round(Math.min(4, wide / 3))}"><title>${name}: ${words(value)}, ${legend[tone]}</title></rect>`;
  });
}

function curve({ points, words }: Series, slot: number, y: Height): Markup {
  const at = points.map(({ value }, i) => [round(left + (i + 0.5) * slot), y(value)] as const);
  const line = at.map(([x, height]) => `${x},${height}`).join(' ');
  const area = `${at[0]?.[0]},${y(0)} ${line} ${at.at(-1)?.[0]},${y(0)}`;
  const dots = points.map(
    ({ name, value }, i) =>
      html`<circle class="dot" cx="${at[i]?.[0]}" cy="${at[i]?.[1]}" r="4"><title>${name}: ${words(value)}</title></circle>`,
  );
  return html`<polygon class="area" points="${area}"/><polyline class="line" points="${line}"/>${points.length > dotsMax ? null : dots}`;
}
