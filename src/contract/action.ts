import { z } from 'zod';
import { digestSchema, textSchema } from './text.ts';

/** What the edge found out about the places and processes an action names. What is missing was not looked at. */
export const actionFactsSchema = z.object({
  paths: z
    .array(
      z.object({
        path: z.string().max(4_096),
        /** Where it leads once links are followed; null where that cannot be told. */
        real: z.string().max(4_096).nullable(),
        kind: z.enum(['file', 'folder', 'link', 'missing', 'unknown']),
      }),
    )
    .max(64),
  globs: z
    .array(
      z.object({
        glob: z.string().max(4_096),
        matches: z.array(z.string().max(4_096)).max(100),
        more: z.boolean(),
      }),
    )
    .max(16),
  processes: z
    .array(z.object({ pid: z.number().int(), own: z.boolean(), command: z.string().max(500) }))
    .max(16),
  /** A bound was reached: there is more than is said here. */
  incomplete: z.literal(true).optional(),
});
export type ActionFacts = z.infer<typeof actionFactsSchema>;

/** One thing an agent wants to do, rendered exactly as a person would be asked about it. */
export const actionSchema = z.object({
  kind: z.enum(['command', 'edit', 'tool', 'network', 'permission']),
  /** The command line, the diff, or the tool call with its arguments. */
  rendered: textSchema,
  /** Digest of the raw action, taken before secrets were removed: what an approval is bound to. */
  digest: digestSchema,
  cwd: z.string().max(4_096).optional(),
  /** Files an edit touches. */
  paths: z.array(z.string().max(4_096)).max(200).optional(),
  tool: z.string().max(200).optional(),
  facts: actionFactsSchema.optional(),
});
export type Action = z.infer<typeof actionSchema>;

export const guardVerdictSchema = z.enum(['allow', 'ask', 'forbid']);
export type GuardVerdict = z.infer<typeof guardVerdictSchema>;

/** A guard's verdict, always with its rule and reason; `never` marks the list that no setting can shrink. */
export const judgementSchema = z.object({
  verdict: guardVerdictSchema,
  rule: z.string(),
  because: z.string(),
  instead: z.string().optional(),
  effects: z.array(z.string()).max(50).optional(),
  never: z.boolean().optional(),
});
export type Judgement = z.infer<typeof judgementSchema>;

export const questionSchema = z.object({
  id: z.string().max(200),
  question: z.string().max(4_000),
  options: z.array(z.string().max(1_000)).max(50).optional(),
  secret: z.boolean().optional(),
});
export type Question = z.infer<typeof questionSchema>;
