import type { Failure, Input, Text } from '../../contract/index.ts';
import { endsWith, withoutGates } from '../approvals/gates.ts';
import { bounds } from '../bounds.ts';
import { claimsCompletion } from '../completion/claims.ts';
import { cycleAfterTurn } from '../cycle/cycle.ts';
import { away, costsNoTurn } from '../decide/failures.ts';
import { type EndedTurn, lastOf, type Run, type Turn, without } from '../run.ts';
import { move } from './lifecycle.ts';
import { afterReview, reviewIn } from './review.ts';
import { putBack } from './unsent.ts';

/** A turn of ours at the moment we set out to send it. */
export const newTurn = (run: Run, dispatch: string, session: string, input: Input): Turn => ({
  dispatch,
  session,
  input,
  turn: null,
  phase: 'sent',
  startedMono: run.mono,
  activeBeforeMs: run.activeMs,
  tokensBefore: run.usage.tokens,
  moneyBefore: run.usage.money,
  planBefore: run.plan?.digest ?? null,
  items: 0,
  failedItems: 0,
  denials: 0,
  requests: [],
  reported: null,
  error: null,
  interrupt: null,
  endAs: null,
  clockLeftMs: null,
  steerRefused: false,
  review: reviewIn(input),
  adopted: false,
  kinds: {},
});

/** How a turn ended, whoever told us. */
export interface Ended {
  /** The agent's id of the turn, where it is known. */
  readonly id: string | null;
  readonly status: EndedTurn['status'];
  readonly failure?: Failure | null | undefined;
  readonly message?: Text | null | undefined;
  /** The agent may never have seen the input. */
  readonly isUnseen?: boolean;
  /** The agent was lost, not its question: gates outlive it. */
  readonly keepsGates?: boolean;
}

/** A review that says nothing is no review. */
const reviewResult = (ended: Ended): Ended =>
  ended.status === 'completed' && (ended.message?.text.trim() ?? '') === ''
    ? { ...ended, status: 'failed', failure: { kind: 'other', message: 'the review said nothing' } }
    : ended;

/** Everything a turn of ours leaves behind. */
export function endTurn(run: Run, turn: Turn, given: Ended): Run {
  const ended = turn.review === null ? given : reviewResult(given);
  const byPerson = turn.endAs === 'person';
  const deadline = turn.endAs === 'silent' || turn.endAs === 'overlong' ? deadlineFailure(turn.endAs) : null;
  const failure = deadline ?? ended.failure ?? null;
  const status = deadline !== null ? 'failed' : ended.status;
  const message = ended.message ?? null;
  const last: EndedTurn = {
    status,
    failure,
    message,
    byPerson,
    review: turn.review,
    planBefore: turn.planBefore,
    kinds: turn.kinds,
    waited: [],
    durationMs: Math.max(0, run.mono - turn.startedMono),
    items: turn.items,
    failedItems: turn.failedItems,
    denials: turn.denials,
    reported: turn.reported === null || turn.reported.status === 'done' ? null : turn.reported.status,
    reportedText: turn.reported?.text ?? '',
  };
  // What asked for an action was at work, whether anything of it was told or not.
  const wasAtWork = turn.items > 0 || turn.requests.length > 0;
  const isUnseen = ended.isUnseen === true || (status === 'failed' && !wasAtWork);
  const isCut = status !== 'completed' && wasAtWork && !byPerson;
  const back = isUnseen ? putBack(run, turn.input) : { carry: [], inDoubt: run.inDoubt };
  const asked = ended.keepsGates === true ? run : withoutGates(run, endsWith(turn.turn));
  const next: Run = {
    ...asked,
    turn: null,
    last,
    advice: null,
    adviceAsked: false,
    proof: null,
    ...spent(run, turn, failure),
    cycle: cycleAfterTurn(run, turn, isUnseen, failure),
    endedTurns: ended.id === null ? run.endedTurns : lastOf(run.endedTurns, ended.id, bounds.endedTurnsMax),
    claim: claimOf(turn, status, message),
    awaiting: { ...run.awaiting, tree: true, find: false },
    // Nothing of what waits to be said was said in a turn that we did not send.
    carry: turn.adopted ? run.carry : back.carry,
    inDoubt: back.inDoubt || isCut,
    timers: without(without(asked.timers, 'turn-total'), 'interrupt-grace'),
    ...failureCounts(run, status, failure, turn),
  };
  const over =
    turn.review === null
      ? { ...next, reviewed: unpassed(run.reviewed) }
      : afterReview(run, next, turn.review, message);
  return move(over, 'deciding', { because: `${turn.review === null ? 'turn' : 'review'} ${status}` });
}

/** Work went on: what a review said of it before is no word about it now. */
const unpassed = (reviewed: Run['reviewed']): Run['reviewed'] =>
  reviewed.isPassed ? { ...reviewed, isPassed: false } : reviewed;

/**
 * No turn came to be. The rules see it as a failed turn without items: nothing ran, so there is no tree to read and
 * no turn to count.
 */
export function failedLaunch(run: Run, failure: Failure): Run {
  if (run.launch === null) return run;
  const turn = newTurn(run, '', '', run.launch.input);
  const ended = endTurn({ ...run, launch: null }, turn, {
    id: null,
    status: 'failed',
    failure,
    keepsGates: true,
  });
  const { turns, recentTurns, awaiting } = run;
  return { ...ended, turns, recentTurns, awaiting };
}

const deadlineFailure = (endAs: 'silent' | 'overlong'): Failure => ({
  kind: endAs,
  message:
    endAs === 'silent' ? 'the agent said nothing for too long' : 'the turn took longer than a turn may take',
});

/** What the turn took. One that the world refused costs nothing and says nothing about the next. */
function spent(run: Run, turn: Turn, failure: Failure | null): Pick<Run, 'turns' | 'recentTurns'> {
  if (costsNoTurn(failure?.kind)) return { turns: run.turns, recentTurns: run.recentTurns };
  const { tokens, money } = run.usage;
  const took = {
    tokens: tokens === null ? null : tokens - (turn.tokensBefore ?? 0),
    money: money === null ? null : money - (turn.moneyBefore ?? 0),
    activeMs: run.activeMs - turn.activeBeforeMs,
  };
  return { turns: run.turns + 1, recentTurns: lastOf(run.recentTurns, took, bounds.recentTurnsMax) };
}

function claimOf(turn: Turn, status: EndedTurn['status'], message: Text | null): Run['claim'] {
  if (status !== 'completed') return null;
  if (turn.reported?.status === 'done')
    return { via: 'reported', text: turn.reported.text.slice(0, bounds.claimCharsMax) };
  if (message !== null && message.body === undefined && claimsCompletion(message.text))
    return { via: 'closing-line', text: message.text.slice(-bounds.claimCharsMax) };
  return null;
}

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
