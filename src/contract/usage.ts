import { z } from 'zod';

const count = z.number().int().nonnegative();

/** Cumulative use of one session, as the agent reports it. A part the agent does not tell is absent, never 0. */
export const usageSchema = z.object({
  totalTokens: count.optional(),
  inputTokens: count.optional(),
  cachedInputTokens: count.optional(),
  outputTokens: count.optional(),
  money: z.number().nonnegative().optional(),
});
export type Usage = z.infer<typeof usageSchema>;
