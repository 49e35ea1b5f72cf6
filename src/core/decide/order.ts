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
import { personOff, personPause, personSteer, personStop, unansweredStop } from './person.ts';
import { askAboutFindings, reviewAfterError, reviewFirst } from './review.ts';
import type { Rule } from './rule.ts';
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
import { unrecoverable } from './unrecoverable.ts';
import { failedTurn, failuresMax, usageLimit, worldAway } from './world.ts';

/** Raised whenever a rule's meaning or place changes, with a paragraph in docs/policy-versions.md. */
export const policyVersion = 2;

/** The rules that come before advice, in the order of docs/policy.md: the first that speaks wins. */
export const firmRules: readonly Rule[] = [
  // 1 the person
  personStop,
  personOff,
  unansweredStop,
  personPause,
  personSteer,
  // 2 unrecoverable failure
  unrecoverable,
  // 3 the world
  usageLimit,
  worldAway,
  failuresMax,
  failedTurn,
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
];

/** What decides when no firm rule speaks: 7 advice, 8 continue. */
export const openRules: readonly Rule[] = [advised, carryOn];

/** What may still hold back a decided turn at the moment it would start. */
export const launchRules: readonly Rule[] = [usageLimit, ...budgets];
