import type { GuardVerdict } from '../../../contract/action.ts';
import type { GuardEffectKind } from '../../../contract/guard.ts';

/** What one effect means, why, what to do instead, and the examples that prove it. */
export interface GuardRule {
  verdict: GuardVerdict;
  because: string;
  instead?: string;
  /** Commands in which this effect is found; each must not be allowed when the verdict is not `allow`. */
  shows: readonly string[];
  /** Commands that look alike and must be allowed. */
  allows?: readonly string[];
}

export type RuleTable<Kind extends GuardEffectKind> = Record<Kind, GuardRule>;
