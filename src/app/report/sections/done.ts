import type { Report } from '../../../core/report/index.ts';
import { plural } from '../../cli/format.ts';
import { type Block, type Item, type Section, text } from '../document.ts';
import { changeWords } from './changes.ts';
import { lastChecks, resultLine } from './checks.ts';

const listed = (items: readonly Item[]): Block =>
  items.length === 0 ? text('Nothing.', 'soft') : { is: 'list', items };

export function done(report: Report): Section {
  const { lastMessage } = report.ending;
  const title = 'what the agent said last (a claim, not evidence)';
  const said: readonly Block[] =
    lastMessage === '' ? [] : [{ is: 'fold', title, block: { is: 'quote', text: lastMessage } }];
  return { title: 'Done', look: 'half', blocks: [listed(doneItems(report)), ...said] };
}

export const notDone = (report: Report): Section => ({
  title: 'Not done',
  look: 'half',
  blocks: [listed(openItems(report))],
});

function doneItems(report: Report): readonly Item[] {
  const { changes, view, spent, certificate } = report;
  const items: Item[] = [];
  for (const result of lastChecks(report)?.results ?? [])
    if (result.outcome === 'passed') items.push({ how: 'proven', line: resultLine(result) });
  if (certificate?.acceptedBy != null)
    items.push({ how: 'seen', line: `the work was accepted by ${certificate.acceptedBy}` });
  const changed = changeWords(report);
  if (changed !== null) items.push({ how: 'seen', line: changed });
  else if (changes.turns > 0)
    items.push({ how: 'seen', line: `${plural(changes.turns, 'turn')} of ${spent.turns} left a result` });
  if (view.plan !== null && view.plan.done > 0)
    items.push({
      how: 'claimed',
      line: `${view.plan.done} of ${plural(view.plan.total, 'step')} of the agent's plan`,
    });
  if (view.tasks !== undefined && view.tasks.done > 0)
    items.push({
      how: 'seen',
      line: `${view.tasks.done} of ${plural(view.tasks.total, 'task')} of the queue`,
    });
  return items;
}

function openItems(report: Report): readonly Item[] {
  const { view, ending, denials, unanswered, gates } = report;
  const open: Item['line'][] = (lastChecks(report)?.results ?? [])
    .filter((result) => result.outcome !== 'passed')
    .map(resultLine);
  const left = view.plan === null ? 0 : view.plan.total - view.plan.done;
  const at = view.plan?.current ?? view.plan?.steps?.find(({ status }) => status !== 'done')?.text;
  const current = at === undefined ? '' : `, now at: ${at}`;
  if (left > 0) open.push(`${plural(left, 'step')} of the agent's plan${current}`);
  if (view.tasks !== undefined && view.tasks.open + view.tasks.blocked > 0)
    open.push(`${plural(view.tasks.open, 'task')} of the queue open, ${view.tasks.blocked} blocked`);
  if (unanswered.length > 0) open.push(`${plural(unanswered.length, 'action')} denied for want of an answer`);
  const refused = gates.shown.filter((gate) => gate.end === 'denied').length;
  if (refused > 0) open.push(`${plural(refused, 'action')} denied by a person`);
  if (denials.total > 0) open.push(`${plural(denials.total, 'action')} refused by the guard`);
  if (view.gates.length > 0) open.push(`${plural(view.gates.length, 'question')} still open`);
  if (ending.state !== 'done') open.push(uncertified(report));
  return open.map((line) => ({ how: 'open', line }));
}

function uncertified({ refusals, asked }: Report): string {
  if (refusals > 0) return `no certificate: ${plural(refusals, 'claim')} of completion did not hold`;
  if (asked.checks.length === 0) return 'no certificate: no check was found that could prove the work';
  return 'no certificate: the agent did not claim to be finished';
}
