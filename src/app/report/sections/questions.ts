import type { GateEnd, Report } from '../../../core/report/index.ts';
import { clockTime, span } from '../../cli/format.ts';
import {
  type Block,
  below,
  code,
  faint,
  type Mood,
  pill,
  type Section,
  soft,
  table,
  text,
} from '../document.ts';

export function questions(report: Report): Section | null {
  const { gates, answers, denials } = report;
  if (gates.total === 0 && answers.length === 0) return null;
  const blocks: Block[] = [gates.total === 0 ? text('No question needed a person.', 'soft') : asked(report)];
  const items = answers.map(({ answer, rule, times }) => ({
    name: `${answer === 'approve' ? 'approved' : 'denied'} by ${rule}`,
    times,
  }));
  if (items.length > 0)
    blocks.push({ is: 'heading', text: 'Answered by rule, without a person' }, { is: 'counts', items });
  if (denials.total > 0)
    blocks.push({ is: 'heading', text: 'Refused by the guard', isDetail: true }, refused(report));
  return { title: 'Questions and approvals', blocks };
}

const ends: Readonly<Record<GateEnd, readonly [words: string, mood: Mood]>> = {
  open: ['still open', 'warn'],
  approved: ['approved', 'good'],
  denied: ['denied', 'bad'],
  answered: ['answered', 'good'],
  expired: ['nobody answered in time', 'warn'],
  withdrawn: ['no longer asked', 'calm'],
};

const asked = ({ gates }: Report): Block =>
  table(gates, [
    { name: 'asked', as: 'time', cell: ({ askedAt }) => clockTime(askedAt) },
    { name: 'id', cell: ({ id }) => code(id) },
    { name: 'turn', as: 'number', isDetail: true, cell: ({ turn }) => String(turn) },
    { name: 'what', as: 'wide', cell: ({ asks, kind }) => code(asks === '' ? kind : asks) },
    {
      name: 'why',
      as: 'wide',
      isDetail: true,
      cell: ({ because, rule, never }) => [
        because,
        faint(`(${rule})`),
        pill(never ? 'never without a person' : '', 'bad'),
      ],
    },
    {
      name: 'answer',
      cell: ({ end, by, said, askedAt, closedAt }) => [
        pill(...ends[end]),
        soft(by === null ? '' : `by ${by}`),
        { ...faint(closedAt === null ? '' : `after ${span(closedAt - askedAt)}`), isDetail: true },
        below(soft(said === '' ? '' : `“${said}”`)),
      ],
    },
  ]);

const refused = ({ denials }: Report): Block => ({
  isDetail: true,
  ...table(denials, [
    { name: 'at', as: 'time', cell: ({ at }) => clockTime(at) },
    { name: 'rule', cell: ({ rule, never }) => [code(rule), pill(never ? 'never list' : '', 'bad')] },
    { name: 'what', as: 'wide', cell: ({ action }) => code(action) },
    { name: 'why', as: 'wide', cell: ({ because }) => because },
  ]),
});
