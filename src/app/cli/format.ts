import type { RunView } from '../../contract/view.ts';
import { cleanLine } from '../report/clean.ts';

export { nextAction } from '../../core/report/next-action.ts';

/** Numbers and times as people read them. */
export function duration(ms: number): string {
  const s = Math.round(ms / 1_000);
  if (s < 60) return `${s} s`;
  const m = Math.floor(s / 60);
  if (m < 60) return `${m} min${s % 60 === 0 ? '' : ` ${s % 60} s`}`;
  return `${Math.floor(m / 60)} h${m % 60 === 0 ? '' : ` ${m % 60} min`}`;
}

export function count(n: number): string {
  if (n < 10_000) return String(n).replace(/^(\d)(\d{3})$/, '$1,$2');
  return n < 1_000_000 ? `${(n / 1_000).toFixed(n < 100_000 ? 1 : 0)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** Hours, minutes and seconds of the day here. By hand: the first use of a locale costs as much as starting Node. */
export function clockTime(at: number): string {
  const day = new Date(at);
  return [day.getHours(), day.getMinutes(), day.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Whole numbers with their thousands apart. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${grouped(n)} ${n === 1 ? one : many}`;

export const money = (dollars: number): string => `$${dollars.toFixed(dollars < 10 ? 2 : 0)}`;

/** Short stretches matter in a demo and in tests: below ten seconds they keep a decimal. */
export const span = (ms: number): string =>
  ms < 950 ? `${Math.round(ms)} ms` : ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

export function moment(at: number): string {
  const day = new Date(at);
  return `${day.getDate()} ${months[day.getMonth()]} ${day.getFullYear()}, ${clockTime(at).slice(0, 5)}`;
}

/** From one moment to another; the day is not said twice. */
export const period = (from: number, to: number): string => {
  const isSameDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${moment(from)} to ${isSameDay ? clockTime(to).slice(0, 5) : moment(to)}`;
};

export function ago(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  return ms < 5_000 ? 'just now' : `${duration(ms)} ago`;
}

/** A state in one phrase: a wait says on what and until when. */
export function stateWords(view: RunView, now: number): string {
  if (view.state === 'waiting') {
    const until =
      view.until === null
        ? ''
        : view.until > now
          ? `, ${duration(view.until - now)} left (${clockTime(view.until)})`
          : ', due now';
    return `waiting on ${view.waitingOn ?? 'nothing'}${until}`;
  }
  if (view.state === 'paused') return `paused (${view.cause ?? 'unknown'})`;
  return view.state;
}

/** Which cycle of how many, and how full it is; null in a run of one window. */
export const cycleWords = ({ cycle }: Pick<RunView, 'cycle'>): string | null =>
  cycle === undefined
    ? null
    : `cycle ${cycle.n} of ${cycle.max}${cycle.full === null || cycle.n === 0 ? '' : `, ${Math.round(cycle.full * 100)} % full`}`;

/** Home folder as people write it. */
export const tildePath = (path: string, home: string | undefined): string =>
  home !== undefined && home !== '' && (path === home || path.startsWith(`${home}/`))
    ? `~${path.slice(home.length)}`
    : path;

export const oneLine = (text: string, max: number): string => {
  // What an agent wrote must not steer the terminal it is shown in.
  const line = cleanLine(text);
  return line.length <= max ? line : `${line.slice(0, Math.max(1, max - 1))}…`;
};
