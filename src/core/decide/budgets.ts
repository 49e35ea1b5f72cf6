import { expectedOfTurn } from '../fold/usage.ts';
import { type Facts, limit, rule, type Say } from './rule.ts';

const hours = (ms: number): string => `${(ms / 3_600_000).toFixed(2)} h`;
/** Grouped by hand: a reason must read the same on a machine with other locale data. */
const whole = (n: number): string => String(Math.round(n)).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** Group 5 of docs/policy.md: may another turn start? Each budget alone; spent, or about to be overrun by a turn like the last ones. */
export const turnBudget = rule('turn-budget', ({ run }) => {
  const most = run.policy.limits.turnsMax;
  return run.turns >= most && limit('turnsMax', `used all ${most} turns`);
});

export const tokenBudget = rule('token-budget', ({ run }) => {
  const most = run.policy.limits.tokensMax;
  const { tokens } = run.usage;
  if (most === undefined || tokens === null) return false;
  if (tokens >= most) return limit('tokensMax', `used ${whole(tokens)} of ${whole(most)} tokens`);
  const expected = expectedOfTurn(run, 'tokens') ?? 0;
  return (
    tokens + expected > most &&
    limit(
      'tokensMax',
      `another turn takes about ${whole(expected)} tokens; ${whole(most - tokens)} of ${whole(most)} are left`,
    )
  );
});

export const moneyBudget = rule('money-budget', ({ run }) => {
  const most = run.policy.limits.moneyMax;
  const { money } = run.usage;
  if (most === undefined || money === null) return false;
  if (money >= most) return limit('moneyMax', `used $${money.toFixed(2)} of $${most.toFixed(2)}`);
  const expected = expectedOfTurn(run, 'money') ?? 0;
  return (
    money + expected > most &&
    limit(
      'moneyMax',
      `another turn costs about $${expected.toFixed(2)}; $${(most - money).toFixed(2)} of $${most.toFixed(2)} are left`,
    )
  );
});

export const activeTime = rule('active-time', ({ run }) => {
  const most = run.policy.limits.activeHoursMax * 3_600_000;
  if (run.activeMs >= most) return limit('activeHoursMax', `worked ${hours(run.activeMs)} of ${hours(most)}`);
  const expected = expectedOfTurn(run, 'activeMs') ?? 0;
  return (
    run.activeMs + expected > most &&
    limit(
      'activeHoursMax',
      `another turn takes about ${hours(expected)}; ${hours(most - run.activeMs)} are left`,
    )
  );
});

export const clockTime = rule('clock-time', ({ run, now }) => {
  const { until } = run.policy.limits;
  return until !== undefined && now >= until && limit('until', 'the time this run was given is over');
});

export const budgets = [turnBudget, tokenBudget, moneyBudget, activeTime, clockTime] as const;

/** The first budget that forbids another turn, or null. */
export function firstBudget(facts: Facts): Say | null {
  for (const budget of budgets) {
    const said = budget.evaluate(facts);
    if (said !== false) return said;
  }
  return null;
}
