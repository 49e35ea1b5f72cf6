import { z } from 'zod';
import { deniedMax, memoriesMax, queueCharsMax, recalledCharsMax, summaryCharsMax } from './constants.ts';
import { textSchema } from './text.ts';

/** An action that was not allowed, and why. */
export const deniedActionSchema = z.object({ rendered: z.string().max(500), because: z.string().max(500) });
export type DeniedAction = z.infer<typeof deniedActionSchema>;

/** Why a review is requested: before "finished" is accepted, after an error, or because it was advised. */
export const reviewOfSchema = z.enum(['completion', 'error', 'advice']);
export type ReviewOf = z.infer<typeof reviewOfSchema>;

/**
 * What the next prompt is made of. Rules choose the parts; they are rendered to text when the turn starts. Parts are
 * facts, so a replay decides them again; the rendered prompt is a body. An error text is never a part.
 */
export const inputPartSchema = z.discriminatedUnion('part', [
  z.object({ part: z.literal('mission') }),
  z.object({ part: z.literal('steer'), texts: z.array(textSchema).max(20) }),
  z.object({
    part: z.literal('evidence'),
    check: z.string(),
    command: z.string(),
    exitCode: z.number().nullable(),
    tail: textSchema,
    /** Why it counts as not passed, where the exit code alone does not say. */
    because: z.string().max(2_000).optional(),
  }),
  z.object({ part: z.literal('nudge'), turns: z.number().int(), unchanged: z.array(z.string()).max(10) }),
  /** Not every agent can receive a reason together with a denial. */
  z.object({ part: z.literal('denied'), actions: z.array(deniedActionSchema).min(1).max(deniedMax) }),
  z.object({ part: z.literal('ask-status') }),
  /** `of`: why it is requested, where its answer is read as a review. */
  z.object({ part: z.literal('review'), of: reviewOfSchema.optional() }),
  /** The findings of a review; `count` is null where they cannot be counted. */
  z.object({ part: z.literal('findings'), text: textSchema, count: z.number().int().nullable() }),
  z.object({ part: z.literal('recovery') }),
  /** Work of an earlier turn that still runs although it was waited for. */
  z.object({ part: z.literal('background'), tasks: z.array(z.string().max(300)).min(1).max(20) }),
  z.object({ part: z.literal('advised'), text: textSchema }),
  /** What a fresh session must know: its cycle, the summary of the last, recalled memories, open tasks. */
  z.object({
    part: z.literal('cycle'),
    cycle: z.number().int().positive(),
    of: z.number().int().positive(),
    summary: z.string().max(summaryCharsMax),
    memories: z.array(z.string().max(recalledCharsMax)).max(memoriesMax + 1),
    tasks: z.string().max(queueCharsMax),
  }),
  /** The cycle is nearly full: announced once, with the closing turns that are left. */
  z.object({
    part: z.literal('wrap-up'),
    cycle: z.number().int().positive(),
    of: z.number().int().positive(),
    percent: z.number().int(),
    turns: z.number().int().positive(),
  }),
  z.object({ part: z.literal('closing'), turns: z.number().int().positive() }),
]);
export type InputPart = z.infer<typeof inputPartSchema>;

export const inputSchema = z.object({ parts: z.array(inputPartSchema).min(1).max(20) });
export type Input = z.infer<typeof inputSchema>;
