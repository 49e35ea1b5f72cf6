import type { Effect, EffectOf, EventOf, GuardEffectKind } from '../../contract/index.ts';
import type { Run } from '../run.ts';
import { isAlive } from './gates.ts';

type Approves = EffectOf<'savepoint'>['approves'];

/** Effects that take files, or the way back to them, away. */
const destroys: ReadonlySet<GuardEffectKind> = new Set<GuardEffectKind>([
  ...(['git-discard', 'git-destroy', 'git-rewrite', 'delete', 'delete-many'] as const),
  ...(['delete-recursive', 'delete-outside', 'delete-history'] as const),
]);

export const isDestructive = (kinds: readonly GuardEffectKind[]): boolean =>
  kinds.some((kind) => destroys.has(kind));

/** An approval; where the action destroys, a savepoint first, and the approval only when that is kept. */
export function approve(approves: Approves, destructive: boolean, run: string, seq: number): Effect {
  if (destructive) {
    const because = `before: ${approves.action.replaceAll('\n', ' ')}`.slice(0, 500);
    return { type: 'savepoint', name: `before-${run}-${seq}`, because, approves };
  }
  const { turn: _turn, action: _action, ...answer } = approves;
  return { type: 'request-answer', answer: 'approve', ...answer };
}

/**
 * The files are kept, or could not be: only now the agent hears. Without a savepoint a destructive action is denied,
 * and the person is told. A turn that is being ended gets no more leave.
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
    return [approve(effect.approves, false, run.id, run.seq)];
  const because = outcome.ok
    ? 'the turn is being ended'
    : `it was approved, but the files could not be kept first: ${outcome.because ?? 'unknown'}`;
  const to = { session, request, ...(gate === undefined ? {} : { gate }) };
  const deny: Effect = { type: 'request-answer', ...to, answer: 'deny', because, rule: 'savepoint', action };
  if (outcome.ok) return [deny];
  const text = `${because}\n${action}`;
  return [deny, { type: 'notify', key: `${run.id}/${effect.name}`, title: 'Tireless: not done', text }];
}
