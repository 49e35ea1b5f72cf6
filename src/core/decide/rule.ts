import type { Actor, Certificate, Effect, Input, RunState, Verdict, Waiting } from '../../contract/index.ts';
import type { Run } from '../run.ts';

/** What a rule says when it speaks. The decision adds the rule's name and the summary it was made on. */
export interface Say {
  readonly verdict: Verdict;
  readonly because: string;
  readonly to: RunState;
  readonly actor: Actor;
  readonly cause?: string;
  readonly waiting?: Waiting;
  readonly input?: Input;
  readonly confidence?: number;
  readonly effects?: readonly Effect[];
  readonly certificate?: Certificate;
  /** The cycle that begins. */
  readonly cycle?: number;
}

export interface Facts {
  readonly run: Run;
  /** Wall time of the event that is being judged. */
  readonly now: number;
}

/** One reason to continue, wait, verify, review, pause or stop. Silent (`false`) when it does not apply. */
export interface Rule<Name extends string = string> {
  readonly name: Name;
  readonly evaluate: (facts: Facts) => Say | false;
}

export const rule = <Name extends string>(name: Name, evaluate: Rule['evaluate']): Rule<Name> => ({
  name,
  evaluate,
});

/** A rule that waits once for the same turn: silent when its wait was served. */
export const waitRule = <Name extends string>(name: Name, evaluate: Rule['evaluate']): Rule<Name> =>
  rule(name, (facts) => facts.run.last?.waited.includes(name) !== true && evaluate(facts));

export const pause = (because: string, cause: string, actor: Actor = 'rule'): Say => ({
  verdict: 'pause',
  because,
  cause,
  actor,
  to: 'paused',
});

/** A limit stops the work and leaves the run where raising the limit and resuming goes on. */
export const limit = (name: string, because: string): Say => ({
  verdict: 'stop',
  because,
  cause: `limit:${name}`,
  actor: 'rule',
  to: 'paused',
});

export const end = (
  to: 'done' | 'stopped' | 'failed',
  because: string,
  cause: string,
  actor: Actor,
): Say => ({ verdict: 'stop', because, cause, actor, to });

/** Waits for something that comes as an event. */
export const waitFor = (
  on: Waiting['on'],
  because: string,
  actor: Actor,
  effects: readonly Effect[] = [],
): Say => ({
  verdict: 'wait',
  because,
  to: 'waiting',
  actor,
  waiting: { on, until: null, because },
  effects,
});

/** Waits on the wall clock, where a restart finds the due time again. */
export function waitUntil(facts: Facts, on: Waiting['on'], until: number, because: string): Say {
  const afterMs = Math.max(0, until - facts.now);
  const timer: Effect = { type: 'timer-set', timer: 'wait', dueAt: until, clock: 'wall', afterMs };
  return {
    verdict: 'wait',
    because,
    to: 'waiting',
    actor: 'world',
    waiting: { on, until, because },
    effects: [timer],
  };
}
