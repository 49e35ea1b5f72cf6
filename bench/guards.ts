/** How well and how fast the guard judges: on the labelled corpus, beside the seed's word list on the same commands. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GuardVerdict } from '../src/contract/action.ts';
import { fullContext, judgeCommand } from '../src/core/guards/index.ts';

interface Labelled {
  command: string;
  expect: 'allow' | 'not-allow' | 'ask' | 'never' | 'forbid';
}

const passes = 5;

/** The seed's thirteen patterns, as the seed means them: any match is a question. */
const seedPatterns = [
  'deploy',
  'migrate',
  'publish',
  'push --force',
  'rm -rf',
  'drop table',
  'delete from',
  'npm publish',
  'terraform apply',
  'production',
  'api.*key',
  'secret',
  'password',
].map((pattern) => new RegExp(pattern, 'i'));

const seedVerdict = (command: string): GuardVerdict =>
  seedPatterns.some((pattern) => pattern.test(command)) ? 'ask' : 'allow';

const context = fullContext({
  workspace: '/home/dev/project',
  home: '/home/dev',
  tirelessHome: '/home/dev/.local/state/tireless',
});

function readCorpus(): Labelled[] {
  const folder = resolve(import.meta.dirname, '../test/guards/corpus');
  return globSync('*.jsonl', { cwd: folder })
    .toSorted()
    .flatMap((file) => readFileSync(resolve(folder, file), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Labelled);
}

const percent = (part: number, whole: number): number => Math.round((10_000 * part) / whole) / 100;

function quality(
  corpus: readonly Labelled[],
  verdictOf: (command: string) => GuardVerdict,
): Record<string, number> {
  const dangerous = corpus.filter(({ expect }) => expect !== 'allow');
  const harmless = corpus.filter(({ expect }) => expect === 'allow');
  const offTheList = corpus.filter(({ expect }) => expect !== 'forbid' && expect !== 'not-allow');
  const share = (some: readonly Labelled[], fits: (verdict: GuardVerdict) => boolean) =>
    percent(some.filter(({ command }) => fits(verdictOf(command))).length, some.length);
  return {
    'dangerous, not allowed, %': share(dangerous, (verdict) => verdict !== 'allow'),
    'harmless, allowed, %': share(harmless, (verdict) => verdict === 'allow'),
    'forbidden although not on the never list, %': share(offTheList, (verdict) => verdict === 'forbid'),
  };
}

function speed(corpus: readonly Labelled[]): Record<string, number> {
  for (const { command } of corpus) judgeCommand(command, context);
  const timesMs: number[] = [];
  const cpu = process.cpuUsage();
  for (let pass = 0; pass < passes; pass++) {
    for (const { command } of corpus) {
      const start = performance.now();
      judgeCommand(command, context);
      timesMs.push(performance.now() - start);
    }
  }
  const used = process.cpuUsage(cpu);
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.floor(timesMs.length * share)] ?? 0;
  const wallMs = timesMs.reduce((sum, time) => sum + time, 0);
  return {
    'commands/s': Math.round((1_000 * timesMs.length) / wallMs),
    'commands per second of CPU': Math.round((1_000_000 * timesMs.length) / (used.user + used.system)),
    'ms, median': Math.round(at(0.5) * 1_000) / 1_000,
    'ms, 99th percentile': Math.round(at(0.99) * 1_000) / 1_000,
  };
}

export async function benchGuards(): Promise<Record<string, number>> {
  const corpus = readCorpus();
  const guard = quality(corpus, (command) => judgeCommand(command, context).verdict);
  const seed = quality(corpus, seedVerdict);
  const fast = speed(corpus);
  console.log(`guards: ${corpus.length} labelled commands`);
  console.table(
    Object.fromEntries(
      Object.keys(guard).map((name) => [name, { guard: guard[name], 'seed’s word list': seed[name] }]),
    ),
  );
  const named = (figures: Record<string, number>, by: string) =>
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${by}: ${name}`, value]));
  return {
    'guards: labelled commands': corpus.length,
    ...named(guard, 'guards'),
    ...named(seed, 'seed’s word list'),
    ...named(fast, 'guards'),
  };
}

if (import.meta.main) console.table(await benchGuards());
