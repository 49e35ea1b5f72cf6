import { expect, it } from 'vitest';
import { entrySchema } from '../../src/contract/index.ts';
import { bounds, isTerminal, type Run, step } from '../../src/core/index.ts';
import { makeDice } from '../../src/testkit/dice.ts';
import { ledgerRun } from '../../src/testkit/ledger-run.ts';
import { manyChecks, randomEvent } from './random-events.ts';

const snapshotBytesMax = 256 * 1024;

/** So many random events of every kind, in sizes that hurt, to one run of each mode. */
export const staysSmall = (events: Readonly<Record<Run['mode'], number>>): void =>
  it.each(['once', 'autonomous'] as const)(
    'of mode %s stays small enough to be remembered, whatever happens to it',
    { timeout: 300_000 },
    (mode) => {
      const dice = makeDice(42);
      let run: Run = startOf(mode);
      let mono = run.mono;
      let largest = 0;
      for (let n = 0; n < events[mode]; n++) {
        mono += dice.between(1, 60_000);
        const event = randomEvent(run, dice);
        const { run: next, entry } = step(run, { at: run.at + 1_000, mono, event }, run.id);
        run = next;
        expect(isTerminal(run.state), `${run.state} after ${event.type}: ${run.because}`).toBe(false);
        if (n % 250 !== 0) continue;
        largest = Math.max(largest, JSON.stringify(run).length);
        expect(entrySchema.safeParse(entry).error?.message).toBeUndefined();
        expect(run.pending.length).toBeLessThanOrEqual(bounds.pendingMax + 12);
      }
      expect(run.turns).toBeGreaterThan(events[mode] / 50);
      expect(largest).toBeLessThanOrEqual(snapshotBytesMax);
      expect(run.cycle.n > 3).toBe(mode === 'autonomous');
    },
  );

function startOf(mode: Run['mode']): Run {
  const limits = {
    turnsMax: 1_000_000,
    activeHoursMax: 1_000_000,
    noProgressTurns: 1_000_000,
    failuresMax: 1_000_000,
    sameErrorTimes: 1_000_000,
    compactionsMax: 1_000_000,
    denialsMax: 1_000_000,
    expiriesMax: 1_000_000,
  };
  const policy = { limits, advice: { enabled: true }, recentDecisions: 50 };
  const run = ledgerRun({ policy, checks: manyChecks, mode }).run();
  const more = { cyclesMax: 1_000_000, cycleTokensMax: 50_000 };
  return { ...run, policy: { ...run.policy, limits: { ...run.policy.limits, ...more } } };
}
