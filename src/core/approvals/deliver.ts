import type { Effect, EffectOf, EventOf, GuardEffectKind } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { type Gate, lastOf, type Run, type UnusedApproval } from '../run.ts';
import { gateTimer, isAlive } from './gates.ts';

/** Passes a person's answer, or the expiry of the gate, on to the waiting agent. */
export function answerGate(
  before: Run | null,
  run: Run,
  event: EventOf<'gate-answered' | 'timer-fired'>,
): readonly Effect[] {
  const closed = before?.gates.find((g) =>
    event.type === 'gate-answered' ? g.id === event.gate : gateTimer(g.id) === event.timer,
  );
  const isClosed = closed !== undefined && !run.gates.some((g) => g.id === closed.id);
  return isClosed && before !== null && isAlive(before, closed) ? [answerTo(run, closed, event)] : [];
}

function answerTo(run: Run, gate: Gate, event: EventOf<'gate-answered' | 'timer-fired'>): Effect {
  const to = {
    type: 'request-answer' as const,
    session: gate.session ?? '',
    request: gate.request ?? '',
    gate: gate.id,
  };
  const action = gate.asks.text.slice(0, bounds.actionCharsMax);
  const deny = (rule: string, because: string): Effect => ({ ...to, answer: 'deny', because, rule, action });
  if (event.type !== 'gate-answered')
    return deny('gate-expired', 'nobody answered in time; go on without it');
  const said = event.text?.text ?? '';
  if (event.answer === 'text')
    return { ...to, answer: 'text', because: `answered by ${event.by}`, rule: 'person', text: said };
  if (event.answer === 'deny')
    return deny('person', said === '' ? 'a person denied it' : said.slice(0, 2_000));
  const approval = { because: `approved by ${event.by}`, rule: 'person', digest: gate.digest };
  return approve(run, { ...to, turn: gate.turn ?? undefined, ...approval, action }, gate.destructive);
}

type Approves = EffectOf<'savepoint'>['approves'];

/** Effects that destroy files, or the means to restore them. */
const destroys: ReadonlySet<GuardEffectKind> = new Set<GuardEffectKind>([
  ...(['git-discard', 'git-destroy', 'git-rewrite', 'delete', 'delete-many'] as const),
  ...(['delete-recursive', 'delete-outside', 'delete-history'] as const),
]);

export const isDestructive = (kinds: readonly GuardEffectKind[]): boolean =>
  kinds.some((kind) => destroys.has(kind));

/** An approval; for a destructive action a savepoint first, and the approval only once that is kept. */
export function approve(run: Run, approves: Approves, destructive: boolean): Effect {
  if (destructive) {
    const because = `before: ${approves.action.replaceAll('\n', ' ')}`.slice(0, 500);
    return { type: 'savepoint', name: `before-${run.id}-${run.seq}`, because, approves };
  }
  const { turn: _turn, action: _action, ...answer } = approves;
  return { type: 'request-answer', answer: 'approve', ...answer };
}

/**
 * The savepoint is kept, or failed: only now the agent gets its answer. Without a savepoint a destructive action is
 * denied, and the person is notified. A turn that is being ended gets no more approvals.
 */
export function afterSavepoint(
  before: Run | null,
  run: Run,
  { effect: id, outcome }: EventOf<'effect-ended'>,
): readonly Effect[] {
  const effect = before?.pending.find((one) => one.id === id);
  if (effect?.type !== 'savepoint' || outcome.of !== 'savepoint' || !isAlive(run, effect.approves)) return [];
  const { session, request, gate, action } = effect.approves;
  if (outcome.ok && (run.turn === null || run.turn.interrupt === null))
    return [approve(run, effect.approves, false)];
  const because = outcome.ok
    ? 'the turn is being ended'
    : `it was approved, but the files could not be kept first: ${outcome.because ?? 'unknown'}`;
  const to = { session, request, gate };
  const deny: Effect = { type: 'request-answer', ...to, answer: 'deny', because, rule: 'savepoint', action };
  if (outcome.ok) return [deny];
  const text = `${because}\n${action}`;
  return [deny, { type: 'notify', key: `${run.id}/${effect.name}`, title: 'Tireless: not done', text }];
}

/** A waiting approval is used, once. */
export function useApproval(run: Run, gate: string | undefined): Run {
  const left = run.unusedApprovals.filter((a) => a.gate !== gate);
  return left.length === run.unusedApprovals.length ? run : { ...run, unusedApprovals: left };
}

/** The rule of an automatic approval by a shape that a person allowed at this gate. */
export const shapeRule = (gate: string): string => `shape:${gate}`;

const shapeUsed = (run: Run, rule: string): Run => {
  const at = run.shapes.findIndex((one) => shapeRule(one.gate) === rule);
  const shapes = run.shapes.map((one, i) => (i === at ? { ...one, times: one.times + 1 } : one));
  return at === -1 ? run : { ...run, shapes };
};

/** Denials are counted: too many in one turn, or one on the never list, are an unsafe context. */
export function noteAnswer(run: Run, effect: EffectOf<'request-answer'>): Run {
  const next = useApproval(run, effect.gate);
  if (effect.answer !== 'deny') return shapeUsed(next, effect.rule);
  const unsafe =
    effect.never === true ? `the agent attempted what is never allowed: ${effect.because}` : next.unsafe;
  // Nobody denied it: unanswered questions are counted separately.
  const isNo = effect.rule !== 'gate-expired';
  const turn = next.turn === null || !isNo ? next.turn : { ...next.turn, denials: next.turn.denials + 1 };
  if (effect.action === undefined) return { ...next, unsafe, turn };
  const denial = { rendered: effect.action, because: effect.because.slice(0, bounds.actionCharsMax) };
  return { ...next, unsafe, turn, denied: lastOf(next.denied, denial, bounds.deniedMax) };
}

/** An approval whose request was lost: it applies once, to the same action. */
export const withUnused = (run: Run, approval: UnusedApproval): Run => ({
  ...run,
  unusedApprovals: lastOf(run.unusedApprovals, approval, bounds.gatesMax),
});

/** A person's approval that did not reach the agent, or may not have: it waits for the same action. */
export function unheardApproval(run: Run, effect: Effect): Run {
  const approval =
    effect.type === 'savepoint'
      ? effect.approves
      : effect.type === 'request-answer' && effect.answer === 'approve'
        ? effect
        : null;
  return approval?.digest === undefined || approval.gate === undefined
    ? run
    : withUnused(run, { digest: approval.digest, gate: approval.gate });
}
