import type { Effect, EffectOf, Event, EventOf, OpenedFacts, Outcome } from '../../contract/index.ts';
import { isReachGate, withoutGates } from '../approvals/gates.ts';
import { bounds } from '../bounds.ts';
import { lastOf, type Run } from '../run.ts';
import { failedLaunch } from './end-turn.ts';
import { backgroundOver } from './lifecycle.ts';
import { untraceable } from './turns.ts';

type OutcomeOf<T extends Outcome['of']> = Extract<Outcome, { of: T }>;

/**
 * An event as if it had been told under the session's present id. What an id has used is counted under that id, and
 * only the present one can change into another.
 */
export function underPresentId(run: Run, event: Event): Event {
  const { session } = run;
  if (event.type === 'usage-reported' || event.type === 'session-changed') return event;
  if (session === null || !('session' in event) || !session.former.includes(event.session)) return event;
  return { ...event, session: session.id };
}

/** The conversation goes on under a new id: so does everything of the run that names it. */
export function sessionChanged(
  run: Run,
  { session: from, to }: Pick<EventOf<'session-changed'>, 'session' | 'to'>,
): Run | null {
  const { session, turn } = run;
  if (session?.id !== from || from === to) return null;
  const renamed = <T extends { readonly session: string | null }>(one: T): T =>
    one.session === from ? { ...one, session: to } : one;
  const former = lastOf(
    session.former.filter((id) => id !== to),
    from,
    bounds.formerSessionsMax,
  );
  return {
    ...run,
    session: { ...session, id: to, former },
    turn: turn === null ? null : renamed(turn),
    gates: run.gates.map(renamed),
    pending: run.pending.map((effect) => ({ ...underWay(effect, renamed), id: effect.id })),
  };
}

/** What is under way and names the session by its former id. */
const underWay = (effect: Effect, renamed: <T extends { session: string }>(one: T) => T): Effect =>
  effect.type === 'savepoint'
    ? { ...effect, approves: renamed(effect.approves) }
    : 'session' in effect && effect.type !== 'gate-open'
      ? renamed(effect)
      : effect;

/**
 * What runs beside the turns. When the last of it has ended, a run that waited for it goes on; what begins while the
 * checks run makes their results void, unless it was waited for already.
 */
export function backgroundChanged(run: Run, event: EventOf<'background-changed'>): Run | null {
  if (run.session?.id !== event.session || !run.session.open) return null;
  if (event.tasks.length === 0) return backgroundOver(run);
  const isVoid = run.state === 'verifying' && run.last?.waited.includes('background') !== true;
  return { ...run, background: event.tasks, proofVoid: isVoid || run.proofVoid };
}

export function sessionOpened(
  before: Run,
  { resume }: EffectOf<'session-open'>,
  outcome: OutcomeOf<'session-open'>,
): Run {
  if (outcome.session === undefined) {
    const failure = outcome.failure ?? { kind: 'other' as const, message: 'the session could not be opened' };
    const alone = backgroundOver(before);
    return before.awaiting.find ? untraceable(alone, failure) : failedLaunch(alone, failure);
  }
  // What went on without us may have got a new id meanwhile.
  const to = outcome.session;
  const isAttached = before.agent.outlives === true && resume !== undefined;
  const run = (isAttached ? sessionChanged(before, { session: resume, to }) : null) ?? before;
  const isSame = run.session?.id === to;
  const known = isSame && run.session !== null ? run.session : { former: [], stale: false, lost: false };
  const open: Run = {
    ...withFacts(run, outcome.agent),
    session: { ...known, id: to, open: true, detached: false },
  };
  const found = open.agent.outlives === true && isSame ? open : newProcess(open);
  const canAsk = found.agent.finds === true && isSame;
  return run.awaiting.find && !canAsk ? untraceable(found, null) : found;
}

/** Sub-agents of an earlier process are gone: their questions can be answered, but not heard there. */
const newProcess = (run: Run): Run => ({
  ...run,
  subagentRequests: [],
  gates: run.gates.map((gate) =>
    gate.turn === null && gate.request !== null ? { ...gate, session: null } : gate,
  ),
});

/** What opening it showed counts from now on. What the person confirmed of the guard's reach stays beside it. */
function withFacts(run: Run, found: OpenedFacts | undefined): Run {
  if (found === undefined) return run;
  const { sees, ...facts } = found;
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const proven = sees ?? run.proven;
  const asked = proven === run.proven ? run : withoutGates(run, isReachGate);
  return { ...asked, agent: { ...run.agent, ...known }, proven };
}

/** A fresh context in the same session. One that could not be had is a turn that did not come to be. */
export function sessionRenewed(run: Run, { session, failure }: OutcomeOf<'session-renew'>): Run {
  if (run.session === null) return run;
  if (session === undefined)
    return failedLaunch(run, failure ?? { kind: 'other', message: 'the context could not be renewed' });
  return { ...run, session: { ...run.session, id: session, former: [], stale: false } };
}
