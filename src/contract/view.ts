import { z } from 'zod';
import { verdictSchema } from './decision.ts';
import { runStateSchema, waitingOnSchema } from './state.ts';

export const gateViewSchema = z.object({
  id: z.string(),
  kind: z.enum(['approval', 'input', 'accept']),
  asks: z.string(),
  because: z.string(),
  digest: z.string(),
  askedAt: z.number(),
  expiresAt: z.number().nullable(),
});
export type GateView = z.infer<typeof gateViewSchema>;

/** The derived view of one run for people and scripts: `state.json`, `runs --json`, `status --json`. Never read back. */
export const runViewSchema = z.object({
  id: z.string(),
  state: runStateSchema,
  /** What people toggle: running, paused or stopped. */
  toggle: z.enum(['running', 'paused', 'stopped']),
  waitingOn: waitingOnSchema.nullable(),
  until: z.number().nullable(),
  because: z.string(),
  cause: z.string().nullable(),
  workspace: z.string(),
  agent: z.string(),
  mission: z.string(),
  turns: z.number().int(),
  turnsMax: z.number().int(),
  tokens: z.number().nullable(),
  tokensMax: z.number().nullable(),
  money: z.number().nullable(),
  activeMs: z.number(),
  plan: z.object({ done: z.number(), total: z.number(), current: z.string().nullable() }).nullable(),
  lastDecision: z
    .object({
      verdict: verdictSchema,
      rule: z.string(),
      because: z.string(),
      confidence: z.number(),
      at: z.number(),
    })
    .nullable(),
  gates: z.array(gateViewSchema),
  checks: z.array(z.object({ name: z.string(), outcome: z.string() })),
  createdAt: z.number(),
  updatedAt: z.number(),
  seq: z.number().int(),
});
export type RunView = z.infer<typeof runViewSchema>;
