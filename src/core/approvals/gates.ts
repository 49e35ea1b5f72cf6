import { type Effect, type EffectOf, type EventOf, toolRequestPrefix } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { interrupted, move } from '../fold/lifecycle.ts';
import { type Gate, lastOf, type Run, without } from '../run.ts';

export const gateTimer = (gate: string): string => `gate:${gate}`;

export const withoutGate = (run: Run, gate: Gate): Run => ({
  ...run,
  gates: run.gates.filter((g) => g.id !== gate.id),
  timers: without(run.timers, gateTimer(gate.id)),
});

/** The run without some of its gates and their timers. */
export const withoutGates = (run: Run, gone: (gate: Gate) => boolean): Run =>
  run.gates.filter(gone).reduce(withoutGate, run);

/** Can the agent that asked still be answered? Its session is open and the turn it asked in, if any, goes on. */
export const isAlive = (run: Run, gate: Asking): boolean =>
  gate.request !== null &&
  run.session?.open === true &&
  run.session.id === gate.session &&
  (gate.turn == null || run.foreign === gate.turn || run.turn?.turn === gate.turn);

type Asking = {
  readonly session: string | null;
  readonly request: string | null;
  readonly turn?: string | null | undefined;
};

/** A sub-agent's question: it belongs to no turn, since it may outlive the one it was asked in. */
const isSubagents = ({ turn, request }: Pick<Gate, 'turn' | 'request'>): boolean =>
  turn === null && request !== null;

/** Our own question whether the guard's reach is enough. */
export const isReachGate = ({ rule, request }: Pick<Gate, 'rule' | 'request'>): boolean =>
  rule === 'reach' && request === null;

/** Gates that are over when this turn has ended. */
export const endsWith =
  (turn: string | null) =>
  (gate: Gate): boolean =>
    gate.turn === turn && !isOverTools(gate) && !isSubagents(gate);

/** A question asked through our tools outlives its turn: the answer waits for the agent. */
export const isOverTools = (gate: Pick<Gate, 'request'>): boolean =>
  gate.request?.startsWith(toolRequestPrefix) === true;

/** Options that do not all fit are only shown in the question: a truncated one would be a different answer. */
const isLine = (text: string): boolean => text.length <= bounds.gateLineCharsMax;

/** Puts an agent's question to a person; `why` says why nobody else answered it. */
export function openQuestion(
  run: Run,
  { session, turn, request, questions, digest }: Asked,
  why: string | null,
): readonly Effect[] {
  const asks = questions
    .map((q) => (q.options === undefined ? q.question : `${q.question} (${q.options.join(' · ')})`))
    .join('\n');
  const offered = questions.length === 1 ? (questions[0]?.options ?? []) : [];
  const options = offered.length <= bounds.gateLinesMax && offered.every(isLine) ? offered : [];
  const because = why === null ? 'the agent asks a question' : `the agent asks a question; ${why}`;
  return openEffects(run, {
    kind: 'input',
    session,
    turn,
    request,
    digest,
    rule: 'question',
    asks: { text: asks.slice(0, 16_000) },
    because: because.slice(0, 2_000),
    options: options.length === 0 ? undefined : options,
  });
}
type Asked = Pick<EventOf<'input-asked'>, 'session' | 'request' | 'questions' | 'digest'> & {
  readonly turn?: string | undefined;
};

type Opening = Omit<Extract<Effect, { type: 'gate-open' }>, 'type' | 'gate' | 'expiresAt'>;

/**
 * A gate and the timer that closes it. Its id is derived, so a replay opens the same one. Once the maximum of open
 * gates is reached, further requests are denied.
 */
