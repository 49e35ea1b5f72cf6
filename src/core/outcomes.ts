import type { Effect, EventOf, Outcome, Tree } from '../contract/index.ts';
import { move } from './lifecycle.ts';
import { bounds } from './limits.ts';
import { must, unreachable } from './must.ts';
import { countProgress, judgeProgress, markTree } from './progress.ts';
import { lastOf, type Run, without } from './run-state.ts';
import { endTurn } from './turns.ts';

type OutcomeOf<T extends Outcome['of']> = Extract<Outcome, { of: T }>;

/** What came of an effect. An outcome nobody waits for any more changes nothing. */
export function foldOutcome(run: Run, event: EventOf<'effect-ended'>): Run | null {
  const effect = run.pending[event.effect];
  if (effect === undefined) return null;
  const { outcome } = event;
  must(effect.type === outcome.of, `outcome of ${outcome.of} for the effect ${effect.type}`);
  const next: Run = { ...run, pending: without(run.pending, event.effect) };
  switch (outcome.of) {
    case 'session-open':
      return sessionOpened(next, outcome);
    case 'turn-start':
      return turnDelivered(next, outcome);
    case 'turn-find':
      return turnFound(next, effect, outcome);
    case 'turn-steer':
      return steered(next, outcome);
    case 'slot-request':
      return next.launch === null ? next : { ...next, launch: { ...next.launch, slot: true } };
    case 'tree-read':
      return treeRead(next, effect, outcome.tree);
    case 'checks-run':
      return checked(next, outcome);
    case 'advice-ask':
      return advised(next, outcome);
    case 'session-close':
    case 'turn-interrupt':
    case 'request-answer':
    case 'gate-open':
    case 'notify':
    case 'timer-set':
    case 'timer-cancel':
      return next;
    default:
      return unreachable(outcome);
  }
}

function sessionOpened(run: Run, outcome: OutcomeOf<'session-open'>): Run {
  if (outcome.session !== undefined) {
    const open: Run = { ...run, session: { id: outcome.session, open: true } };
    const lost = open.turn?.phase === 'doubt' && (!run.agent.finds || open.turn.session !== outcome.session);
    if (!lost || open.turn === null) return open;
    return {
      ...endTurn(open, open.turn, {
        id: open.turn.turn,
        status: 'interrupted',
        failure: null,
        message: null,
      }),
      inDoubt: true,
    };
  }
  const failure = outcome.failure ?? { kind: 'other' as const, message: 'the session could not be opened' };
  if (run.turn !== null)
    return {
      ...endTurn(run, run.turn, { id: null, status: 'failed', failure, message: null }),
      inDoubt: true,
    };
  if (run.steering === null || !run.awaiting.find) return failedLaunch(run, failure);
  const requeued: Run = {
    ...run,
    steering: null,
    steers: [...run.steering.texts, ...run.steers],
    inDoubt: true,
  };
  return { ...requeued, awaiting: { ...run.awaiting, find: false } };
}

/** No turn came to be. The rules see it as a failed turn without items; what it would have said is carried on. */
function failedLaunch(run: Run, failure: NonNullable<OutcomeOf<'session-open'>['failure']>): Run {
  const input = run.launch?.input ?? { parts: [{ part: 'mission' as const }] };
  const none = {
    items: 0,
    failedItems: 0,
    denials: 0,
    tokensBefore: run.usage.tokens,
    moneyBefore: run.usage.money,
    planBefore: run.plan?.digest ?? null,
  };
  const turn = {
    dispatch: '',
    session: '',
    turn: null,
    input,
    phase: 'sent' as const,
    startedMono: run.mono,
    ...none,
    reported: null,
    error: null,
    interrupt: null,
    endAs: null,
    clockLeftMs: null,
  };
  if (run.state === 'ready' || run.state === 'paused') return { ...run, launch: null };
  const ended = endTurn({ ...run, launch: null }, turn, {
    id: null,
    status: 'failed',
    failure,
    message: null,
  });
  // Nothing ran, so there is no tree to read and no turn to count.
  return {
    ...ended,
    turns: run.turns,
    recentTurns: run.recentTurns,
    awaiting: { ...ended.awaiting, tree: false },
  };
}

function turnDelivered(run: Run, outcome: OutcomeOf<'turn-start'>): Run {
  const turn = run.turn;
  if (turn === null) return run;
  if (outcome.failure !== undefined)
    return endTurn(run, turn, { id: null, status: 'failed', failure: outcome.failure, message: null });
  return { ...run, turn: { ...turn, turn: turn.turn ?? outcome.turn ?? null } };
}

