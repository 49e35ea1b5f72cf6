import type { Report } from '../../../core/report/index.ts';
import { grouped, plural } from '../../cli/format.ts';
import { type Block, code, pill, type Section, table, text } from '../document.ts';

const filesShown = 200;

export const shortTree = (tree: string | null, digits = 10): string =>
  tree === null || tree === 'unknown' ? 'unknown' : tree.slice(0, digits);

export function changes(report: Report): Section | null {
  const { files = [], paths = 0, firstTree, lastTree, turns } = report.changes;
  if (firstTree === null) return null;
  const words = changeWords(report);
  const trees = `Tree ${shortTree(firstTree)} at the start, ${shortTree(lastTree)} at the end`;
  const blocks: Block[] = [
    { ...text(`${trees}; ${plural(turns, 'turn')} left a result.`, 'soft'), isDetail: true },
  ];
  if (files.some((file) => file.path !== '')) blocks.unshift(fileTable(files.slice(0, filesShown), paths));
  if (words !== null) blocks.unshift({ ...text(`${words}.`), isDetail: true });
  return { title: 'Changes', blocks };
}

const moods = { added: 'good', changed: 'calm', removed: 'bad' } as const;

const fileTable = (shown: NonNullable<Report['changes']['files']>, total: number): Block =>
  table(
    { shown, total, gapAt: null },
    [
      { name: '', cell: ({ status }) => pill(status, moods[status]) },
      { name: 'file', as: 'wide', cell: ({ path }) => code(path) },
      {
        name: 'added',
        as: 'number',
        cell: ({ added }) => ({ text: added === null ? '–' : `+${added}`, tone: 'good' }),
      },
      {
        name: 'removed',
        as: 'number',
        cell: ({ removed }) => ({ text: removed === null ? '–' : `−${removed}`, tone: 'bad' }),
      },
    ],
    'first',
  );

/** What the run did to the files, when somebody compared the trees. */
export function changeWords({ changes: { files, paths } }: Report): string | null {
  if (files === undefined || paths === undefined) return null;
  if (paths === 0) return 'no file differs from the start';
  const sum = (side: 'added' | 'removed'): string =>
    grouped(files.reduce((all, file) => all + (file[side] ?? 0), 0));
  const least = files.length < paths ? 'at least ' : '';
  return `${plural(paths, 'file')} changed, ${least}+${sum('added')} −${sum('removed')} lines`;
}
