import { z } from 'zod';

/** Work that outlives its turn. */
export const backgroundTaskSchema = z.object({
  id: z.string().min(1).max(300),
  kind: z.enum(['shell', 'agent', 'timer']),
  label: z.string().max(300),
});
export type BackgroundTask = z.infer<typeof backgroundTaskSchema>;

export const diffStatPathsMax = 20;
export const diffStatPathCharsMax = 300;

/** What changed between two trees, in numbers and the first few paths. */
export const diffStatSchema = z.object({
  files: z.number().int().nonnegative(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  paths: z.array(z.string().max(diffStatPathCharsMax)).max(diffStatPathsMax),
});
export type DiffStat = z.infer<typeof diffStatSchema>;

export const planStepSchema = z.object({
  text: z.string().max(500),
  status: z.enum(['pending', 'active', 'done']),
});
export type PlanStep = z.infer<typeof planStepSchema>;
