import type { EventOf, Failure } from '../../contract/index.ts';
import { isAlive, withoutGates } from '../approvals/gates.ts';
import { behaves } from '../behaviour.ts';
import { bounds } from '../bounds.ts';
import { isEffectOf } from '../effects.ts';
import { lastOf, type Run, type Turn } from '../run.ts';
import { endTurn, failedLaunch, newTurn } from './end-turn.ts';
import { backgroundOver, interrupted, move } from './lifecycle.ts';
import { toDeciding } from './to-deciding.ts';
import { steeringBack } from './unsent.ts';

/** The turn of ours that an agent's event speaks of, or null. */
const ours = (
  run: Run,
  event: { session: string; turn: string; dispatch?: string | undefined },
): Turn | null => {
  const turn = run.turn;
  if (turn === null || turn.session !== event.session) return null;
  return turn.turn === event.turn || (turn.turn === null && event.dispatch === turn.dispatch) ? turn : null;
};

export function turnStarted(run: Run, event: EventOf<'turn-started'>): Run | null {
  if (run.session?.id !== event.session || !run.session.open || run.endedTurns.includes(event.turn))
    return null;
  const turn = ours(run, event);
  if (turn !== null) {
    const foreign = run.foreign === event.turn ? null : run.foreign;
    return { ...run, foreign, turn: { ...turn, turn: event.turn, phase: 'started' } };
  }
  if (run.foreign === event.turn) return null;
  if (isAdopted(run, event)) return adopted(run, event);
  if (run.turn === null && isEffectOf(run.id, event.dispatch)) return oursAfterAll(run, event);
  // Somebody else started this one: a person typing, the agent's own goal.
  return foreignTurn(run, event.turn);
}

/** Woken by work we started, or begun by the person in a session that is theirs: it counts as ours. */
const isAdopted = (run: Run, { origin }: EventOf<'turn-started'>): boolean =>
  run.turn === null &&
  run.state !== 'paused' &&
  (origin === 'background' || (origin === 'person' && run.agent.session === 'person'));

/** Nothing was sent for it, so its id stands for the dispatch and there is no input to say again. */
function adopted(run: Run, { session, turn }: EventOf<'turn-started'>): Run {
  const taken = newTurn(run, turn, session, { parts: [{ part: 'mission' }] });
  const because = 'a turn began that counts as ours';
  const cleared = withoutGates(toDeciding(run, because), (gate) => gate.kind === 'accept');
  return move({ ...cleared, turn: { ...taken, turn, phase: 'started', adopted: true } }, 'running', {
    because,
  });
}

/** An instruction we had given up is being worked on: it is our turn in flight, with all that belongs to one. */
function oursAfterAll(run: Run, { dispatch = '', session, turn }: EventOf<'turn-started'>): Run {
  const cleared = toDeciding(run, 'an instruction arrived after all');
  const taken = newTurn(run, dispatch, session, { parts: [{ part: 'mission' }] });
  return move({ ...cleared, turn: { ...taken, turn, phase: 'started' } }, 'running', {
    because: 'the agent works on an instruction that seemed lost',
  });
}

export function turnEnded(run: Run, event: EventOf<'turn-ended'>): Run | null {
  const turn = ours(run, event);
  if (turn !== null) {
    const { status, failure, message } = event;
    return endTurn(run, { ...turn, turn: event.turn }, { id: event.turn, status, failure, message });
  }
  if (run.foreign !== event.turn) return endedUnknown(run, event);
  return {
    ...withoutGates(run, (gate) => gate.turn === event.turn),
    foreign: null,
    endedTurns: lastOf(run.endedTurns, event.turn, bounds.endedTurnsMax),
  };
}

/** Agents report in their own order: a turn that ended before it is said to have started must not be waited for. */
function endedUnknown(run: Run, { session, turn }: EventOf<'turn-ended'>): Run | null {
  if (!behaves(run, 'remembersEnds') || run.session?.id !== session || run.endedTurns.includes(turn))
    return null;
  return { ...run, endedTurns: lastOf(run.endedTurns, turn, bounds.endedTurnsMax) };
}

/** The agent's process is gone. A turn in flight or about to start ended with it; open gates outlive it. */
export function sessionEnded(run: Run, event: EventOf<'session-ended'>): Run | null {
  if (run.session?.id !== event.session || !run.session.open) return null;
  const closed = backgroundOver({ ...run, session: { ...run.session, open: false }, foreign: null });
  const inTurn: Failure = { kind: 'crashed', message: 'the agent ended in the middle of a turn' };
  const early: Failure = { kind: 'crashed', message: 'the agent ended before its turn began' };
  if (closed.awaiting.find) return untraceable(closed, event.failure ?? inTurn);
  const { turn } = closed;
  if (turn === null) return failedLaunch(closed, event.failure ?? early);
  if (turn.session !== event.session) return closed;
  const failure = event.failure ?? inTurn;
  return endTurn(closed, turn, { id: turn.turn, status: 'failed', failure, keepsGates: true });
}

/** Nobody can say what arrived: the turn is over, and whatever was on its way is said again, with the doubt. */
export function untraceable(run: Run, failure: Failure | null): Run {
  const back = survivorLost(steeringBack(run));
  const { turn } = back;
  const doubted: Run = { ...back, inDoubt: true, awaiting: { ...back.awaiting, find: false } };
  if (turn === null) return failure === null ? doubted : failedLaunch(doubted, failure);
  const status = failure === null ? 'interrupted' : 'failed';
  return endTurn(doubted, turn, { id: turn.turn, status, failure, isUnseen: true, keepsGates: true });
}