export function openEffects(run: Run, opening: Opening): readonly Effect[] {
  const { session, request } = opening;
  if (run.gates.length >= bounds.gatesMax && session !== undefined && request !== undefined) {
    const because = `${bounds.gatesMax} questions wait for the person already; go on without it`;
    const action = opening.asks.text.slice(0, bounds.actionCharsMax);
    return [{ type: 'request-answer', session, request, answer: 'deny', because, rule: 'gates-max', action }];
  }
  const gate = `g${run.seq}`;
  const waits = run.policy.gates.whenUnanswered === 'wait' || opening.request === undefined;
  const afterMs = run.policy.gates.timeoutMs;
  const expiresAt = waits ? null : run.at + afterMs;
  const open: Effect = { type: 'gate-open', gate, ...opening, expiresAt };
  return expiresAt === null
    ? [open]
    : [open, { type: 'timer-set', timer: gateTimer(gate), dueAt: expiresAt, clock: 'wall', afterMs }];
}

/**
 * A gate as its effect describes it. A newer request for the same action replaces the older; a gate reopened after a
 * restart is the one already open.
 */
export function openGate(run: Run, effect: EffectOf<'gate-open'>): Run {
  if (run.gates.some((g) => g.id === effect.gate)) return run;
  const gate: Gate = {
    id: effect.gate,
    kind: effect.kind,
    session: effect.session ?? null,
    turn: effect.turn ?? null,
    request: effect.request ?? null,
    asks: { ...effect.asks, text: effect.asks.text.slice(0, bounds.gateAsksCharsMax) },
    digest: effect.digest,
    because: effect.because,
    rule: effect.rule,
    never: effect.never === true,
    action: effect.action ?? null,
    instead: effect.instead ?? null,
    effects: effect.effects ?? [],
    kinds: effect.kinds ?? [],
    shapes: effect.shapes ?? [],
    options: effect.options ?? [],
    destructive: effect.destructive === true,
    askedAt: run.at,
    expiresAt: effect.expiresAt,
  };
  const kept = withoutGates(
    run,
    (g) =>
      g.kind === gate.kind &&
      (g.digest === gate.digest ||
        (g.request !== null && g.request === gate.request && g.session === gate.session)),
  );
  const opened: Run = { ...kept, gates: [...kept.gates, gate] };
  const isOurs = isSubagents(gate) || opened.turn?.turn === gate.turn;
  if (opened.turn === null || !isOurs || opened.state === 'waiting') return opened;
  const on = gate.kind === 'approval' ? 'approval' : 'input';
  // A turn that waits for an answer would not end by itself.
  const wanted = run.asked.stop || run.asked.off ? interrupted(opened, 'person') : opened;
  return move(wanted, 'waiting', {
    because: gate.because,
    waiting: { on, until: gate.expiresAt, because: gate.because },
  });
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
  const isIt = ({ session, request }: { session: string | null; request: string | null }): boolean =>
    request === event.request && session === event.session;
  const gate = run.gates.find(isIt);
  if (gate !== undefined) return workAgain(withoutGate(run, gate));
  // An answer still expected from a model is ignored.
  const pending = run.pending.filter((one) => one.type !== 'input-advise' || !isIt(one));
  return pending.length === run.pending.length ? null : { ...run, pending };
}

/** Nobody answered in time. The policy says what that means; it is never an approval. */
export function expireGate(run: Run, timer: string): Run | null {
  const gate = run.gates.find((g) => gateTimer(g.id) === timer);
  if (gate === undefined) return null;
  const asks = gate.asks.text.slice(0, bounds.unansweredCharsMax);
  const next: Run = {
    ...withoutGate(run, gate),
    expiriesInRow: run.expiriesInRow + 1,
    unanswered: lastOf(run.unanswered, { ...gate, asks: { text: asks } }, bounds.unansweredMax),
  };
  if (run.policy.gates.whenUnanswered !== 'stop') return workAgain(next);
  const stopped: Run = { ...next, unansweredStop: asks };
  if (stopped.turn === null)
    return stopped.state === 'waiting'
      ? move(stopped, 'deciding', { because: 'a question stayed unanswered' })
      : stopped;
  return workAgain(interrupted(stopped, 'person'));
}
