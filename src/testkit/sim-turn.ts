import type { AgentEvent, FailureKind } from '../contract/index.ts';
import { cleanLine, closingLine } from '../core/index.ts';
import type { Dice } from './dice.ts';

/** What an agent may do in a turn, one step after another. */
export type SimStep =
  | 'item'
  | 'failed-item'
  | 'edit'
  | 'commit'
  | 'plan'
  | 'usage'
  | 'retry'
  | 'error'
  | 'compaction'
  | 'approval'
  | 'question'
  | 'blocked'
  | 'waits'
  | 'done'
  | 'mode'
  | 'limit'
  | 'flood'
  | 'background'
  | 'subagent'
  | 'rename'
  | 'unreadable'
  | 'hang'
  | 'die';

/** How one agent behaves: drawn once per world, so that some worlds are quiet and some are not. */
export interface SimTemper {
  readonly dispatchTold: boolean;
  readonly idleness: number;
  readonly trouble: number;
  readonly failing: number;
  readonly asking: number;
  /** Starts work that outlives its turn, has sub-agents, and changes the id of its session. */
  readonly busy: number;
  readonly claiming: number;
  /** Its reviews always find something. */
  readonly picky: boolean;
  readonly tokens: boolean;
  readonly money: boolean;
}

export function drawTemper(dice: Dice): SimTemper {
  const some = (often: number, much: number): number => (dice.chance(often) ? dice.roll() * much : 0);
  return {
    dispatchTold: dice.chance(0.9),
    idleness: dice.chance(0.3) ? 0.9 : 0.2,
    trouble: some(0.5, 0.5),
    failing: dice.chance(0.15) ? 0.8 : some(0.6, 0.3),
    asking: some(0.6, 0.6),
    busy: some(0.4, 0.6),
    claiming: dice.pick([0.02, 0.02, 0.2, 0.2, 0.7]),
    picky: dice.chance(0.5),
    tokens: dice.chance(0.8),
    money: dice.chance(0.4),
  };
}

export function drawSteps(dice: Dice, temper: SimTemper): readonly SimStep[] {
  const steps: SimStep[] = [];
  const maybe = (probability: number, ...which: readonly SimStep[]): void => {
    if (dice.chance(probability)) steps.push(dice.pick(which));
  };
  if (!dice.chance(temper.idleness)) steps.push('edit');
  for (let n = dice.between(0, 3); n > 0; n--)
    steps.push(dice.pick<SimStep>(['item', 'item', 'failed-item', 'retry']));
  if (!dice.chance(temper.idleness)) steps.push(dice.pick<SimStep>(['edit', 'commit', 'plan']));
  maybe(temper.tokens || temper.money ? 0.9 : 0, 'usage');
  maybe(temper.asking, 'approval', 'approval', 'approval', 'question');
  maybe(temper.asking / 2, 'approval', 'question');
  maybe(temper.busy, 'background', 'background', 'subagent', 'rename');
  maybe(temper.trouble, 'error', 'error', 'compaction', 'compaction', 'unreadable', 'unreadable', 'flood');
  maybe(temper.trouble / 3, 'hang', 'die', 'blocked', 'waits', 'mode', 'limit', 'compaction');
  maybe(temper.claiming / 3, 'done');
  return steps;
}

const answered: readonly FailureKind[] = [
  'rate-limited',
  'server-error',
  'stream-cut',
  'context-full',
  'other',
];

/** A failure as providers have them: mostly curable, rarely not. */
export function drawFailure(
  dice: Dice,
  now: number,
): { kind: FailureKind; message: string; resetAt?: number } {
  const roll = dice.roll();
  if (roll < 0.15) {
    const resetAt = dice.chance(0.5) ? { resetAt: now + dice.between(-60_000, 1_200_000) } : {};
    return { kind: 'usage-limit', message: 'you have hit your limit', ...resetAt };
  }
  if (roll < 0.4) return { kind: dice.pick(['unreachable', 'overloaded']), message: 'nobody answers' };
  if (roll < 0.43) return { kind: dice.pick(['auth', 'setup', 'gone']), message: 'this cannot be cured' };
  return { kind: dice.pick(answered), message: 'the provider said no' };
}

/** How a turn ends that comes to its end. */
export function drawEnd(
  dice: Dice,
  temper: SimTemper,
  now: number,
): Pick<Extract<AgentEvent, { type: 'turn-ended' }>, 'status' | 'failure' | 'message'> {
  if (dice.chance(temper.failing)) return { status: 'failed', failure: drawFailure(dice, now) };
  if (dice.chance(0.02)) return { status: 'interrupted' };
  const text = dice.chance(temper.claiming)
    ? dice.pick([`all done\n${closingLine}`, closingLine, `${closingLine}\nnot really`, `> ${closingLine}`])
    : 'I did some work';
  return { status: 'completed', message: { text } };
}

/** What a review says: mostly that something is wrong, sometimes nothing at all. */
export function drawReview(
  dice: Dice,
  { picky }: SimTemper,
): Pick<Extract<AgentEvent, { type: 'turn-ended' }>, 'message'> {
  const found = 'One bug.\n\n- [P1] Off by one';
  if (picky) return { message: { text: found } };
  const text = dice.pick([found, found, found, `All good.\n${cleanLine}`, 'It looks well.', '']);
  return { message: { text } };
}
