import { z } from 'zod';
import { textSchema } from './text.ts';

/**
 * A model's typed opinion, leniently parsed at the edge. `confidence: null` means it was missing, not a number or out of
 * range; `problems` lists what the parser had to tolerate.
 */
export const adviceSchema = z.object({
  action: z.enum(['continue', 'pause', 'stop', 'review', 'unknown']),
  claimsDone: z.boolean().optional(),
  nextInput: textSchema.optional(),
  reason: z.string().max(2_000),
  confidence: z.number().min(0).max(1).nullable(),
  problems: z.array(z.string().max(500)).max(20),
  model: z.string().max(200).optional(),
  raw: textSchema.optional(),
});
export type Advice = z.infer<typeof adviceSchema>;
