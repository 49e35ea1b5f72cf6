import type { EventOf, Failure, InputPart, Text } from '../contract/index.ts';
import { claimsCompletion } from './completion/claims.ts';
import { away, costsNoTurn } from './failures.ts';
import { move } from './lifecycle.ts';
import { bounds } from './limits.ts';
import { type EndedTurn, lastOf, type Run, type Turn, without } from './run-state.ts';

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
  if (turn !== null) return { ...run, turn: { ...turn, turn: event.turn, phase: 'started' } };
  if (event.dispatch !== undefined && event.dispatch !== run.turn?.dispatch) return null;
  if (run.foreign === event.turn) return null;
  // Somebody else started this one: a person typing, the agent's own goal. It is followed, never interrupted.
  return { ...run, foreign: event.turn, proofVoid: run.state === 'verifying' ? true : run.proofVoid };
}

export function turnEnded(run: Run, event: EventOf<'turn-ended'>): Run | null {
  const turn = ours(run, event);
  if (turn !== null) {
    return endTurn(run, turn, {
      id: event.turn,
      status: event.status,
      failure: event.failure ?? null,
      message: event.message ?? null,
    });
  }
  if (run.foreign !== event.turn) return null;
  return { ...run, foreign: null, endedTurns: lastOf(run.endedTurns, event.turn, bounds.endedTurnsMax) };
}

/** Everything a turn of ours leaves behind, whoever told us that it is over. */
export function endTurn(
  run: Run,
  turn: Turn,
  ended: { id: string | null; status: EndedTurn['status']; failure: Failure | null; message: Text | null },
): Run {
  const byPerson = turn.endAs === 'person';
  const deadline = turn.endAs === 'silent' || turn.endAs === 'overlong' ? deadlineFailure(turn.endAs) : null;
  const failure = deadline ?? ended.failure;
  const status = deadline !== null ? 'failed' : ended.status;
  const durationMs = Math.max(0, run.mono - turn.startedMono);
  const tokens = run.usage.tokens === null ? null : run.usage.tokens - (turn.tokensBefore ?? 0);
  const money = run.usage.money === null ? null : run.usage.money - (turn.moneyBefore ?? 0);
  const counted = costsNoTurn(failure?.kind) ? run.turns : run.turns + 1;
  const last: EndedTurn = {
    ...{ status, failure, message: ended.message, durationMs, byPerson, planBefore: turn.planBefore },
    ...{ items: turn.items, failedItems: turn.failedItems, denials: turn.denials, waited: [] },
    ...{
      reported: turn.reported === null || turn.reported.status === 'done' ? null : turn.reported.status,
      reportedText: turn.reported?.text.text ?? '',
    },
  };
  const next: Run = {
    ...run,
    ...{ turn: null, turns: counted, last, advice: null, adviceAsked: false, proof: null },
    endedTurns: ended.id === null ? run.endedTurns : lastOf(run.endedTurns, ended.id, bounds.endedTurnsMax),
    recentTurns: lastOf(run.recentTurns, { tokens, money, durationMs }, bounds.recentTurnsMax),
    claim: claimOf(turn, status, ended.message),
    awaiting: { ...run.awaiting, tree: true, find: false },
    gates: run.gates.filter((gate) => gate.turn === null || gate.turn !== ended.id),
    carry: status === 'failed' && turn.items === 0 ? carried(turn.input.parts) : [],
    inDoubt: run.inDoubt || (status !== 'completed' && turn.items > 0 && !byPerson),
    timers: without(without(run.timers, 'turn-total'), 'interrupt-grace'),
    ...failureCounts(run, status, failure, turn),
  };
  return move(next, 'deciding', { because: `turn ${status}` });
}

const deadlineFailure = (endAs: 'silent' | 'overlong'): Failure => ({
  kind: endAs,
  message:
    endAs === 'silent' ? 'the agent said nothing for too long' : 'the turn took longer than a turn may take',
});

function claimOf(turn: Turn, status: EndedTurn['status'], message: Text | null): Run['claim'] {
  if (status !== 'completed') return null;
  if (turn.reported?.status === 'done')
    return { via: 'reported', text: turn.reported.text.text.slice(0, 500) };
  if (message !== null && message.body === undefined && claimsCompletion(message.text))
    return { via: 'closing-line', text: message.text.slice(-500) };
  return null;
}

/** What the agent never saw must be said again; the mission is in every input anyway. */
const carried = (parts: readonly InputPart[]): readonly InputPart[] =>
  parts.filter((p) => p.part === 'steer' || p.part === 'evidence');

function failureCounts(
  run: Run,
  status: EndedTurn['status'],
  failure: Failure | null,
  turn: Turn,
): Pick<Run, 'failuresInRow' | 'awayInRow' | 'sameError' | 'limit'> {
  const kind = status === 'failed' ? (failure?.kind ?? 'other') : null;
  const isAway = kind !== null && away.has(kind);
  const isLimit = kind === 'usage-limit';
  const limit = isLimit
    ? { until: failure?.resetAt ?? run.limit?.until ?? null, because: failure?.message ?? 'usage limit' }
    : run.limit;
  const soft = status === 'failed' ? null : turn.error;
  const sameError =
    soft === null ? null : { kind: soft, times: run.sameError?.kind === soft ? run.sameError.times + 1 : 1 };
  return {
    failuresInRow: kind === null ? 0 : isAway || isLimit ? run.failuresInRow : run.failuresInRow + 1,
    awayInRow: isAway ? run.awayInRow + 1 : 0,
    sameError: status === 'failed' ? run.sameError : sameError,
    limit,
  };
}

/** The agent's process is gone. A turn in flight ended with it; open gates outlive it. */
export function sessionEnded(run: Run, event: EventOf<'session-ended'>): Run | null {
  if (run.session?.id !== event.session || !run.session.open) return null;
  const closed: Run = { ...run, session: { ...run.session, open: false }, foreign: null };
  const turn = closed.turn;
  if (turn === null || turn.session !== event.session) return closed;
  const failure: Failure = event.failure ?? {
    kind: 'crashed',
    message: 'the agent ended in the middle of a turn',
  };
  return {
    ...endTurn(closed, turn, { id: null, status: 'failed', failure, message: null }),
    gates: closed.gates,
  };
}

export function turnSilent(run: Run, event: EventOf<'turn-silent'>): Run | null {
  const turn = ours(run, event);
  if (turn === null || turn.interrupt !== null || run.gates.length > 0) return null;
  return { ...run, turn: { ...turn, interrupt: 'wanted', endAs: 'silent' } };
}

type During = EventOf<'item-ended' | 'plan-changed' | 'status-reported' | 'compaction-seen' | 'error-seen'>;

export function duringTurn(run: Run, event: During): Run | null {
  const turn = ours(run, event);
  if (turn === null) return run.foreign === event.turn ? run : null;
  switch (event.type) {
    case 'item-ended': {
      const failed = event.outcome === 'failed' || event.outcome === 'declined' ? 1 : 0;
      return { ...run, turn: { ...turn, items: turn.items + 1, failedItems: turn.failedItems + failed } };
    }
    case 'plan-changed':
      return {
        ...run,
        plan: { digest: event.digest, done: event.done, total: event.total, current: event.current ?? null },
      };
    case 'status-reported':
      return { ...run, turn: { ...turn, reported: { status: event.status, text: event.text } } };
    case 'compaction-seen':
      return { ...run, compactions: lastOf(run.compactions, run.turns + 1, bounds.compactionWindowTurns) };
    case 'error-seen':
      return event.willRetry ? run : { ...run, turn: { ...turn, error: event.failure.kind } };
  }
}
