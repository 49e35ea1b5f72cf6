import type { DecisionStory, Report } from '../../../core/report/index.ts';
import { clockTime } from '../../cli/format.ts';
import {
  below,
  code,
  faint,
  type Line,
  type Mood,
  type Piece,
  pill,
  type Section,
  soft,
  table,
} from '../document.ts';

export function decisions({ decisions: all, rules }: Report): Section | null {
  if (all.total === 0) return null;
  const items = rules.map(({ verdict, rule, times }) => ({ name: `${verdict} by ${rule}`, times }));
  const rows = table(all, [
    { name: 'at', as: 'time', cell: ({ at }) => clockTime(at) },
    { name: 'turn', as: 'number', isDetail: true, cell: ({ turn }) => String(turn) },
    { name: 'verdict', cell: verdictPill },
    { name: 'rule', cell: ({ rule }) => code(rule) },
    { name: 'because', as: 'wide', cell: (one) => [one.because, ...adviceLines(one)] },
    { name: 'sure', as: 'number', isDetail: true, cell: ({ confidence }) => String(confidence) },
  ]);
  return {
    title: 'Decisions and why',
    count: all.total,
    blocks: [{ is: 'counts', items, isDetail: true }, rows],
  };
}

const verdictMoods: Readonly<Record<DecisionStory['verdict'], Mood>> = {
  continue: 'calm',
  wait: 'warn',
  verify: 'calm',
  review: 'calm',
  pause: 'warn',
  stop: 'bad',
};

export const verdictPill = ({ verdict, to }: Pick<DecisionStory, 'verdict' | 'to'>): Piece =>
  to === 'done' ? pill('done', 'good') : pill(verdict, verdictMoods[verdict]);

function adviceLines({ advice }: DecisionStory): readonly Exclude<Line, string | readonly unknown[]>[] {
  if (advice === null) return [];
  const sure = advice.confidence === null ? '' : ` at ${advice.confidence}`;
  const lost = advice.overridden ? ', overridden by this rule' : '';
  return [
    below([soft(`advice: ${advice.action}${sure}${lost}`), soft(advice.reason)]),
    below(faint(advice.problems.join('; '))),
  ];
}
