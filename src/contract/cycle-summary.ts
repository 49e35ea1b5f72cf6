import { z } from 'zod';
import { cycleFactKindSchema } from './cycle.ts';
import { memoryTypeSchema } from './memory.ts';

/** What the summarising model is shown of a cycle: its facts, and memories that may no longer be true. */
export const cycleSummaryInputSchema = z.strictObject({
  mission: z.string(),
  cycle: z.number().int(),
  facts: z.array(
    z.strictObject({
      /** The entry that recorded it: the evidence of what is learned from it. */
      entry: z.number().int(),
      kind: cycleFactKindSchema,
      /** Whether it succeeded; null where that does not apply or is unknown. */
      ok: z.boolean().nullable(),
      text: z.string(),
      result: z.string().nullable(),
    }),
  ),
  facts_left_out: z.number().int(),
  tasks: z.string(),
  known_memories: z.array(z.strictObject({ id: z.string(), type: memoryTypeSchema, text: z.string() })),
});
export type CycleSummaryInput = z.infer<typeof cycleSummaryInputSchema>;

export const cycleSummaryOutputSchema = z.strictObject({
  summary: z.string().describe('at most five sentences: what was done, what is left, what to do next'),
  memories: z.array(
    z.strictObject({
      type: memoryTypeSchema,
      text: z.string().min(1).describe('one sentence that can be understood on its own'),
      entry: z.number().int().describe('the entry of the fact that shows it'),
      importance: z.number().min(0).max(1).nullable().describe('0 to 1: how much it matters later'),
      scope: z.enum(['workspace', 'global']).nullable().describe('global only if it holds in every project'),
      supersedes: z.string().nullable().describe('id of the known memory that this makes untrue, or null'),
    }),
  ),
});
