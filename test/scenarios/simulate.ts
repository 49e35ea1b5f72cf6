import { expect } from 'vitest';
import { supervise } from '../../src/app/supervise.ts';
import { type Entry, entrySchema } from '../../src/contract/index.ts';
import { firmRules, openRules } from '../../src/core/decide/order.ts';
import { type Run, remember, replay, step } from '../../src/core/index.ts';
import { type Story, tellStory } from '../../src/testkit/world.ts';

const snapshotBytesMax = 256 * 1024;
/** Every so many stories the slower checks run too. */
const sampleEvery = 25;

/** What many stories showed together. */
interface Told {
  readonly lengths: number[];
  readonly rules: Set<string>;
  readonly faults: Set<string>;
}

const ruleNames: readonly string[] = [...firmRules, ...openRules].map((rule) => rule.name);

/** Tells the stories of these seeds, and sees that together they met every rule and most of what can go wrong. */
export async function simulateWidely(from: number, count: number): Promise<void> {
  const { lengths, rules, faults } = await simulate(from, count);
  expect(lengths).toHaveLength(count);
  expect(lengths.toSorted((a, b) => a - b)[count >> 1]).toBeGreaterThanOrEqual(40);
  expect(ruleNames.filter((name) => !rules.has(name))).toEqual([]);
  expect(faults.size).toBeGreaterThanOrEqual(20);
}

/** Tells the stories of these seeds. The first broken promise ends it, with the seed and how to see it again. */
export async function simulate(from: number, count: number): Promise<Told> {
  const told: Told = { lengths: [], rules: new Set(), faults: new Set() };
  for (let seed = from; seed < from + count; seed++) {
    const isSample = seed % sampleEvery === 0;
    const story = await tellStory(supervise, seed, isSample);
    const { watch, faults } = story.world;
    const broken = [...story.complaints, ...(isSample ? problemsOf(story) : [])];
    if (faults.size === 0) broken.push('nothing went wrong in this story');
    if (broken.length > 0) expect.fail(retell(story, broken));
    told.lengths.push(watch.entries.length);
    for (const rule of watch.rules) told.rules.add(rule);
    for (const fault of faults.keys()) told.faults.add(fault);
  }
  return told;
}

/** What is too slow to look at in every story. */
function problemsOf({ world }: Story): string[] {
  const { entries } = world.watch;
  const problems: string[] = [];
  const { divergences } = replay(entries);
  if (divergences[0] !== undefined)
    problems.push(`a replay differs at ${divergences[0].seq}: ${divergences[0].what}`);
  for (const entry of entries) {
    const { error } = entrySchema.safeParse(entry);
    if (error !== undefined) problems.push(`entry ${entry.seq} does not fit its schema: ${error.message}`);
  }
  const snapshot = JSON.stringify(world.watch.run());
  if (snapshot.length > snapshotBytesMax) problems.push(`a snapshot of ${snapshot.length} bytes`);
  if (text(continued(entries)) !== text(world.watch.run())) problems.push('a snapshot does not continue');
  if (text(stepped(entries)) !== text(world.watch.run())) problems.push('remembering is not stepping');
  return problems;
}

/** The run opened from a snapshot in the middle. */
function continued(entries: readonly Entry[]): Run | null {
  const half = entries.length >> 1;
  const before = entries.slice(0, half).reduce<Run | null>(remember, null);
  return entries.slice(half).reduce<Run | null>(remember, JSON.parse(JSON.stringify(before)) as Run | null);
}

const stepped = (entries: readonly Entry[]): Run | null =>
  entries.reduce<Run | null>((run, entry) => step(run, entry, entry.run).run, null);

/** The same run as the same text, whatever the order of its keys. */
const text = (run: Run | null): string =>
  JSON.stringify(run, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

const linesShown = 30;

function retell({ world }: Story, broken: readonly string[]): string {
  const { entries } = world.watch;
  const seed = world.id.slice(1);
  const shown = entries.slice(-linesShown).map((entry) => {
    const decided =
      entry.decision === undefined ? '' : ` → ${entry.decision.verdict} (${entry.decision.rule})`;
    const effects = (entry.effects ?? []).map((effect) => effect.type).join(' ');
    return `${entry.seq} ${JSON.stringify(entry.event).slice(0, 160)}${entry.late ? ' late' : ''}${decided} ${effects}`;
  });
  return [
    `seed ${seed} broke a promise:`,
    ...broken.slice(0, 5).map((what) => `  ${what}`),
    `see it again: SEED=${seed} npx vitest run test/scenarios/simulation.test.ts -t 'story of seed'`,
    `the last ${shown.length} of ${entries.length} entries:`,
    ...shown,
  ].join('\n');
}
