import type { FailureKind } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';

/** Another turn cannot cure these; a person must change something first. */
export const incurable: ReadonlySet<FailureKind> = new Set(['auth', 'setup', 'gone']);

/** The world is away: waited out on our own clock, bounded only by time budgets. */
export const away: ReadonlySet<FailureKind> = new Set(['unreachable', 'overloaded']);

/** Nothing was spent and nothing was answered: such a turn does not count against the run. */
export const costsNoTurn = (kind: FailureKind | undefined): boolean =>
  kind !== undefined && (kind === 'usage-limit' || away.has(kind));

/** The wait after the n-th failure in a row: 60 s doubling to 30 min. */
export const backoffMs = (timesInRow: number): number =>
  Math.min(bounds.backoffMaxMs, bounds.backoffMs * 2 ** Math.max(0, timesInRow - 1));

/** The n-th idle short turn in a row waits 1 s doubling to 60 s. */
export const cooldownMs = (shortTurns: number): number =>
  Math.min(bounds.cooldownMaxMs, bounds.cooldownMs * 2 ** Math.max(0, shortTurns - 1));

/** A spread of wake-ups that is the same on every machine that replays it: drawn from the run's id, not from dice. */
export function jitterMs(id: string, seq: number): number {
  let hash = 2_166_136_261;
  for (const char of `${id}/${seq}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return (hash >>> 0) % bounds.limitJitterMs;
}