const survivorLost = (run: Run): Run =>
  run.agent.outlives === true && run.session !== null && (run.session.open || run.session.detached)
    ? { ...run, session: { ...run.session, lost: true } }
    : run;

/** An agent that never said which turn it took is silent about our dispatch. */
export function turnSilent(run: Run, event: EventOf<'turn-silent'>): Run | null {
  const { turn } = run;
  if (turn === null || turn.session !== event.session || (turn.turn ?? turn.dispatch) !== event.turn)
    return null;
  if (turn.phase === 'doubt' || turn.interrupt !== null || run.gates.some((gate) => isAlive(run, gate)))
    return null;
  return { ...run, turn: { ...turn, interrupt: 'wanted', endAs: 'silent' } };
}

/** Somebody else is at work in the session: followed, never interrupted; evidence taken meanwhile does not hold. */
const foreignTurn = (run: Run, turn: string): Run => ({
  ...run,
  foreign: turn,
  proofVoid: run.state === 'verifying' || run.proofVoid,
});

type During = EventOf<'item-ended' | 'plan-changed' | 'status-reported' | 'compaction-seen' | 'error-seen'>;

/** What a sub-agent does while our turn runs is part of it, whatever turn it names. */
const askedFor = ({ turn }: Run, event: During): Turn | null =>
  event.type === 'item-ended' && event.subagent !== undefined && turn?.session === event.session
    ? turn
    : null;

export function duringTurn(run: Run, event: During): Run | null {
  const turn = ours(run, event) ?? askedFor(run, event);
  if (turn === null) return run.foreign === event.turn ? run : null;
  switch (event.type) {
    case 'item-ended': {
      const failed = event.outcome === 'failed' || event.outcome === 'declined' ? 1 : 0;
      const kinds = { ...turn.kinds, [event.kind]: (turn.kinds[event.kind] ?? 0) + 1 };
      return {
        ...run,
        turn: { ...turn, kinds, items: turn.items + 1, failedItems: turn.failedItems + failed },
      };
    }
    case 'plan-changed': {
      const { digest, done, total, current = null } = event;
      const steps = (event.steps ?? []).map(({ text, status }) => ({
        text: text.slice(0, bounds.planStepCharsMax),
        status,
      }));
      return { ...run, plan: { digest, done, total, current, steps } };
    }
    case 'status-reported': {
      const text = event.text.text.slice(0, bounds.reportedCharsMax);
      return { ...run, turn: { ...turn, reported: { status: event.status, text } } };
    }
    case 'compaction-seen': {
      const most = Math.min(run.policy.limits.compactionsMax, bounds.compactionsMax);
      return { ...run, compactions: lastOf(run.compactions, run.turns + 1, most) };
    }
    case 'error-seen':
      return event.willRetry ? run : { ...run, turn: { ...turn, error: event.failure.kind } };
  }
}

/** Under a looser mode the turn could act unasked: it is interrupted at once, and the run then pauses. */
export function modeRaised(run: Run, event: EventOf<'mode-raised'>): Run {
  const unsafe: Run = { ...run, unsafe: `the agent raised its own permission mode to ${event.mode}` };
  const isOurs = run.turn?.session === event.session;
  return isOurs && behaves(run, 'interruptsRaisedMode') ? interrupted(unsafe, 'person') : unsafe;
}

/**
 * The agent asks. A turn that asks is running, whether its start was reported or not: ours if we dispatched one whose id
 * is still unknown, otherwise a foreign one. A request of an older turn cannot be answered, and a repeated one is
 * already open.
 */
export function requestMade(run: Run, event: EventOf<'approval-asked' | 'input-asked'>): Run | null {
  if (run.session?.id !== event.session || !run.session.open) return null;
  if (event.subagent !== undefined) return subagentAsked(run, event);
  const { turn } = run;
  const isNameless = turn?.turn === null && turn.phase === 'started';
  if (turn?.session === event.session && (turn.turn === event.turn || isNameless)) {
    if (turn.requests.includes(event.request)) return null;
    const requests = lastOf(turn.requests, event.request, bounds.requestsMax);
    return { ...run, turn: { ...turn, turn: event.turn, phase: 'started', requests } };
  }
  if (run.endedTurns.includes(event.turn) || (run.foreign ?? event.turn) !== event.turn) return null;
  const isOpen = run.gates.some((gate) => gate.request === event.request && gate.turn === event.turn);
  return isOpen ? null : foreignTurn(run, event.turn);
}

/**
 * A sub-agent asks. It may outlive the turn that started it, so its question belongs to no turn: it can be answered as
 * long as the session is open.
 */
function subagentAsked(run: Run, { request }: EventOf<'approval-asked' | 'input-asked'>): Run | null {
  if (run.subagentRequests.includes(request)) return null;
  const { turn } = run;
  const more = (requests: readonly string[]): readonly string[] =>
    lastOf(requests, request, bounds.requestsMax);
  const subagentRequests = more(run.subagentRequests);
  return { ...run, subagentRequests, turn: turn && { ...turn, requests: more(turn.requests) } };
}
