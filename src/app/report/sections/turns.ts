import type { Report, TurnStory } from '../../../core/report/index.ts';
import { clockTime, count, money, plural, span } from '../../cli/format.ts';
import { below, faint, folded, type Line, type Mood, pill, type Section, soft, table } from '../document.ts';
import { shortTree } from './changes.ts';
import { verdictPill } from './decisions.ts';

export function turns(report: Report): Section | null {
  const all = report.turns;
  if (all.total === 0) return null;
  const rows = table(all, [
    { name: 'turn', as: 'number', cell: (one) => (one.isForeign ? pill('not ours') : String(one.turn)) },
    { name: 'began', as: 'time', cell: ({ startedAt }) => clockTime(startedAt) },
    { name: 'took', as: 'number', cell: (one) => (one.endedAt === null ? '…' : span(one.durationMs)) },
    { name: 'tokens', as: 'number', cell: ({ tokens }) => (tokens === null ? '–' : count(tokens)) },
    {
      name: 'cost',
      as: 'number',
      isDetail: true,
      cell: (one) => (one.money === null ? '–' : money(one.money)),
    },
    { name: 'did', as: 'wide', cell: didLine },
    { name: 'changed', cell: changedLine },
    {
      name: 'then',
      as: 'wide',
      cell: ({ decided }) => decided.map((one) => below([verdictPill(one), soft(`(${one.rule})`)])),
    },
  ]);
  return { title: 'Turns', count: all.total, blocks: [rows] };
}

const statusMoods: Readonly<Record<TurnStory['status'], Mood>> = {
  running: 'calm',
  completed: 'good',
  interrupted: 'warn',
  failed: 'bad',
};

function didLine(turn: TurnStory): Line {
  const { failure, status } = turn;
  const why =
    failure === null ? '' : [failure.kind, failure.message].filter((part) => part !== '').join(': ');
  return [
    pill(status === 'completed' ? '' : status, statusMoods[status]),
    itemWords(turn),
    below(soft(why)),
    folded('what it said', turn.message),
  ];
}

/** What a turn did, by the kinds of its items. */
function itemWords({ items, failedItems, denials }: TurnStory): string {
  const parts = [
    items.command > 0 ? plural(items.command, 'command') : '',
    items.edit > 0 ? plural(items.edit, 'edit') : '',
    items.tool > 0 ? plural(items.tool, 'tool call') : '',
    failedItems > 0 ? `${failedItems} failed` : '',
    denials > 0 ? `${denials} denied` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function changedLine({ changed, trees: { before, after } }: TurnStory): Line {
  const trees = after === null || after === before ? '' : `${shortTree(before, 8)} → ${shortTree(after, 8)}`;
  return [
    ...(changed.length === 0 ? [faint('nothing')] : changed.map((what) => pill(what, 'good'))),
    below({ text: trees, as: 'code', tone: 'faint', isDetail: true }),
  ];
}
