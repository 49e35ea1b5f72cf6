import type { Actor, Entry, RunState } from '../../contract/index.ts';
import type { Run } from '../run.ts';
import { viewOf } from '../view/run-view.ts';
import { nextAction } from './next-action.ts';
import { caused, named, pick } from './public.ts';

/** Why the run stands where it stands. */
export interface Ending {
  readonly state: RunState;
  readonly at: number;
  readonly entries: number;
  readonly rule: string | null;
  readonly because: string;
  readonly actor: Actor | null;
  readonly cause: string | null;
  /** What the agent said last. Its words are a claim, not evidence. */
  readonly lastMessage: string;
  /** The one safe next action; null when nothing is to be done. */
  readonly next: string | null;
}

export function endingOf(run: Run, { at }: Entry, decided: Entry | null, lastMessage: string): Ending {
  const decision = decided?.decision;
  // The last decision explains the state only as long as nothing moved the run since.
  const isItsWork = decision !== undefined && decision.to === run.state && decision.because === run.because;
  return {
    state: run.state,
    at,
    entries: run.seq,
    because: run.because,
    cause: run.cause,
    lastMessage,
    rule: isItsWork ? decision.rule : null,
    actor: isItsWork ? decision.actor : null,
    next: nextAction(viewOf(run)),
  };
}

export const publicEnding = (ending: Ending): Ending => ({
  ...pick(ending, 'state', 'at', 'entries', 'actor'),
  because: '',
  lastMessage: '',
  next: null,
  rule: ending.rule === null ? null : named(ending.rule),
  cause: caused(ending.cause),
});
