import type { CheckRun, Report } from '../../../core/report/index.ts';
import { count, duration, money, span } from '../../cli/format.ts';
import type { Figure, Section } from '../document.ts';
import { lastChecks } from './checks.ts';

/** The figures a person looks at first. */
export function figures(report: Report): Section {
  const { spent, view, gates, answers } = report;
  const approved = answers.filter((a) => a.answer === 'approve').reduce((all, a) => all + a.times, 0);
  const items: Figure[] = [
    { name: 'Turns', value: count(spent.turns), note: `of at most ${count(view.turnsMax)}` },
    {
      name: 'Tokens',
      value: spent.tokens === null ? '–' : count(spent.tokens),
      note:
        spent.tokens === null
          ? 'not reported'
          : view.tokensMax === null
            ? 'no token limit'
            : `of ${count(view.tokensMax)}`,
    },
    {
      name: 'Cost',
      value: spent.money === null ? '–' : money(spent.money),
      note: spent.money === null ? 'not reported' : 'API-equivalent',
    },
    { name: 'Time at work', value: roughSpan(spent.activeMs), note: `in ${roughSpan(spent.elapsedMs)}` },
    checksFigure(report),
    { name: 'You were asked', value: count(gates.total), note: `${count(approved)} approved by rule` },
  ];
  const { cycle } = view;
  if (cycle !== undefined)
    items.unshift({
      name: 'Cycles',
      value: String(cycle.n),
      note: `of at most ${cycle.max}; all counts are sums over them`,
    });
  return { blocks: [{ is: 'figures', items }] };
}

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
  return {
    name: 'Checks',
    value: results.length === 0 ? '–' : `${passed}/${results.length}`,
    note: claimed !== null ? 'passed' : results.length > 0 ? 'passed before the first turn' : none,
  };
}

/** How the checks stood before the first turn. */
const baseline = ({ checkRuns }: Report): CheckRun | null =>
  checkRuns.shown.find((ran) => !ran.isVoid && ran.purpose === 'baseline') ?? null;
