import { expect, it } from 'vitest';
import { ruleNames, simulate } from './simulate.ts';

const stories = 10_000;

it('keeps every promise in ten thousand seeded stories, the first half', { timeout: 600_000 }, async () => {
  const { lengths, rules, faults } = await simulate(1, stories);
  const median = lengths.toSorted((a, b) => a - b)[stories / 2];
  expect(lengths).toHaveLength(stories);
  expect(median).toBeGreaterThanOrEqual(40);
  expect(ruleNames.filter((name) => !rules.has(name))).toEqual([]);
  expect(faults.size).toBeGreaterThanOrEqual(20);
});
