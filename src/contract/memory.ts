import { z } from 'zod';
import { memoryCharsMax, memoryNameCharsMax } from './constants.ts';

/** The type decides how fast a memory fades: a preference never, a mistake slowly, an observation first. */
export const memoryTypeSchema = z.enum(['fact', 'procedure', 'preference', 'mistake', 'observation']);
export type MemoryType = z.infer<typeof memoryTypeSchema>;

/** The built-in scopes: everything, this workspace, this agent. Any other text is a scope of its own. */
export const reservedScopes = ['global', 'workspace', 'agent'] as const;

const nameSchema = z.string().min(1).max(memoryNameCharsMax);

export const memorySchema = z.object({
  id: nameSchema,
  /** Without secrets: they are replaced by marks before it is written. */
  text: z.string().min(1).max(memoryCharsMax),
  type: memoryTypeSchema,
  scope: nameSchema,
  /** The run and entry it was learned from, as `run/seq`. */
  source: nameSchema.optional(),
  importance: z.number().min(0).max(1),
  /** When it was learned, wall clock in ms. */
  at: z.number(),
  /** The memory this one replaces; the replaced one is never found again. */
  supersedes: nameSchema.optional(),
  /** How often it was given to an agent. */
  accessed: z.number().int().nonnegative(),
});
export type Memory = z.infer<typeof memorySchema>;

/** A memory to be written. Defaults: a generated id, `observation`, `global`, 0.5, now. */
export const newMemorySchema = memorySchema
  .omit({ accessed: true })
  .partial({ id: true, type: true, scope: true, importance: true, at: true });
export type NewMemory = z.infer<typeof newMemorySchema>;

/** A memory as it is exported, with the reason if it is no longer found. */
export const keptMemorySchema = memorySchema.extend({
  supersededBy: nameSchema.optional(),
  forgotten: z.object({ at: z.number(), why: z.string() }).optional(),
});
export type KeptMemory = z.infer<typeof keptMemorySchema>;

/** One answer to a question. `why` explains every number that went into `score`. */
export const foundMemorySchema = memorySchema.extend({ score: z.number(), why: z.string() });
export type FoundMemory = z.infer<typeof foundMemorySchema>;
