import { z } from 'zod';
import { actionSchema, questionSchema } from './action.ts';
import { actionCharsMax, gateListMax } from './constants.ts';
import { guardEffectKindSchema } from './guard.ts';
import { inputSchema } from './input.ts';
import { digestSchema, textSchema } from './text.ts';

const id = z.string().min(1).max(300);

const line = z.string().max(300);

/**
 * Everything a run can do outside itself. A decision lists effects; handlers carry them out and never decide; each
 * outcome returns as `effect-ended`. Its id is `run/seq/n`, derived from the entry that caused it.
 */
export const effectSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-open'), resume: id.optional() }),
  /** `keep`: leaves a session that outlives us, instead of ending it. `attach`: it was left before, and is ended now. */
  z.object({
    type: z.literal('session-close'),
    session: id,
    because: z.string().max(500),
    keep: z.literal(true).optional(),
    attach: z.literal(true).optional(),
  }),
  /** A fresh context in the same session. */
  z.object({ type: z.literal('session-renew'), session: id }),
  z.object({ type: z.literal('slot-request') }),
  z.object({ type: z.literal('turn-start'), session: id, dispatch: id, input: inputSchema }),
  /** The agent's own review of the work so far; otherwise a turn like any other. */
  z.object({ type: z.literal('review-start'), session: id, dispatch: id, input: inputSchema }),
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
    /** An answer to each question, where they are several. */
    answers: z
      .array(z.object({ id: z.string().max(200), answer: z.string().max(4_000) }))
      .max(20)
      .optional(),
    gate: id.optional(),
    /** Digest of the action a person approved: kept if the agent dies before it receives the answer. */
    digest: digestSchema.optional(),
    /** The action is on the never list: an unsafe context. */
    never: z.boolean().optional(),
    /** What was denied, so that the next input can say so. */
    action: z.string().max(actionCharsMax).optional(),
  }),
  /** Keeps the files as they are; the approval it precedes is sent only after that. */
  z.object({
    type: z.literal('savepoint'),
    name: z.string().max(200),
    because: z.string().max(500),
    approves: z.object({
      session: id,
      /** Absent where a sub-agent asked, whose question belongs to no turn. */
      turn: id.optional(),
      request: id,
      because: z.string().max(500),
      rule: z.string().max(200),
      digest: digestSchema,
      gate: id.optional(),
      action: z.string().max(actionCharsMax),
    }),
  }),
  /** Opens a question to a person, and notifies them once. */
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
    /** What kind of action is asked about. */
    action: actionSchema.shape.kind.optional(),
    /** What the guard found, as `kind: what`. */
    effects: z.array(line).max(gateListMax).optional(),
    instead: z.string().max(500).optional(),
    /** Approved, it is done only after a savepoint. */
    destructive: z.boolean().optional(),
    /** Kinds of effect the guard found; an allowed shape covers these and no others. */
    kinds: z.array(guardEffectKindSchema).max(100).optional(),
    /** Shapes a person may allow for this run; absent where only one action at a time may be allowed. */
    shapes: z.array(line).max(gateListMax).optional(),
    /** Answers the agent offers. */
    options: z.array(z.string().max(1_000)).max(50).optional(),
    /** Null: never expires. */
    expiresAt: z.number().nullable(),
  }),
  z.object({ type: z.literal('tree-read'), when: z.enum(['before-turn', 'after-turn']) }),
  z.object({
    type: z.literal('checks-run'),
    because: z.string().max(500),
    /** Before the first turn, because completion was claimed (the default), or because tasks were reported done. */
    purpose: z.enum(['baseline', 'claim', 'task']).optional(),
  }),
  z.object({ type: z.literal('advice-ask'), turn: z.number().int() }),
  /** Distils a cycle that is over and recalls what the next one should know; cycle 0 has nothing to distil. */
  z.object({ type: z.literal('summarise'), cycle: z.number().int().nonnegative() }),
  /** Asks the decision model to answer the agent's questions. */
  z.object({
    type: z.literal('input-advise'),
    session: id,
    turn: id.optional(),
    request: id,
    questions: z.array(questionSchema).min(1).max(20),
    digest: digestSchema,
  }),
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
