import type { Report } from '../../../core/report/index.ts';
import { plural, span } from '../../cli/format.ts';
import { type Section, text } from '../document.ts';

export function troubles(report: Report): Section {
  const items = linesOf(report).map((line) => ({ how: 'plain', line }) as const);
  return {
    title: 'Trouble along the way',
    blocks:
      items.length === 0
        ? [text('None: no failure, no crash, no sleep, nothing unreadable.', 'soft')]
        : [{ is: 'list', items }],
  };
}

/** What went wrong around the work, each in one line. */
function linesOf({ troubles: seen, broken, chain }: Report): readonly string[] {
  const { failures, retriedErrors, compactions, lostSessions, keepers, recoveries } = seen;
  const { sleeps, foreignTurns, late, unreadable } = seen;
  const lines = failures.map(
    ({ kind, times, lastMessage }) =>
      `${plural(times, 'turn')} failed (${kind})${lastMessage === '' ? '' : `, last: ${lastMessage}`}`,
  );
  const note = (n: number, text: string): void => void (n > 0 && lines.push(text));
  note(retriedErrors, `${plural(retriedErrors, 'error')} the agent got over by itself`);
  note(lostSessions, `the agent's process ended ${plural(lostSessions, 'time')} by itself`);
  note(compactions, `the agent compacted its context ${plural(compactions, 'time')}`);
  note(keepers - 1, `picked up again by a new process ${plural(keepers - 1, 'time')}`);
  note(
    recoveries,
    `${plural(recoveries, 'turn')} in doubt after a crash, followed up before anything was sent`,
  );
  note(sleeps.times, `the machine slept ${plural(sleeps.times, 'time')}, ${span(sleeps.ms)} in all`);
  note(foreignTurns, `${plural(foreignTurns, 'turn')} started by somebody else: followed and billed`);
  for (const { name, times } of late)
    lines.push(`heard too late to count: ${name}${times > 1 ? ` ×${times}` : ''}`);
  note(unreadable.times, `${plural(unreadable.times, 'message')} of the agent could not be read`);
  for (const sample of unreadable.samples) lines.push(`unreadable from ${sample}`);
  if (broken !== null)
    lines.push(`the ledger can be followed only up to entry ${broken.seq - 1}: ${broken.because}`);
  if (chain !== undefined && !chain.ok) lines.push(`the ledger is damaged: ${chain.damage.join('; ')}`);
  return lines;
}
