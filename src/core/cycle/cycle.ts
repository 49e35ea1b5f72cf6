import { type EventOf, type Failure, type InputPart, queueCharsMax } from '../../contract/index.ts';
import { costsNoTurn } from '../decide/failures.ts';
import { interrupted } from '../fold/lifecycle.ts';
import { bill } from '../fold/usage.ts';
import type { Cycle, Run, Turn } from '../run.ts';
import { renderTasks } from '../tasks/render-tasks.ts';

export const newCycle = (n: number, fromSeq: number, tokensBefore: number | null): Cycle => ({
  n,
  fromSeq,
  tokensBefore,
  context: null,
  overran: false,
  wrapUp: false,
  closingTurns: 0,
  prepared: null,
});

/** How full the cycle is, as a share of its tokens or of the window, whichever is fuller; null when nobody can tell. */
export function fullness({ usage, cycle, session, policy }: Run): number | null {
  const { tokensBefore, context } = cycle;
  const tokens =
    usage.tokens === null ? null : (usage.tokens - (tokensBefore ?? 0)) / policy.limits.cycleTokensMax;
  const window = context === null || context.session !== session?.id ? null : context.tokens / context.window;
  return tokens === null ? window : Math.max(tokens, window ?? 0);
}

/** Nothing more fits: whatever the agent is doing, the cycle is over. */
const isFull = (run: Run): boolean => (fullness(run) ?? 0) >= 1;

/** The agent was told to wrap up and its last turn changed nothing: there is nothing left to save. */
const isWrappedUp = ({ cycle, changed, tree, last }: Run): boolean =>
  cycle.closingTurns > 0 &&
  changed.length === 0 &&
  last?.status === 'completed' &&
  tree !== null &&
  tree.tree !== 'unknown';

/** Why the cycle is over, or null while it goes on. A run of one window has no cycles that end. */
export function cycleOver(run: Run): string | null {
  const { cycle, policy } = run;
  if (run.mode !== 'autonomous') return null;
  if (cycle.n === 0) return 'the first cycle is about to begin';
  const name = `cycle ${cycle.n} of ${policy.limits.cyclesMax}`;
  if (isFull(run)) return `${name} is full`;
  if (cycle.overran) return `${name} ran into the end of the context window`;
  if (cycle.closingTurns >= policy.limits.closingTurnsMax)
    return `${name} took its ${cycle.closingTurns} closing turns`;
  return isWrappedUp(run) ? `${name} is wrapped up` : null;
}

/** Is it time to tell the agent, and was it not told yet? */
export const isWrapUpDue = (run: Run): boolean =>
  run.mode === 'autonomous' &&
  !run.cycle.wrapUp &&
  run.turn?.review == null &&
  (fullness(run) ?? 0) >= run.policy.limits.wrapUpAt &&
  cycleOver(run) === null;

export const wrapUpPart = (run: Run): InputPart => ({
  part: 'wrap-up',
  cycle: run.cycle.n,
  of: run.policy.limits.cyclesMax,
  percent: Math.floor((fullness(run) ?? 0) * 100),
  turns: run.policy.limits.closingTurnsMax,
});

/** What a fresh session begins with. */
export const cyclePart = (run: Run, cycle: number): InputPart => ({
  part: 'cycle',
  cycle,
  of: Math.max(cycle, run.policy.limits.cyclesMax),
  summary: run.cycle.prepared?.summary ?? '',
  memories: [...(run.cycle.prepared?.recalled ?? [])],
  tasks: renderTasks(run.tasks, queueCharsMax),
});

/** Bills what was used. A turn that fills the cycle to the brim is asked to end: nothing it does now would be kept. */
export function usageReported(run: Run, event: EventOf<'usage-reported'>): Run {
  const billed: Run = { ...run, usage: bill(run.usage, event.session, event.usage) };
  if (run.mode !== 'autonomous') return billed;
  const { contextTokens: tokens, windowTokens: window, session } = event;
  const isOurs = session === run.session?.id && tokens !== undefined && window !== undefined;
  const next: Run = isOurs
    ? { ...billed, cycle: { ...run.cycle, context: { session, tokens, window } } }
    : billed;
  const { turn } = next;
  // A review only looks: it may end.
  return isFull(next) && turn?.phase === 'started' && turn.endAs === null && turn.review === null
    ? interrupted(next, 'cycle')
    : next;
}

/**
 * What a turn that ended means for the cycle. Only turns that began when the agent had been told are closing turns, and
 * one that it never saw, or that the world refused, closes nothing.
 */
export function cycleAfterTurn(
  { cycle }: Run,
  turn: Turn,
  isUnseen: boolean,
  failure: Failure | null,
): Cycle {
  const overran = cycle.overran || failure?.kind === 'context-full';
  const isTold = turn.input.parts.some(({ part }) => part === 'wrap-up' || part === 'closing');
  const isClosing = isTold && !isUnseen && !costsNoTurn(failure?.kind);
  return { ...cycle, overran, closingTurns: cycle.closingTurns + (isClosing ? 1 : 0) };
}

/** The wrap-up did not arrive after all. */
export const wrapUpBack = (cycle: Cycle): Cycle => ({ ...cycle, wrapUp: false });

export const holdsWrapUp = (parts: readonly InputPart[]): boolean =>
  parts.some(({ part }) => part === 'wrap-up');
