import { z } from 'zod';
import { adviceSchema } from './advice.ts';
import { certificateSchema } from './certificate.ts';
import { inputSchema } from './input.ts';
import { actorSchema, runStateSchema, verdictSchema, waitingSchema } from './state.ts';
import { diffStatSchema } from './turn-facts.ts';

/** The facts behind a decision, small enough to read at a glance. */
export const summarySchema = z.object({
  turn: z.number().int(),
  lastTurn: z.enum(['completed', 'interrupted', 'failed']).nullable(),
  failure: z.string().nullable(),
  tree: z.string(),
  changed: z.array(z.string()),
  noProgressTurns: z.number().int(),
  items: z.number().int(),
  failedItems: z.number().int(),
  plan: z.string().nullable(),
  /** The steps of the plan, the first few. */
  planSteps: z.array(z.string().max(200)).max(20).optional(),
  /** What the last turn changed, and what it did by kind. */
  diff: diffStatSchema.optional(),
  itemKinds: z.record(z.string().max(30), z.number().int()).optional(),
  tokens: z.number().nullable(),
  money: z.number().nullable(),
  activeMs: z.number(),
  openGates: z.number().int(),
  denials: z.number().int(),
  compactions: z.number().int(),
  failuresInRow: z.number().int(),
  claim: z.string().nullable(),
  checks: z.string().nullable(),
  recent: z.array(z.string()),
});
export type Summary = z.infer<typeof summarySchema>;

/** A decision is data and says why. `to` is the state it leads to; `cause` names the limit or condition behind a pause or stop. */
export const decisionSchema = z.object({
  verdict: verdictSchema,
  rule: z.string(),
  because: z.string(),
  confidence: z.number().min(0).max(1),
  actor: actorSchema,
  to: runStateSchema,
  cause: z.string().optional(),
  waiting: waitingSchema.optional(),
  input: inputSchema.optional(),
  advice: adviceSchema.optional(),
  /** The evidence behind an end, or behind the question whether it is one. */
  certificate: certificateSchema.optional(),
  /** The cycle that begins with this decision, in a fresh session. */
  cycle: z.number().int().positive().optional(),
  /** Advice was given, and another rule decided. */
  overridden: z.boolean().optional(),
  summary: summarySchema,
});
export type Decision = z.infer<typeof decisionSchema>;
