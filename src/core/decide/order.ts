import { advised } from './advice.ts';
import { activeTime, budgets, clockTime, moneyBudget, tokenBudget, turnBudget } from './budgets.ts';
import {
  askAltered,
  askToAccept,
  certified,
  refusedTooOften,
  takeBaseline,
  verifyClaim,
} from './completion.ts';
import { betweenCycles, cycleBudget, nextCycle } from './cycles.ts';
import { carryOn } from './go-on.ts';
import {
  background,
  failedTurn,
  failuresMax,
  reach,
  unrecoverable,
  usageLimit,
  worldAway,
} from './outages.ts';
import { personOff, personPause, personSteer, personStop, unansweredStop } from './person.ts';
import { askAboutFindings, reviewAfterError, reviewFirst } from './review-rules.ts';
import {
  agentBlocked,
  agentWaiting,
  compactionLoop,
  cooldown,
  noProgress,
  sameError,
  unanswered,
  unsafeContext,
} from './soft-stops.ts';

/** Raised whenever a rule's meaning or place changes, with a paragraph in docs/policy-versions.md. */
export const policyVersion = 3;

/** The rules that come before advice, in the order of docs/policy.md: the first that speaks wins. */
export const firmRules = [
  // 1 the person
  personStop,
  personOff,
  unansweredStop,
  personPause,
  personSteer,
  // 2 unrecoverable failure
  unrecoverable,
  // 3 the world
  reach,
  usageLimit,
  worldAway,
  failuresMax,
  failedTurn,
  background,
  // 4 completion
  reviewFirst,
  askAboutFindings,
  certified,
  askAltered,
  verifyClaim,
  askToAccept,
  takeBaseline,
  refusedTooOften,
  // 5 budgets
  turnBudget,
  tokenBudget,
  moneyBudget,
  activeTime,
  clockTime,
  cycleBudget,
  // 6 soft stops; drift from the mission will stand after compaction-loop
  noProgress,
  unsafeContext,
  unanswered,
  agentBlocked,
  sameError,
  compactionLoop,
  agentWaiting,
  cooldown,
  reviewAfterError,
  // a fresh context, where this one is used up
  betweenCycles,
  nextCycle,
] as const;

/** What decides when no firm rule speaks: 7 advice, 8 continue. */
export const openRules = [advised, carryOn] as const;

/** What may still hold back a decided turn at the moment it would start. */
export const launchRules = [reach, usageLimit, background, ...budgets] as const;

/** The name of a rule of today. What a ledger holds is a string: older rules had other names. */
export type RuleName = (typeof firmRules | typeof openRules)[number]['name'];
