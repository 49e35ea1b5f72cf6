import { z } from 'zod';
import { checkResultSchema } from './check.ts';
import { openTasksMax } from './constants.ts';

/** A change to the proof itself since the baseline: tests, snapshots, how tests run, CI. */
export const alterationSchema = z.object({
  path: z.string().max(4_096),
  part: z.enum(['tests', 'snapshots', 'test config', 'scripts', 'CI', 'counts']),
  what: z.string().max(300),
});
export type Alteration = z.infer<typeof alterationSchema>;

/** The checks as they were before the first turn: what "not made worse" is measured against. */
export const baselineSchema = z.object({ results: z.array(checkResultSchema).max(50), tree: z.string() });
export type Baseline = z.infer<typeof baselineSchema>;

/**
 * The evidence that a mission is finished. `certified` only on evidence we gathered ourselves; `asks` names what a
 * person must look at first; `refused` is what still fails.
 */
export const certificateSchema = z.object({
  verdict: z.enum(['certified', 'asks', 'refused']),
  because: z.array(z.string().max(500)).max(50),
  claim: z.object({ via: z.string(), text: z.string().max(500) }).nullable(),
  checks: z
    .array(
      z.object({
        name: z.string(),
        command: z.string(),
        outcome: z.string(),
        exitCode: z.number().nullable(),
        outputDigest: z.string(),
        counts: z.string().nullable(),
        atBaseline: z.string().nullable(),
        flaky: z.boolean(),
        coverage: z.string().nullable(),
      }),
    )
    .max(50),
  /** The tree the checks ran on; `fresh` when it is still the tree now, but for what the checks themselves wrote. */
  tree: z.string(),
  fresh: z.boolean(),
  wrote: z.array(z.string().max(4_096)).max(100),
  altered: z.array(alterationSchema).max(100),
  acceptedBy: z.string().max(200).nullable(),
  /** Tasks of the run's queue that nobody called done, by id: the first few. Absent where none is open. */
  openTasks: z.array(z.string().max(64)).max(openTasksMax).optional(),
});
export type Certificate = z.infer<typeof certificateSchema>;
