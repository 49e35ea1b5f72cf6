import { z } from 'zod';
import { inputSchema } from './input.ts';
import { digestSchema, textSchema } from './text.ts';

const id = z.string().min(1).max(300);

/**
 * Everything the run may cause in the world. A decision lists effects; hands start them and never decide; what
 * came of each returns as `effect-ended`. Its id is `run/seq/n`, derived from the entry that caused it.
 */
export const effectSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-open'), resume: id.optional() }),
  z.object({ type: z.literal('session-close'), session: id, because: z.string().max(500) }),
  z.object({ type: z.literal('slot-request') }),
  z.object({ type: z.literal('turn-start'), session: id, dispatch: id, input: inputSchema }),
  z.object({ type: z.literal('turn-find'), session: id, dispatch: id }),
  z.object({ type: z.literal('turn-interrupt'), session: id, turn: id }),
  z.object({ type: z.literal('turn-steer'), session: id, turn: id, dispatch: id, input: inputSchema }),
  z.object({
    type: z.literal('request-answer'),
    session: id,
    request: id,
    answer: z.enum(['approve', 'deny', 'text']),
    because: z.string().max(2_000),
    /** The rule that answered, or `person`. */
    rule: z.string().max(200),
    text: z.string().max(16_384).optional(),
    gate: id.optional(),
    /** Digest of the action a person approved: what survives when the agent dies before it hears. */
    digest: digestSchema.optional(),
    /** The guard's never list spoke: an unsafe context. */
    never: z.boolean().optional(),
  }),
  /** Opens a question that waits for a person, and tells them once. */
  z.object({
    type: z.literal('gate-open'),
    gate: id,
    kind: z.enum(['approval', 'input', 'accept']),
    session: id.optional(),
    turn: id.optional(),
    request: id.optional(),
    asks: textSchema,
    digest: digestSchema,
    because: z.string().max(2_000),
    rule: z.string().max(200),
    never: z.boolean().optional(),
    /** Null: waits for ever. */
    expiresAt: z.number().nullable(),
  }),
  z.object({ type: z.literal('tree-read'), when: z.enum(['before-turn', 'after-turn']) }),
  z.object({
    type: z.literal('checks-run'),
    because: z.string().max(500),
    /** Before the first turn, or because completion was claimed (the default). */
    purpose: z.enum(['baseline', 'claim']).optional(),
  }),
  z.object({ type: z.literal('advice-ask'), turn: z.number().int() }),
  z.object({ type: z.literal('notify'), key: id, title: z.string().max(300), text: z.string().max(2_000) }),
  z.object({
    type: z.literal('timer-set'),
    timer: id,
    dueAt: z.number(),
    clock: z.enum(['wall', 'mono']),
    afterMs: z.number().nonnegative(),
  }),
  z.object({ type: z.literal('timer-cancel'), timer: id }),
]);
export type Effect = z.infer<typeof effectSchema>;
export type EffectType = Effect['type'];
export type EffectOf<T extends EffectType> = Extract<Effect, { type: T }>;
