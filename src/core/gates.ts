import type { Effect, EffectOf, EventOf } from '../contract/index.ts';
import { move } from './lifecycle.ts';
import { bounds } from './limits.ts';
import { type Gate, lastOf, type Run, without } from './run-state.ts';

export const gateTimer = (gate: string): string => `gate:${gate}`;

const withoutGate = (run: Run, gate: Gate): Run => ({
  ...run,
  gates: run.gates.filter((g) => g.id !== gate.id),
  timers: without(run.timers, gateTimer(gate.id)),
});

/** Can the agent that asked still be answered? */
export const isAlive = (run: Run, gate: Gate): boolean =>
  gate.request !== null && run.turn !== null && run.session?.open === true && run.session.id === gate.session;

/**
 * A person answered. The answer is bound to the exact action by digest and used once; one that fits no open gate
 * changes nothing. Approved after the agent's death, it waits for the same action to be asked again.
 */
export function foldGateAnswer(run: Run, event: EventOf<'gate-answered'>): Run | null {
  const gate = run.gates.find((g) => g.id === event.gate);
  if (gate === undefined || (event.digest !== undefined && event.digest !== gate.digest)) return null;
  if (event.answer === 'text' && gate.kind === 'approval') return null;
  if (event.answer === 'approve' && gate.kind === 'input') return null;
  const next: Run = { ...withoutGate(run, gate), expiriesInRow: 0 };
  if (gate.kind === 'accept') return acceptAnswered(next, event);
  if (!isAlive(run, gate)) {
    if (event.answer !== 'approve') return next;
    return {
      ...next,
      unusedApprovals: lastOf(next.unusedApprovals, { digest: gate.digest, gate: gate.id }, bounds.gatesMax),
    };
  }
  return workAgain(next);
}

/** Without checks only a person can say that the work is done; a refusal with words is steering. */
function acceptAnswered(run: Run, event: EventOf<'gate-answered'>): Run {
  const accepted = event.answer === 'approve';
  const steers =
    !accepted && event.text !== undefined ? lastOf(run.steers, event.text, bounds.steersMax) : run.steers;
  const proof = accepted
    ? { ok: true, results: [], tree: run.tree?.tree ?? 'unknown', byPerson: true }
    : null;
  const next: Run = { ...run, steers, proof, claim: accepted ? run.claim : null };
  return run.state === 'waiting' && run.turn === null
    ? move(next, 'deciding', {
        because: accepted ? 'the person accepted the work' : 'the person did not accept the work',
      })
    : next;
}

/** The last question of a running turn was answered: the turn goes on. */
export function workAgain(run: Run): Run {
  const open = run.gates.some((gate) => isAlive(run, gate));
  return !open && run.turn !== null && run.state === 'waiting'
    ? move(run, 'running', { because: 'every question of this turn was answered' })
    : run;
}

/** The agent no longer waits for an answer. */
export function foldWithdrawn(run: Run, event: EventOf<'request-withdrawn'>): Run | null {
  const gate = run.gates.find((g) => g.request === event.request && g.session === event.session);
  return gate === undefined ? null : workAgain(withoutGate(run, gate));
}

/** Nobody answered in time. What that means is the policy's to say; it is never an approval. */
export function expireGate(run: Run, timer: string): Run | null {
  const gate = run.gates.find((g) => gateTimer(g.id) === timer);
  if (gate === undefined) return null;
  const asks = gate.asks.text.slice(0, 500);
  const next: Run = {
    ...withoutGate(run, gate),
    expiriesInRow: run.expiriesInRow + 1,
    unanswered: lastOf(run.unanswered, { asks, at: run.at }, bounds.unansweredMax),
  };
  if (run.policy.gates.whenUnanswered !== 'stop') return workAgain(next);
  const stopped: Run = { ...next, unansweredStop: asks };
  if (stopped.turn === null)
    return stopped.state === 'waiting'
      ? move(stopped, 'deciding', { because: 'a question stayed unanswered' })
      : stopped;
  return workAgain({
    ...stopped,
    turn: {
      ...stopped.turn,
      interrupt: stopped.turn.interrupt ?? 'wanted',
      endAs: stopped.turn.endAs ?? 'person',
    },
  });
}

/** A gate as its effect describes it. A newer request for the same action or by the same request id replaces the older. */
export function openGate(run: Run, effect: EffectOf<'gate-open'>): Run {
  const gate: Gate = {
    id: effect.gate,
    kind: effect.kind,
    session: effect.session ?? null,
    turn: effect.turn ?? null,
    request: effect.request ?? null,
    asks: effect.asks,
    digest: effect.digest,
    because: effect.because,
    rule: effect.rule,
    never: effect.never === true,
    askedAt: run.at,
    expiresAt: effect.expiresAt,
  };
  const superseded = run.gates.filter(
    (g) =>
      g.kind === gate.kind &&
      (g.digest === gate.digest ||
        (g.request !== null && g.request === gate.request && g.session === gate.session)),
  );
  const kept = superseded.reduce((r, g) => withoutGate(r, g), run);
  const opened: Run = { ...kept, gates: lastOf(kept.gates, gate, bounds.gatesMax) };
  if (opened.turn === null || opened.state === 'waiting') return opened;
  const on = gate.kind === 'approval' ? 'approval' : 'input';
  return move(opened, 'waiting', {
    because: gate.because,
    waiting: { on, until: gate.expiresAt, because: gate.because },
  });
}

/** Denials are remembered: the next input tells the agent, and too many in one turn are an unsafe context. */
export function noteAnswer(run: Run, effect: Effect): Run {
  if (effect.type !== 'request-answer' || effect.answer !== 'deny' || run.turn === null) return run;
  const unsafe =
    effect.never === true ? `the agent attempted what is never allowed: ${effect.because}` : run.unsafe;
  return { ...run, unsafe, turn: { ...run.turn, denials: run.turn.denials + 1 } };
}
