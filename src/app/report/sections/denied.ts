import { isTerminal } from '../../../core/index.ts';
import type { Report } from '../../../core/report/index.ts';
import { clockTime, plural } from '../../cli/format.ts';
import { code, faint, type Section, table, text } from '../document.ts';

/** A person away for the night looks for this first. */
export function denied(report: Report): Section | null {
  const { unanswered, isPublic } = report;
  const total = unanswered.length;
  if (total === 0) return null;
  const gates = table({ shown: unanswered, total, gapAt: null }, [
    { name: 'asked', as: 'time', cell: ({ askedAt }) => clockTime(askedAt) },
    { name: 'id', cell: ({ id }) => code(id) },
    { name: 'what', as: 'wide', cell: ({ asks, kind }) => code(asks === '' ? kind : asks) },
    { name: 'why it was asked', as: 'wide', cell: ({ because, rule }) => [because, faint(`(${rule})`)] },
  ]);
  return {
    title: `${plural(total, 'action')} denied because nobody answered`,
    look: 'warn',
    blocks: isPublic
      ? [gates]
      : [gates, text(approveWords(report)), { is: 'command', text: approveCommand(report) }],
  };
}

/** The one command that lets denied work go on. */
function approveCommand({ view, run }: Report): string {
  const [gate] = view.gates;
  if (gate?.kind === 'approval' || gate?.kind === 'accept') return `tireless approve ${run}:${gate.id}`;
  if (gate !== undefined) return `tireless answer ${run}:${gate.id} "…"`;
  const last = isTerminal(view.state) ? undefined : view.unanswered?.at(-1);
  if (last !== undefined) return `tireless approve ${run}:${last.id}`;
  if (view.state === 'paused') return `tireless resume ${run}`;
  return isTerminal(view.state) ? 'tireless run "…"' : 'tireless inbox';
}

/** What that command does about the denied actions. */
function approveWords({ view }: Report): string {
  if (view.gates.length > 0) return 'A question is open now. This answers it, and the run goes on:';
  if (!isTerminal(view.state) && (view.unanswered ?? []).length > 0)
    return 'This approves the last of them and lets the run go on; the agent is told to do it again:';
  if (view.state === 'paused') return 'This resumes the run; the agent asks again, and then you can approve:';
  if (isTerminal(view.state)) return 'The run is over. What is still wanted needs a new one:';
  return 'The run goes on without it. If the agent asks again, the question waits here:';
}
