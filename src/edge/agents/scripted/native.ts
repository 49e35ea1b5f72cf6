import { z } from 'zod';
import { backgroundTaskSchema, failureSchema, questionSchema, usageSchema } from '../../../contract/index.ts';

const id = z.string();
const subagent = z.object({ id }).optional();

/** What we send to the scripted agent: one JSON object per line. */
export const orderSchema = z.discriminatedUnion('order', [
  z.object({ order: z.literal('turn'), dispatch: id, prompt: z.string() }),
  z.object({ order: z.literal('steer'), dispatch: id, prompt: z.string() }),
  z.object({ order: z.literal('interrupt') }),
  z.object({
    order: z.literal('answer'),
    request: id,
    answer: z.enum(['approve', 'deny', 'text']),
    because: z.string(),
    text: z.string().optional(),
  }),
  z.object({ order: z.literal('find'), dispatch: id }),
]);
export type Order = z.infer<typeof orderSchema>;

/** What it sends to us. */
export const wordSchema = z.discriminatedUnion('word', [
  z.object({ word: z.literal('ready'), session: id }),
  z.object({ word: z.literal('started'), turn: id, dispatch: id }),
  z.object({ word: z.literal('steered'), dispatch: id, refused: z.literal(true).optional() }),
  z.object({ word: z.literal('background'), tasks: z.array(backgroundTaskSchema) }),
  z.object({ word: z.literal('session'), to: id, because: z.enum(['clear', 'fork', 'compact', 'resume']) }),
  z.object({ word: z.literal('delta'), text: z.string() }),
  z.object({
    word: z.literal('item'),
    turn: id,
    item: id,
    kind: z.enum(['message', 'command', 'edit', 'tool']),
    outcome: z.enum(['ok', 'failed', 'declined']),
    label: z.string(),
    exitCode: z.number().nullable().optional(),
    output: z.string().optional(),
    subagent,
  }),
  z.object({
    word: z.literal('plan'),
    turn: id,
    steps: z.array(z.object({ step: z.string(), status: z.enum(['pending', 'in-progress', 'completed']) })),
  }),
  z.object({ word: z.literal('usage'), usage: usageSchema }),
  z.object({ word: z.literal('compacted'), turn: id }),
  z.object({
    word: z.literal('report'),
    turn: id,
    status: z.enum(['done', 'blocked', 'waiting']),
    evidence: z.string(),
  }),
  z.object({
    word: z.literal('approval'),
    turn: id,
    request: id,
    kind: z.enum(['command', 'edit']),
    rendered: z.string(),
    paths: z.array(z.string()).optional(),
    subagent,
  }),
  z.object({ word: z.literal('question'), turn: id, request: id, questions: z.array(questionSchema) }),
  z.object({
    word: z.literal('ended'),
    turn: id,
    dispatch: id,
    status: z.enum(['completed', 'interrupted', 'failed']),
    message: z.string().optional(),
    failure: failureSchema.optional(),
  }),
  z.object({
    word: z.literal('found'),
    dispatch: id,
    found: z.enum(['running', 'ended', 'absent']),
    turn: id.optional(),
    status: z.enum(['completed', 'interrupted', 'failed']).optional(),
    message: z.string().optional(),
  }),
]);
export type Word = z.infer<typeof wordSchema>;
