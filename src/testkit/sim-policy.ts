import { type AgentFacts, type Check, type Policy, policySchema, type Reach } from '../contract/index.ts';
import type { Dice } from './dice.ts';
import type { SimTemper } from './sim-turn.ts';

/** Small limits, so that a short story meets them. */
export function drawPolicy(dice: Dice, temper: SimTemper, now: number): Policy {
  const minutes = (least: number, most: number): number => dice.between(least, most) * 60_000;
  return policySchema.parse({
    limits: {
      turnsMax: dice.between(3, 14),
      tokensMax: temper.tokens && dice.chance(0.3) ? dice.between(1_000, 12_000) : undefined,
      moneyMax: temper.money && dice.chance(0.4) ? 0.5 + dice.roll() * 4 : undefined,
      activeHoursMax: dice.chance(0.15) ? 0.02 : 12,
      until: dice.chance(0.1) ? now + minutes(1, 90) : undefined,
      noProgressTurns: dice.between(1, 3),
      sameErrorTimes: dice.between(1, 3),
      compactionsMax: dice.between(1, 3),
      denialsMax: dice.between(1, 3),
      failuresMax: dice.between(2, 5),
      adviceMissesMax: dice.between(1, 2),
      expiriesMax: dice.between(1, 2),
      turnSilenceMs: minutes(1, 8),
      turnTotalMs: minutes(3, 20),
      backgroundWaitMs: minutes(1, 30),
      interruptGraceMs: dice.between(1_000, 30_000),
      checkTimeoutMs: minutes(1, 5),
      cyclesMax: dice.between(1, 4),
      cycleTokensMax: dice.between(1_000, 8_000),
      wrapUpAt: dice.pick([0.5, 0.8]),
      closingTurnsMax: dice.between(1, 3),
    },
    approvals: dice.pick(['policy', 'policy', 'pause', 'never-ask']),
    gates: { timeoutMs: minutes(1, 10), whenUnanswered: dice.pick(['deny', 'deny', 'deny', 'wait', 'stop']) },
    advice: { enabled: dice.chance(0.3), answers: dice.chance(0.5) },
    recentDecisions: dice.between(1, 5),
    review: dice.pick(['never', 'never', 'before-completion', 'on-error']),
  });
}

export function drawFacts(dice: Dice, temper: SimTemper): AgentFacts {
  const finds = dice.chance(0.7);
  const resumes = dice.chance(0.8);
  return {
    name: 'simulated',
    door: 'in-process',
    sees: 'every-action',
    usage: temper.tokens ? (temper.money ? 'both' : 'tokens') : temper.money ? 'money' : 'none',
    finds,
    resumes,
    steers: dice.chance(0.6),
    reviews: dice.chance(0.5),
    renews: dice.chance(0.4),
    outlives: finds && resumes && dice.chance(0.3),
  };
}

/** What the session shows of the guard's reach once it is open: mostly what was confirmed. */
export const drawReach = (dice: Dice): Reach | undefined =>
  dice.chance(0.1)
    ? dice.pick(['asks', 'nothing'] as const)
    : dice.pick(['every-action', undefined] as const);

export const drawChecks = (dice: Dice): readonly Check[] =>
  dice.chance(0.8) ? [{ name: 'test', command: 'npm test', cwd: '.', source: 'config' }] : [];
