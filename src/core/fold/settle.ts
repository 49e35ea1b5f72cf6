import type { Decision, Effect, EffectOf } from '../../contract/index.ts';
import { noteAnswer, useApproval } from '../approvals/deliver.ts';
import { openGate, withoutGates } from '../approvals/gates.ts';
import { bounds } from '../bounds.ts';
import { holdsWrapUp, newCycle } from '../cycle/cycle.ts';
import { effectId } from '../effects.ts';
import { lastOf, type Run, without } from '../run.ts';
import { beginTaskChecks } from '../tasks/task-checks.ts';
import { newTurn } from './end-turn.ts';
import { backgroundOver, move } from './lifecycle.ts';
import { reviewIn } from './review.ts';
import { steersIn, withoutLaunch } from './unsent.ts';

/**
 * Remembers what we set out to do: the decision's state, and every effect as pending until its outcome comes.
 * Reads only what an entry records, so a ledger written by older rules folds to the same run.
 */
export function settle(run: Run, decision: Decision | undefined, effects: readonly Effect[]): Run {
  let next: Run = run.redo.length === 0 ? run : { ...run, redo: [] };
  if (decision !== undefined) next = decided(next, decision);
  let { pending } = next;
  for (let n = 0; n < effects.length; n++) {
    const effect = effects[n] as Effect;
    const id = effectId(run.id, run.seq, n);
    next = begun(next, effect, id);
    if (!isTimer(effect)) pending = tracked(pending, effect, id);
  }
  return pending === next.pending ? next : { ...next, pending };
}

/** Timers belong to the clock: they have no outcome but their firing. */
const isTimer = ({ type }: Effect): boolean => type === 'timer-set' || type === 'timer-cancel';

function decided(run: Run, decision: Decision): Run {
  const { verdict, rule, because, confidence, to, cause, waiting, input } = decision;
  const moved = move(run, to, { because, cause: cause ?? null, waiting: waiting ?? null });
  const note = { verdict, rule, because: because.slice(0, bounds.recentCharsMax), confidence, at: run.at };
  const recent = lastOf(run.recent, note, Math.max(1, run.policy.recentDecisions));
  const advice = run.advice?.raw === undefined ? run.advice : { ...run.advice, raw: undefined };
  if (input === undefined) return withoutLaunch({ ...moved, recent, advice });
  const launch = { input, slot: false, tree: false };
  // A review tells the agent nothing: what it must hear waits for the next turn.
  if (reviewIn(input) !== null) return { ...moved, recent, advice, launch };
  const said: Run = {
    ...moved,
    recent,
    advice,
    launch,
    steers: [],
    denied: [],
    carry: [],
    inDoubt: false,
    review: null,
  };
  // A fresh cycle has a session of its own; the old one is not gone back to.
  if (decision.cycle !== undefined)
    return {
      ...said,
      session: renewed(run),
      working: [],
      cycle: newCycle(decision.cycle, run.seq, run.usage.tokens),
    };
  return holdsWrapUp(input.parts) ? { ...said, cycle: { ...said.cycle, wrapUp: true } } : said;
}

/** Where the agent can begin afresh in the same session, that session stays, marked as used up. */
const renewed = ({ agent, session }: Run): Run['session'] =>
  agent.renews === true && session !== null ? { ...session, stale: true } : null;

/** What an effect changes at the moment we set out to do it. */
function begun(run: Run, effect: Effect, id: string): Run {
  switch (effect.type) {
    case 'timer-set':
      return {
        ...run,
        timers: {
          ...run.timers,
          [effect.timer]: { effect: id, dueAt: effect.dueAt, clock: effect.clock, afterMs: effect.afterMs },
        },
      };
    case 'timer-cancel': {
      const left = run.timers[effect.timer];
      const turn =
        run.turn !== null && left !== undefined && effect.timer === 'turn-total'
          ? { ...run.turn, clockLeftMs: Math.max(0, left.dueAt - run.mono) }
          : run.turn;
      return { ...run, timers: without(run.timers, effect.timer), turn };
    }
    case 'turn-start':
    case 'review-start':
      return run.turn === null ? startTurn(run, effect) : move(run, 'running', { because: 'sent again' });
    case 'turn-steer':
      return { ...run, steers: [], ...steeringOf(run, effect) };
    case 'turn-interrupt':
      return run.turn === null ? run : { ...run, turn: { ...run.turn, interrupt: 'sent' } };
    case 'gate-open':
      return openGate(run, effect);
    case 'request-answer':
      return noteAnswer(run, effect);
    case 'savepoint':
      return useApproval(run, effect.approves.gate);
    case 'session-close':
      return closed(run, effect.keep === true);
    case 'checks-run':
      return beginTaskChecks(run, effect, id);
    case 'advice-ask':
      return { ...run, adviceAsked: true, awaiting: { ...run.awaiting, advice: true } };
    default:
      return run;
  }
}

function steeringOf(run: Run, { dispatch, input }: EffectOf<'turn-steer'>): Pick<Run, 'steering' | 'cycle'> {
  const wrapUp = holdsWrapUp(input.parts);
  return {
    steering: { dispatch, texts: steersIn(input.parts), wrapUp },
    cycle: wrapUp ? { ...run.cycle, wrapUp } : run.cycle,
  };
}

/** Told or answered, and nothing in the run depends on the outcome. */
const isAside: ReadonlySet<Effect['type']> = new Set(['request-answer', 'gate-open', 'notify']);

/** An agent may ask faster than it can be answered: beyond the bound, asides are done and no longer followed. */
function tracked(pending: Run['pending'], effect: Effect, id: string): Run['pending'] {
  if (pending.length >= bounds.pendingMax && isAside.has(effect.type)) return pending;
  return [...pending, { ...slim(effect), id }];
}

/** What recovery needs to know of an effect; the whole of it stands in its entry. */
function slim(effect: Effect): Effect {
  switch (effect.type) {
    case 'turn-start':
    case 'review-start':
    case 'turn-steer':
      return { ...effect, input: { parts: [{ part: 'mission' }] } };
    case 'gate-open':
      return {
        ...effect,
        asks: { text: effect.asks.text.slice(0, bounds.unansweredCharsMax) },
        because: effect.because.slice(0, bounds.unansweredCharsMax),
        effects: undefined,
        kinds: undefined,
        shapes: undefined,
        options: undefined,
      };
    case 'request-answer':
      return { ...effect, text: undefined, answers: undefined, action: undefined };
    default:
      return effect;
  }
}

/** What runs in a session ends with it, unless the session is left running. */
function closed(run: Run, detached: boolean): Run {
  const session = run.session === null ? null : { ...run.session, open: false, detached };
  const next: Run = { ...run, session, foreign: null };
  return detached ? next : backgroundOver(next);
}

/** A question about finished work is outdated once the work goes on. */
function startTurn(run: Run, { dispatch, session, input }: EffectOf<'turn-start' | 'review-start'>): Run {
  const turn = newTurn(run, dispatch, session, input);
  const started = withoutGates({ ...run, launch: null, turn }, (gate) => gate.kind === 'accept');
  const what = turn.review === null ? `turn ${run.turns + 1}` : 'a review';
  return move(started, 'running', { because: `${what} started` });
}
