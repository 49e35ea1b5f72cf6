import { expect, it } from 'vitest';
import { supervise } from '../../src/app/supervise.ts';
import { tellStory } from '../../src/testkit/world.ts';
import { simulate, simulateWidely } from './simulate.ts';

const seed = Number(process.env.SEED ?? 7);

it(`keeps every promise in the story of seed ${seed}`, () => simulate(seed, 1));

it('tells the same story twice from the same seed', async () => {
  const [once, again] = [await tellStory(supervise, seed), await tellStory(supervise, seed)];
  expect(again.world.watch.entries).toEqual(once.world.watch.entries);
  expect([...again.world.faults]).toEqual([...once.world.faults]);
});

it('keeps every promise in the first two thousand stories', { timeout: 600_000 }, () =>
  simulateWidely(1, 2_000),
);
