import { z } from 'zod';
import { digestSchema, textSchema } from './text.ts';

/** Something the host runs itself before it believes "finished". Fixed when the run is created. */
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

export const checkResultSchema = z.object({
  name: z.string(),
  command: z.string(),
  outcome: z.enum(['passed', 'failed', 'timed-out', 'not-run']),
  exitCode: z.number().int().nullable(),
  durationMs: z.number().nonnegative(),
  outputDigest: digestSchema,
  /** The end of the output: where test runners say what failed. */
  tail: textSchema,
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
