import type { GuardEffectKind } from '../../../contract/guard.ts';
import { harmless } from './harmless.ts';
import { personOnly, refused } from './never.ts';
import { outward } from './outward.ts';
import { reaching } from './reaching.ts';
import type { GuardRule } from './rule-table.ts';
import { services } from './services.ts';

/** What every effect means. A kind without a rule does not compile. */
export const rules: Record<GuardEffectKind, GuardRule> = {
  ...harmless,
  ...reaching,
  ...outward,
  ...services,
  ...personOnly,
  ...refused,
};

export type { GuardRule } from './rule-table.ts';
