import type { Certificate, Report } from '../../../core/report/index.ts';
import { moment } from '../../cli/format.ts';
import { below, code, folded, type Line, type Section, strong, text } from '../document.ts';
import { shortTree } from './changes.ts';
import { evidenceLine } from './checks.ts';

/** The evidence that the mission is finished, as a page of its own would state it. */
export function certificate(report: Report): Section | null {
  const issued = report.certificate;
  if (issued === null) return null;
  const { claim, plan, acceptedBy, checks, baseline = [], altered, flaky = [], wrote = [] } = issued;
  const rows: (readonly [name: string, value: Line])[] = [
    ['claim', [claimWords[claim.via] ?? claim.via, folded('its words', claim.text)]],
  ];
  if (acceptedBy !== null) rows.push(['accepted by', strong(acceptedBy)]);
  for (const result of checks) rows.push(['check', evidenceLine(result)]);
  rows.push(['freshness', freshness(issued)]);
  if (plan !== null) rows.push(['plan', `${plan.done} of ${plan.total} steps, as the agent tells it`]);
  if (baseline.length > 0)
    rows.push([
      'baseline',
      `before the first turn: ${baseline.map((one) => `${one.name} ${one.outcome}`).join(', ')}`,
    ]);
  if (altered !== undefined) rows.push(['altered', alteredLine(altered)]);
  if (flaky.length > 0) rows.push(['flaky', flaky.join(', ')]);
  if (wrote.length > 0) rows.push(['checks wrote', wrote.join(', ')]);
  rows.push(['issued', `${moment(issued.at)}, entry ${issued.seq}`]);
  return {
    title: 'Certificate of completion',
    look: 'certificate',
    blocks: [text(lead(issued), 'soft'), { is: 'facts', rows }],
  };
}

/** How the agent said that it is finished. */
const claimWords: Readonly<Record<string, string>> = {
  reported: 'the agent reported that it is done',
  'closing-line': 'the agent ended with the closing line that was asked for',
  advice: 'the decision model read the last message as a claim',
};

function lead({ acceptedBy, checks, tree }: Certificate): string {
  if (checks.length === 0) return 'No check could prove the work, so a person looked at it and accepted it.';
  const where = tree.isFresh ? ', on the very files it left behind' : '';
  const person = acceptedBy === null ? '' : ' What had to be judged by eye, a person accepted.';
  return `The agent claimed completion. We did not take its word: these checks were run by us${where}.${person}`;
}

const freshness = ({ tree }: Certificate): Line => [
  'tree',
  code(shortTree(tree.afterChecks)),
  'when checked,',
  code(shortTree(tree.atEnd)),
  'at the end:',
  tree.isFresh ? strong('the same', 'good') : strong('not known to be the same', 'warn'),
];

/** Whether anybody touched the proof itself. */
function alteredLine(altered: NonNullable<Certificate['altered']>): Line {
  if (altered.length === 0) return { text: 'nothing: tests, scripts and CI are as they were', tone: 'good' };
  if (altered.every(({ what }) => what === '')) return strong(`${altered.length} parts of the proof`, 'warn');
  return altered.map(({ what, because }) => below([strong(what, 'warn'), because]));
}
