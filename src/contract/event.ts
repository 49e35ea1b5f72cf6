import { z } from 'zod';
import { actionSchema, questionSchema } from './action.ts';
import { adviceSchema } from './advice.ts';
import { agentFactsSchema, openedFactsSchema } from './agent.ts';
import { alterationSchema } from './certificate.ts';
import { checkResultSchema, checkSchema, treeSchema } from './check.ts';
import { cycleOutcomeShape } from './cycle.ts';
import { failureSchema } from './failure.ts';
import { siteSchema } from './guard.ts';
import { limitsChangeSchema, policySchema } from './policy.ts';
import { toolAdvisedSchema } from './signature.ts';
import { taskWriteSchema, workingNoteSchema, writerSchema } from './task.ts';
import { digestSchema, textSchema } from './text.ts';
import { backgroundTaskSchema, diffStatSchema, planStepSchema } from './turn-facts.ts';
import { usageSchema } from './usage.ts';

const id = z.string().min(1).max(300);
const by = z.string().max(200);
/** Where an agent's event belongs: its session and, inside one, its turn. */
const ofSession = { session: id };
const ofTurn = { session: id, turn: id };

/** Who inside the agent this comes from, where it is not the agent itself. */
const subagent = z.object({ id, label: z.string().max(300).optional() }).optional();

