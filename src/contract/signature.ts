import { z } from 'zod';
import { questionSchema } from './action.ts';
import type { Advice } from './advice.ts';
import { planStepSchema } from './turn-facts.ts';
import type { Usage } from './usage.ts';

/** A question to a model, with the types of its inputs and its answer. */
export interface Signature<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly instructions: string;
  readonly input: I;
  readonly output: O;
}

/** How every answer states its confidence. */
export const confidenceSchema = z.number().min(0).max(1).describe('how sure you are, from 0 to 1');

/** What the decision model is shown of the last turn. The names are those of the original design. */
export const decisionInputSchema = z.strictObject({
  thread_id: z.string(),
  turn_id: z.string(),
  last_turn_status: z.enum(['completed', 'interrupted', 'failed']),
  turn_error: z.string().nullable(),
  turn_plan: z
    .strictObject({
      done: z.number(),
      total: z.number(),
      current: z.string().nullable(),
      steps: z.array(planStepSchema).optional(),
    })
    .nullable(),
  /** Which results the last turn changed (files, commits, plan), and how many turns changed none. */
  diff_summary: z.strictObject({
    changed: z.array(z.string()),
    turns_without_change: z.number(),
    files: z.number().optional(),
    added: z.number().optional(),
    removed: z.number().optional(),
    paths: z.array(z.string()).optional(),
    items: z.record(z.string(), z.number()).optional(),
  }),
  token_usage: z.strictObject({
    tokens: z.number().nullable(),
    tokens_max: z.number().nullable(),
    money: z.number().nullable(),
  }),
  pending_approvals: z.array(z.string()),
  pending_tool_inputs: z.array(z.string()),
  recent_actions: z.array(z.string()),
  /** Numbers of the turns in which the agent compacted its history. */
  compaction_events: z.array(z.number()),
});
export type DecisionInput = z.infer<typeof decisionInputSchema>;

export const decisionOutputSchema = z.strictObject({
  action: z.enum(['continue', 'pause', 'stop', 'review']),
  next_input: z.string().nullable().describe('the next input for the agent, if it continues; else null'),
  reason: z.string().describe('one short sentence'),
  confidence: confidenceSchema,
});

/** Does the agent's last message say that the mission is finished? Not part of the original design. */
export const claimInputSchema = z.strictObject({ mission: z.string(), last_message: z.string() });
export const claimOutputSchema = z.strictObject({ claims_done: z.boolean(), confidence: confidenceSchema });

export const toolInputSchema = z.strictObject({
  questions: z.array(questionSchema.omit({ secret: true })).min(1),
  context: z.string(),
});
export const toolOutputSchema = z.strictObject({
  answers: z.array(
    z.strictObject({
      id: z.string(),
      answer: z.string().describe('one of the options, where there are any'),
    }),
  ),
  confidence: confidenceSchema,
});

/** A model's answers to an agent's questions, as parsed: the core decides whether they count. */
export const toolAdvisedSchema = z.object({
  answers: z
    .array(z.object({ id: z.string().max(200), answer: z.string().max(4_000) }))
    .max(20)
    .nullable(),
  confidence: z.number().min(0).max(1).nullable(),
  /** False when the answer contradicts itself. */
  isSure: z.boolean(),
  problems: z.array(z.string().max(500)).max(20),
  model: z.string().max(200),
});
export type ToolAdvised = z.infer<typeof toolAdvisedSchema> & { readonly usage?: Usage };
export type ToolAsked = z.infer<typeof toolInputSchema>;

/** All an advisor is shown; secrets have been removed. */
export const adviceFactsSchema = z.strictObject({
  decision: decisionInputSchema,
  mission: z.string(),
  lastMessage: z.string().nullable(),
  /** Completion is already claimed: the message need not be judged. */
  isClaimed: z.boolean(),
});
export type AdviceFacts = z.infer<typeof adviceFactsSchema>;

/** Advice and what it cost: `usage` counts only these calls. */
export type Advised = Advice & { readonly usage?: Usage };
