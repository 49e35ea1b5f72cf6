import type { CheckRun, Report } from '../../../core/report/index.ts';
import { count, duration, money, span } from '../../cli/format.ts';
import type { Figure, Section } from '../document.ts';
import { lastChecks } from './checks.ts';

/** The figures a person looks at first. */
export function figures(report: Report): Section {
  const { spent, view, gates, answers } = report;
  const approved = answers.filter((a) => a.answer === 'approve').reduce((all, a) => all + a.times, 0);
  const { cycle, tokensMax } = view;
  const cycles = cycle && `of at most ${cycle.max}; all counts are sums over them`;
  const items: readonly Figure[] = [
    ...(cycle === undefined ? [] : [figure('Cycles', String(cycle.n), cycles)]),
    figure('Turns', count(spent.turns), `of at most ${count(view.turnsMax)}`),
    spent.tokens === null
      ? figure('Tokens', '–', 'not reported')
      : figure(
          'Tokens',
          count(spent.tokens),
          tokensMax === null ? 'no token limit' : `of ${count(tokensMax)}`,
        ),
    spent.money === null
      ? figure('Cost', '–', 'not reported')
      : figure('Cost', money(spent.money), 'API-equivalent'),
    figure('Time at work', roughSpan(spent.activeMs), `in ${roughSpan(spent.elapsedMs)}`),
    checksFigure(report),
    figure('You were asked', count(gates.total), `${count(approved)} approved by rule`),
  ];
  return { blocks: [{ is: 'figures', items }] };
}

const figure = (name: string, value: string, note = ''): Figure => ({ name, value, note });

/** A stretch to remember, not to add up: two figures at most. */
const roughSpan = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 10) return span(ms);
  if (minutes < 60) return `${minutes} min`;
  return duration(minutes < 600 ? minutes * 60_000 : Math.round(minutes / 60) * 3_600_000);
};

function checksFigure(report: Report): Figure {
  const claimed = lastChecks(report);
  const results = (claimed ?? baseline(report))?.results ?? [];
  const passed = results.filter((result) => result.outcome === 'passed').length;
  const none = report.asked.checks.length > 0 ? 'not run yet' : 'none found';
  if (results.length === 0) return figure('Checks', '–', claimed === null ? none : 'passed');
  const when = claimed === null ? 'passed before the first turn' : 'passed';
  return figure('Checks', `${passed}/${results.length}`, when);
}

/** How the checks stood before the first turn. */
const baseline = ({ checkRuns }: Report): CheckRun | null =>
  checkRuns.shown.find((ran) => !ran.isVoid && ran.purpose === 'baseline') ?? null;
