import type { GuardVerdict } from '../../contract/action.ts';
import type { GuardEffectKind } from '../../contract/guard.ts';
import { personOnly, refused } from './rules/never.ts';

/** Code the guard could not read may hide anything, so nothing but a person answers for it either. */
const unread: ReadonlySet<GuardEffectKind> = new Set(['opaque', 'unreadable', 'run-remote', 'run-code']);

export const isRefused = (kind: GuardEffectKind): boolean => Object.hasOwn(refused, kind);
export const isPersonOnly = (kind: GuardEffectKind): boolean =>
  Object.hasOwn(personOnly, kind) || unread.has(kind);
/** On the list that no setting, rule, earlier approval or advice can shrink. */
export const isNever = (kind: GuardEffectKind): boolean => isRefused(kind) || isPersonOnly(kind);

/** The least verdict the never list gives an effect, whatever anybody configured. Checked last. */
export function leastVerdict(kind: GuardEffectKind): GuardVerdict {
  if (isRefused(kind)) return 'forbid';
  return isPersonOnly(kind) ? 'ask' : 'allow';
}
