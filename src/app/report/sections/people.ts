import type { Report } from '../../../core/report/index.ts';
import { moment } from '../../cli/format.ts';
import { type Section, table } from '../document.ts';

export function people({ people: all, isPublic }: Report): Section | null {
  if (all.total === 0) return null;
  const rows = table(all, [
    { name: 'at', as: 'time', cell: ({ at }) => moment(at) },
    { name: 'who', cell: ({ by }) => (isPublic ? 'a person' : by) },
    {
      name: 'what',
      as: 'wide',
      cell: ({ act, text }) => {
        const did =
          { steer: 'gave directions', limits: 'changed limits' }[act as string] ?? `asked to ${act}`;
        return text === '' ? did : [`${did}:`, text];
      },
    },
  ]);
  return { title: 'What people did', blocks: [{ ...rows, isDetail: true }] };
}