/** Recovery asked the agent whether a dispatch reached it. Unknown is never sent again blind. */
function turnFound(run: Run, effect: Effect, outcome: OutcomeOf<'turn-find'>): Run {
  must(effect.type === 'turn-find', 'turn-find');
  const done: Run = { ...run, awaiting: { ...run.awaiting, find: false } };
  if (run.steering?.dispatch === effect.dispatch) {
    const awaiting = { ...done.awaiting, find: run.turn?.phase === 'doubt' };
    return {
      ...done,
      awaiting,
      steering: null,
      steers: outcome.found === 'absent' ? [...run.steering.texts, ...run.steers] : run.steers,
      inDoubt: run.inDoubt || outcome.found === 'unknown',
    };
  }
  const turn = run.turn;
  if (turn === null || turn.dispatch !== effect.dispatch) return done;
  switch (outcome.found) {
    case 'running':
      return {
        ...done,
        turn: { ...turn, phase: 'started', turn: outcome.turn ?? turn.turn, startedMono: run.mono },
      };
    case 'absent':
      return { ...done, turn: { ...turn, phase: 'sent', turn: null, startedMono: run.mono } };
    case 'ended':
      return {
        ...endTurn(done, turn, {
          id: outcome.turn ?? null,
          status: outcome.status ?? 'interrupted',
          failure: outcome.failure ?? null,
          message: outcome.message ?? null,
        }),
        inDoubt: run.inDoubt || outcome.status !== 'completed',
      };
    case 'unknown':
      return {
        ...endTurn(done, turn, { id: turn.turn, status: 'interrupted', failure: null, message: null }),
        inDoubt: true,
      };
  }
}

function steered(run: Run, outcome: OutcomeOf<'turn-steer'>): Run {
  if (run.steering === null) return run;
  return { ...run, steering: null, steers: outcome.ok ? run.steers : [...run.steering.texts, ...run.steers] };
}

function treeRead(run: Run, effect: Effect, tree: Tree): Run {
  must(effect.type === 'tree-read', 'tree-read');
  if (effect.when === 'before-turn') {
    const launch = run.launch === null ? null : { ...run.launch, tree: true };
    return { ...run, launch, tree, seenMarks: markTree(run, tree) };
  }
  const settled: Run = { ...run, tree, awaiting: { ...run.awaiting, tree: false } };
  const { last } = run;
  // What the world or the person cut short says nothing about progress.
  if (last === null || last.byPerson || last.status === 'failed') return settled;
  return { ...settled, ...countProgress(run, judgeProgress(run, last, tree), last.durationMs) };
}

/** The host's own evidence. A proof whose ground moved while it was taken is void and taken again. */
function checked(run: Run, outcome: OutcomeOf<'checks-run'>): Run {
  if (run.state !== 'verifying') return run;
  const ok = outcome.results.length > 0 && outcome.results.every((r) => r.outcome === 'passed');
  const next: Run = { ...run, tree: outcome.after, proofVoid: false };
  if (run.proofVoid)
    return move({ ...next, proof: null }, 'deciding', {
      because: 'the checks ran while somebody else worked: they do not count',
    });
  const proof = { ok, results: outcome.results, tree: outcome.after.tree, byPerson: false };
  const refused = ok ? next : { ...next, claim: null, refusals: run.refusals + 1 };
  const mark = `checks:${outcome.results.map((r) => `${r.name}=${r.outcome}/${r.exitCode}`).join(' ')}`;
  const isNew = !run.seenMarks.includes(mark);
  const noted = isNew
    ? { noProgressTurns: 0, seenMarks: lastOf(run.seenMarks, mark, bounds.seenMarksMax) }
    : {};
  return move({ ...refused, ...noted, proof }, 'deciding', {
    because: ok ? 'every check passed' : 'a check did not pass',
  });
}

function advised(run: Run, outcome: OutcomeOf<'advice-ask'>): Run {
  const awaiting = { ...run.awaiting, advice: false };
  if (outcome.advice === undefined)
    return { ...run, awaiting, advice: null, adviceMisses: run.adviceMisses + 1 };
  const claim =
    run.claim ??
    (outcome.advice.claimsDone === true
      ? { via: 'advice' as const, text: outcome.advice.reason.slice(0, 500) }
      : null);
  return { ...run, awaiting, advice: outcome.advice, adviceMisses: 0, claim };
}
