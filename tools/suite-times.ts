import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { readJson } from './counts.ts';

const root = resolve(import.meta.dirname, '..');
export const reportsFolder = join(root, 'build/reports');

const reportSchema = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});

export interface SuiteTime {
  /** The folder of the files: `test/store`, `src/core`. */
  readonly suite: string;
  readonly seconds: number;
  readonly files: number;
}

/** What the files of each suite took, by the vitest reports in a folder; the longest first. */
export function suiteTimes(folder: string): readonly SuiteTime[] {
  const files = readdirSync(folder)
    .map((name) => reportSchema.safeParse(readJson(join(folder, name))))
    .flatMap(({ data }) => data?.testResults ?? []);
  const bySuite = Map.groupBy(files, ({ name }) => relative(root, name).split('/').slice(0, 2).join('/'));
  return [...bySuite]
    .map(([suite, of]) => ({
      suite,
      seconds: of.reduce((all, { startTime, endTime }) => all + (endTime - startTime) / 1_000, 0),
      files: of.length,
    }))
    .sort((a, b) => b.seconds - a.seconds);
}
