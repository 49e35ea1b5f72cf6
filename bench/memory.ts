/** What remembering costs with 100,000 memories, and how often an answer is among the first five. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NewMemory } from '../src/contract/index.ts';
import { openMemories } from '../src/edge/memory/memories.ts';

const memoriesCount = 100_000;
const batchMemories = 2_000;
const warmUps = 50;
const questionsCount = 1_000;
const firstAt = Date.UTC(2025, 0, 1);
const apartMs = 300_000;

const services = 'billing orders search auth checkout catalogue shipping fraud mailer gateway'.split(' ');
const deeds = 'uses|fails on|retries|caches|writes to|depends on|timed out on|deploys|migrates|locks'.split(
  '|',
);
const things =
  'the database|Redis|Kafka|the config file|the session table|port|a certificate|the queue|memory|the build cache'.split(
    '|',
  );

export async function benchMemory(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-bench-memory-'));
  try {
    return { ...benchRetrieval(join(folder, 'memory.db')), ...(await benchQuality()) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function benchRetrieval(path: string): Record<string, number> {
  const { memory, question } = makeWords();
  const memories = openMemories(path, { redact: (text) => text });
  try {
    const start = performance.now();
    for (let from = 0; from < memoriesCount; from += batchMemories)
      memories.add(Array.from({ length: batchMemories }, (_, n) => memory(from + n)));
    const addMs = performance.now() - start;
    for (let n = 0; n < warmUps; n++) memories.search(question());
    const [tookMs, workedMs, calmMs]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n < questionsCount; n++) {
      const asked = question();
      const { involuntaryContextSwitches: switches } = process.resourceUsage();
      const worked = process.cpuUsage();
      const before = performance.now();
      memories.search(asked);
      const took = performance.now() - before;
      const { user, system } = process.cpuUsage(worked);
      tookMs.push(took);
      workedMs.push((user + system) / 1_000);
      // Others on the machine did not take the core away meanwhile.
      if (process.resourceUsage().involuntaryContextSwitches === switches) calmMs.push(took);
    }
    return {
      'memory: added/s, 100,000 in batches': Math.round((memoriesCount / addMs) * 1_000),
      'memory: retrieval p50 ms of 100,000': at(tookMs, 0.5),
      'memory: retrieval p99 ms of 100,000': at(tookMs, 0.99),
      'memory: retrieval p99 ms of processor time': at(workedMs, 0.99),
      'memory: retrieval p99 ms where no other process cut in': at(calmMs, 0.99),
      'memory: share of questions where none cut in': round(calmMs.length / questionsCount),
    };
  } finally {
    memories.close();
  }
}

/** On the sets of the tests, which are read as a program because they belong to them. */
async function benchQuality(): Promise<Record<string, number>> {
  const file = resolve(import.meta.dirname, '../test/memory/measure.ts');
  const { measure } = (await import(pathToFileURL(file).href)) as {
    measure: (part: string) => { questions: number; ours: number; plain: number; oursFirst: number };
  };
  const figures = ['held-out', 'fresh', 'later', 'talk'].map((part) => {
    const { questions, ours, plain, oursFirst } = measure(part);
    const name = `memory: ${part}, ${questions} questions,`;
    return {
      [`${name} hit@5`]: ours,
      [`${name} hit@5 of plain bm25`]: plain,
      [`${name} first place`]: oursFirst,
      [`${name} points over plain bm25`]: Math.round((ours - plain) * 1_000) / 10,
    };
  });
  return Object.assign({}, ...figures) as Record<string, number>;
}

/** Sentences of common engineering words and of invented ones, of which few are frequent and most are rare. */
function makeWords(): { memory: (n: number) => NewMemory; question: () => string } {
  let seed = 7;
  const draw = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return seed / 0x8000_0000;
  };
  const pick = (list: readonly string[]): string => list[Math.floor(draw() * list.length)] as string;
  const invented = Array.from({ length: 20_000 }, (_, n) => `${syllables(n)}${n % 3 === 0 ? 'er' : ''}`);
  const word = (): string => invented[Math.floor(invented.length * draw() ** 3)] as string;
  return {
    memory: (n) => ({
      text: `The ${pick(services)} service ${pick(deeds)} ${pick(things)} ${Math.floor(draw() * 9_000)} when ${word()} ${word()} and ${word()} in ${word()}Handler for ${word()} ${word()}.`,
      at: firstAt + n * apartMs,
    }),
    question: () =>
      pick([
        `why does the ${pick(services)} service crash with ${pick(things)}`,
        `${word()} ${word()} ${pick(things)} ${pick(services)}`,
        `how do we deploy ${pick(services)} and restart ${pick(things)} after ${word()} failed last week`,
        `What port does ${pick(services)} use for ${word()} ${word()}?`,
      ]),
  };
}

function syllables(n: number): string {
  let rest = n + 17;
  let text = '';
  while (rest > 0) {
    text += `${'bcdfglmnprstv'[rest % 13]}${'aeiou'[Math.floor(rest / 13) % 5]}`;
    rest = Math.floor(rest / 65);
  }
  return text;
}

const at = (times: readonly number[], share: number): number =>
  round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN);
const round = (ms: number): number => Math.round(ms * 100) / 100;

if (import.meta.main) console.log(await benchMemory());
