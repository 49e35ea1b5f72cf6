import { z } from 'zod';

const count = z.number().int().nonnegative();

/** Cumulative usage of one session, as the agent reports it. What the agent does not report is absent, never 0. */
export const usageSchema = z.object({
  totalTokens: count.optional(),
  inputTokens: count.optional(),
  cachedInputTokens: count.optional(),
  outputTokens: count.optional(),
  money: z.number().nonnegative().optional(),
});
export type Usage = z.infer<typeof usageSchema>;