/** The outcome of a started effect, by effect type. An external failure is an outcome like any other. */
export const outcomeSchema = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('session-open'),
    session: id.optional(),
    failure: failureSchema.optional(),
    /** What was found out by opening it. */
    agent: openedFactsSchema.optional(),
  }),
  z.object({ of: z.literal('session-renew'), session: id.optional(), failure: failureSchema.optional() }),
  z.object({ of: z.literal('session-close') }),
  z.object({ of: z.literal('slot-request') }),
  z.object({ of: z.literal('turn-start'), turn: id.optional(), failure: failureSchema.optional() }),
  z.object({ of: z.literal('review-start'), turn: id.optional(), failure: failureSchema.optional() }),
  z.object({
    of: z.literal('turn-find'),
    found: z.enum(['running', 'ended', 'absent', 'unknown']),
    turn: id.optional(),
    status: z.enum(['completed', 'interrupted', 'failed']).optional(),
    message: textSchema.optional(),
    failure: failureSchema.optional(),
  }),
  z.object({ of: z.literal('turn-interrupt'), ok: z.boolean() }),
  z.object({ of: z.literal('turn-steer'), ok: z.boolean() }),
  z.object({ of: z.literal('request-answer'), ok: z.boolean() }),
  z.object({ of: z.literal('savepoint'), ok: z.boolean(), because: z.string().max(500).optional() }),
  z.object({
    of: z.literal('tree-read'),
    tree: treeSchema,
    /** What the turn changed, where it can be told. */
    diff: diffStatSchema.optional(),
  }),
  z.object({
    of: z.literal('checks-run'),
    results: z.array(checkResultSchema).max(50),
    before: treeSchema,
    after: treeSchema,
    /** Paths the checks themselves wrote. */
    wrote: z.array(z.string().max(4_096)).max(100).optional(),
    /** How the proof itself differs from the baseline. */
    altered: z.array(alterationSchema).max(100).optional(),
  }),
  z.object({
    of: z.literal('advice-ask'),
    advice: adviceSchema.optional(),
    failure: failureSchema.optional(),
    /** What asking cost, answered or not; only these calls. */
    usage: usageSchema.optional(),
  }),
  z.object({
    of: z.literal('summarise'),
    ...cycleOutcomeShape,
    /** The summary for the next cycle. */
    summary: textSchema,
    usage: usageSchema.optional(),
  }),
  z.object({
    of: z.literal('input-advise'),
    advised: toolAdvisedSchema.optional(),
    failure: failureSchema.optional(),
    usage: usageSchema.optional(),
  }),
  z.object({ of: z.literal('gate-open'), ok: z.boolean() }),
  z.object({ of: z.literal('notify'), ok: z.boolean() }),
  z.object({ of: z.literal('timer-set') }),
  z.object({ of: z.literal('timer-cancel') }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** Everything that can happen to a run. Nothing else changes it. Names are noun-verb. */
export const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run-created'),
    mission: textSchema,
    workspace: z.string().max(4_096),
    agent: agentFactsSchema,
    policyVersion: z.number().int().positive(),
    policy: policySchema,
    configDigest: digestSchema,
    checks: z.array(checkSchema).max(50),
    mode: z.enum(['once', 'autonomous']),
    /** Absent in a ledger written without it: the guard then knows nothing about the machine and asks. */
    site: siteSchema.optional(),
    /** How the agent is started, in the adapter's own format; no rule reads it. */
    setup: z.record(z.string().max(100), z.string().max(16_384)),
    by,
  }),
  z.object({
    type: z.literal('keeper-started'),
    epoch: z.number().int(),
    pid: z.number().int(),
    host: z.string().max(300),
    version: z.string().max(100),
    /** From here on newer rules judge the run: versions of the policy. */
    policyUpgrade: z
      .object({ from: z.number().int().positive(), to: z.number().int().positive() })
      .optional(),
  }),
  z.object({ type: z.literal('keeper-ended'), because: z.string().max(500) }),
  z.object({ type: z.literal('limits-changed'), limits: limitsChangeSchema, by }),

  z.object({
    type: z.literal('person-asked'),
    ask: z.enum(['stop', 'off', 'pause', 'resume']),
    now: z.boolean().optional(),
    by,
  }),
  z.object({ type: z.literal('steer-given'), text: textSchema, by }),
  z.object({
    type: z.literal('gate-answered'),
    gate: id,
    answer: z.enum(['approve', 'deny', 'text']),
    text: textSchema.optional(),
    digest: digestSchema.optional(),
    /** An approval that also counts for later actions of the same shape, in this run alone. */
    shape: z.literal(true).optional(),
    by,
  }),

  /** Somebody writes to the queue of an autonomous run. What is refused is recorded and changes nothing. */
  z.object({ type: z.literal('task-written'), write: taskWriteSchema, from: writerSchema, by }),
  /** Working memory of an autonomous run. */
  z.object({ type: z.literal('memory-noted'), note: workingNoteSchema, from: writerSchema, by }),

  z.object({ type: z.literal('session-ended'), ...ofSession, failure: failureSchema.optional() }),
  /** The same conversation under a new id: cleared, forked, compacted or resumed. */
  z.object({
    type: z.literal('session-changed'),
    ...ofSession,
    to: id,
    because: z.enum(['clear', 'fork', 'compact', 'resume']),
  }),
  /** All that still runs although its turn may have ended; the whole list each time. */
  z.object({
    type: z.literal('background-changed'),
    ...ofSession,
    tasks: z.array(backgroundTaskSchema).max(50),
  }),
  z.object({
    type: z.literal('turn-started'),
    ...ofTurn,
    dispatch: id.optional(),
    /** Why a turn began that we did not dispatch; absent where that is not known. */
    origin: z.enum(['background', 'person', 'agent']).optional(),
  }),
  z.object({
    type: z.literal('turn-ended'),
    ...ofTurn,
    dispatch: id.optional(),
    status: z.enum(['completed', 'interrupted', 'failed']),
    failure: failureSchema.optional(),
    message: textSchema.optional(),
  }),
  z.object({ type: z.literal('turn-silent'), ...ofTurn, silentMs: z.number().nonnegative() }),
  z.object({
    type: z.literal('item-ended'),
    ...ofTurn,
    item: id,
    kind: z.enum(['message', 'command', 'edit', 'tool', 'reasoning', 'person', 'other']),
    outcome: z.enum(['ok', 'failed', 'declined', 'unknown']),
    label: z.string().max(1_000),
    exitCode: z.number().int().nullable().optional(),
    body: digestSchema.optional(),
    subagent,
  }),
  z.object({
    type: z.literal('plan-changed'),
    ...ofTurn,
    digest: digestSchema,
    done: z.number().int(),
    total: z.number().int(),
    current: z.string().max(500).optional(),
    steps: z.array(planStepSchema).max(100).optional(),
  }),
  z.object({
    type: z.literal('usage-reported'),
    ...ofSession,
    usage: usageSchema,
    windowTokens: z.number().int().positive().optional(),
    /** How much of the context window the conversation currently fills. */
    contextTokens: z.number().int().nonnegative().optional(),
    subagent,
  }),
  z.object({
    type: z.literal('status-reported'),
    ...ofTurn,
    status: z.enum(['done', 'blocked', 'waiting']),
    text: textSchema,
  }),
  z.object({ type: z.literal('compaction-seen'), ...ofTurn }),
  z.object({ type: z.literal('error-seen'), ...ofTurn, failure: failureSchema, willRetry: z.boolean() }),
  z.object({
    type: z.literal('limit-seen'),
    ...ofSession,
    resetAt: z.number().nullable(),
    because: z.string().max(500),
  }),
  z.object({ type: z.literal('mode-raised'), ...ofSession, mode: z.string().max(200) }),
  z.object({ type: z.literal('approval-asked'), ...ofTurn, request: id, action: actionSchema, subagent }),
  z.object({
    type: z.literal('input-asked'),
    ...ofTurn,
    request: id,
    questions: z.array(questionSchema).min(1).max(20),
    digest: digestSchema,
    subagent,
  }),
  z.object({ type: z.literal('request-withdrawn'), ...ofSession, request: id }),
  z.object({
    type: z.literal('unreadable'),
    source: z.string().max(200),
    because: z.string().max(1_000),
    sample: z.string().max(2_000),
    body: digestSchema.optional(),
  }),

  z.object({ type: z.literal('timer-fired'), timer: id, effect: id }),
  /** `countedMs` is the part of the sleep that monotonic time counted; 0 where it stops during sleep. */
  z.object({
    type: z.literal('sleep-detected'),
    sleptMs: z.number().nonnegative(),
    countedMs: z.number().nonnegative(),
  }),
  z.object({
    type: z.literal('effect-ended'),
    effect: id,
    outcome: outcomeSchema,
    body: digestSchema.optional(),
  }),
]);
export type Event = z.infer<typeof eventSchema>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
