import type { Decision, Effect } from '../contract/index.ts';
import { noteAnswer, openGate } from './gates.ts';
import { move } from './lifecycle.ts';
import { bounds } from './limits.ts';
import { must } from './must.ts';
import { lastOf, type Run, without } from './run-state.ts';

/**
 * Remembers what we set out to do: the decision's state, and every effect as pending until its outcome comes.
 * Reads only what an entry records, so a ledger written by older rules folds to the same run.
 */
export function settle(
  run: Run,
  decision: Decision | undefined,
  effects: readonly Effect[],
  seq: number,
): Run {
  let next: Run = run.redo.length === 0 ? run : { ...run, redo: [] };
  if (decision !== undefined) next = decided(next, decision);
  for (let n = 0; n < effects.length; n++) next = under(next, effects[n] as Effect, `${run.id}/${seq}/${n}`);
  return next;
}

function decided(run: Run, decision: Decision): Run {
  const { verdict, rule, because, confidence, to } = decision;
  const moved =
    to === run.state
      ? run
      : move(run, to, { because, cause: decision.cause ?? null, waiting: decision.waiting ?? null });
  const recent = lastOf(
    moved.recent,
    { verdict, rule, because, confidence, at: run.at },
    Math.max(1, run.policy.recentDecisions),
  );
  const starts = decision.input !== undefined;
  return {
    ...moved,
    recent,
    launch:
      starts && decision.input !== undefined ? { input: decision.input, slot: false, tree: false } : null,
    ...(starts ? { steers: [], carry: [], inDoubt: false } : {}),
  };
}

function under(run: Run, effect: Effect, id: string): Run {
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
    default: {
      const pending = { ...run.pending, [id]: effect };
      must(
        Object.keys(pending).length <= bounds.pendingMax,
        `more than ${bounds.pendingMax} effects under way`,
      );
      return begun({ ...run, pending }, effect);
    }
  }
}

/** What an effect changes at the moment we set out to do it. */
function begun(run: Run, effect: Effect): Run {
  switch (effect.type) {
    case 'turn-start':
      return run.turn === null ? startTurn(run, effect) : move(run, 'running', { because: 'sent again' });
    case 'turn-steer':
      return {
        ...run,
        steers: [],
        steering: {
          dispatch: effect.dispatch,
          texts: effect.input.parts.flatMap((p) => (p.part === 'steer' ? p.texts : [])),
        },
      };
    case 'turn-interrupt':
      return run.turn === null ? run : { ...run, turn: { ...run.turn, interrupt: 'sent' } };
    case 'turn-find':
      return run;
    case 'gate-open':
      return openGate(run, effect);
    case 'request-answer':
      return {
        ...noteAnswer(run, effect),
        unusedApprovals: run.unusedApprovals.filter((a) => a.gate !== effect.gate),
      };
    case 'session-close':
      return {
        ...run,
        session: run.session === null ? null : { ...run.session, open: false },
        foreign: null,
      };
    case 'advice-ask':
      return { ...run, adviceAsked: true, awaiting: { ...run.awaiting, advice: true } };
    default:
      return run;
  }
}

function startTurn(run: Run, effect: Extract<Effect, { type: 'turn-start' }>): Run {
  const started: Run = {
    ...run,
    launch: null,
    turn: {
      ...{
        dispatch: effect.dispatch,
        session: effect.session,
        turn: null,
        input: effect.input,
        phase: 'sent',
        startedMono: run.mono,
      },
      ...{
        items: 0,
        failedItems: 0,
        denials: 0,
        tokensBefore: run.usage.tokens,
        moneyBefore: run.usage.money,
        planBefore: run.plan?.digest ?? null,
      },
      ...{ reported: null, error: null, interrupt: null, endAs: null, clockLeftMs: null },
    },
  };
  return move(started, 'running', { because: `turn ${run.turns + 1} started` });
}
