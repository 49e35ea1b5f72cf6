import { z } from 'zod';
import { actionSchema } from './action.ts';
import { agentFactsSchema } from './agent.ts';
import { runStateSchema, verdictSchema, waitingOnSchema } from './state.ts';
import { backgroundTaskSchema, planStepSchema } from './turn-facts.ts';

export const gateViewSchema = z.object({
  id: z.string(),
  kind: z.enum(['approval', 'input', 'accept']),
  asks: z.string(),
  because: z.string(),
  digest: z.string(),
  askedAt: z.number(),
  expiresAt: z.number().nullable(),
  rule: z.string().optional(),
  /** On the never list: only one action at a time. */
  never: z.boolean().optional(),
  /** Approved, it is done only after a savepoint. */
  destructive: z.boolean().optional(),
  action: actionSchema.shape.kind.optional(),
  effects: z.array(z.string()).optional(),
  instead: z.string().optional(),
  shapes: z.array(z.string()).optional(),
  options: z.array(z.string()).optional(),
});
export type GateView = z.infer<typeof gateViewSchema>;

/** The derived view of one run for people and scripts: `state.json`, `runs --json`, `status --json`. Never read back. */
export const runViewSchema = z.object({
  id: z.string(),
  state: runStateSchema,
  /** As a switch: running, paused or stopped. */
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
  plan: z
    .object({
      done: z.number(),
      total: z.number(),
      current: z.string().nullable(),
      steps: z.array(planStepSchema).optional(),
    })
    .nullable(),
  /** What still runs although its turn has ended. */
  background: z.array(backgroundTaskSchema).optional(),
  /** What is known of the agent since its session opened. */
  agentFacts: agentFactsSchema.optional(),
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
  /** Actions denied because nobody answered in time; they can still be approved for the next time. */
  unanswered: z.array(gateViewSchema).optional(),
  /** Shapes of actions a person allowed for this run, by the question they answered, and how often each was used. */
  shapes: z.array(z.object({ shape: z.string(), gate: z.string(), times: z.number().int() })).optional(),
  /** Which cycle of how many, and how full it is; absent in mode `once`. 0 before the first. */
  cycle: z.object({ n: z.number().int(), max: z.number().int(), full: z.number().nullable() }).optional(),
  /** The run's task queue in numbers; absent where it has none. */
  tasks: z
    .object({
      open: z.number().int(),
      blocked: z.number().int(),
      done: z.number().int(),
      total: z.number().int(),
    })
    .optional(),
  checks: z.array(z.object({ name: z.string(), outcome: z.string() })),
  createdAt: z.number(),
  updatedAt: z.number(),
  seq: z.number().int(),
});
export type RunView = z.infer<typeof runViewSchema>;
