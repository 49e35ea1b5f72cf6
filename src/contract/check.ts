import { z } from 'zod';
import { digestSchema, textSchema } from './text.ts';

/** A command the host runs itself before it accepts "finished". Fixed when the run is created. */
export const checkSchema = z.object({
  name: z.string().min(1).max(200),
  /** Run by `sh -c` in `cwd`. */
  command: z.string().min(1).max(4_000),
  /** Relative to the workspace. */
  cwd: z.string().max(4_096).default('.'),
  /** Why we run it: `config`, or what was detected. */
  source: z.string().max(400),
});
export type Check = z.infer<typeof checkSchema>;

const count = z.number().int().nonnegative();

/** How many tests a run counted. Expected failures and todos count as skipped, errors as failed. */
export const countsSchema = z.object({ passed: count, failed: count, skipped: count, total: count });
export type Counts = z.infer<typeof countsSchema>;

/** What a coverage report says: covered of total, and the percentage, truncated, never rounded up: 79.99 is not 80. */
export const coverageSchema = z.object({
  covered: count,
  total: count,
  percent: z.number().min(0).max(100),
  /** Go counts statements; everyone else lines. */
  unit: z.enum(['lines', 'statements']),
  format: z.enum(['coverage-summary', 'lcov', 'cobertura', 'go-cover']),
  /** The report, relative to the workspace. */
  path: z.string().max(4_096).optional(),
});
export type Coverage = z.infer<typeof coverageSchema>;

export const checkResultSchema = z.object({
  name: z.string(),
  command: z.string(),
  outcome: z.enum(['passed', 'failed', 'timed-out', 'not-run']),
  exitCode: z.number().int().nullable(),
  durationMs: z.number().nonnegative(),
  outputDigest: digestSchema,
  /** The end of the output: where test runners say what failed. */
  tail: textSchema,
  /** Why the outcome is not what the exit code alone says, or what else a reader must know. */
  because: z.string().max(500).optional(),
  /** Absent when the output does not say for sure. */
  counts: countsSchema.optional(),
  /** Absent when this run wrote no report. */
  coverage: coverageSchema.optional(),
  /** It failed first and passed when it was run again. */
  flaky: z.boolean().optional(),
  /** How often it was run, when more than once. */
  runs: z.number().int().positive().optional(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

/** A git tree id of the workspace, or `unknown`, which is neither progress nor fresh. */
export const treeSchema = z.object({
  tree: z.union([z.literal('unknown'), z.string().regex(/^[0-9a-f]{40,64}$/)]),
  /** The commit HEAD points to; null in a folder without commits. */
  head: z.string().nullable(),
  because: z.string().max(500).optional(),
});
export type Tree = z.infer<typeof treeSchema>;
