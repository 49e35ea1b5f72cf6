import { expect, it } from 'vitest';
import { supervise } from '../../src/app/supervise.ts';
import { tellStory } from '../../src/testkit/world.ts';
import { simulate } from './simulate.ts';

const seed = Number(process.env.SEED ?? 7);

it(`keeps every promise in the story of seed ${seed}`, async () => {
  await simulate(seed, 1);
});

it('keeps every promise in the first two hundred stories', { timeout: 120_000 }, async () => {
  await simulate(1, 200);
});

it('tells the same story twice from the same seed', async () => {
  const [once, again] = [await tellStory(supervise, seed), await tellStory(supervise, seed)];
  expect(again.world.watch.entries).toEqual(once.world.watch.entries);
  expect([...again.world.faults]).toEqual([...once.world.faults]);
});
