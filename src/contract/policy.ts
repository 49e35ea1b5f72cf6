import { z } from 'zod';
import { guardConfigSchema } from './guard.ts';
import { approvalStrategySchema } from './strategy.ts';

const turns = z.number().int().min(1);
const ms = z.number().int().min(1);

/** Every limit a person may set. Names end in their unit; an absent budget means none. */
export const limitsSchema = z.strictObject({
  turnsMax: turns.default(200).describe('turns one run may take'),
  tokensMax: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('tokens of the agent, its sub-agents, reviews and our own model calls'),
  moneyMax: z
    .number()
    .positive()
    .optional()
    .describe('US dollars; on a subscription login this is API-equivalent'),
  activeHoursMax: z
    .number()
    .positive()
    .default(12)
    .describe('hours of work; paused and waiting time does not count'),
  until: z.number().optional().describe('wall time in ms after which no turn starts'),
  noProgressTurns: turns
    .default(3)
    .describe('turns without a result before one nudge; at twice that the run pauses'),
  sameErrorTimes: turns
    .default(3)
    .describe('turns in a row with the same class of error before the run pauses'),
  compactionsMax: turns.default(3).describe('compactions within the last 10 turns before the run pauses'),
  denialsMax: turns.default(3).describe('denied actions in one turn before the run pauses'),
  failuresMax: turns.default(5).describe('failed turns in a row before the run stops'),
  adviceMissesMax: turns
    .default(3)
    .describe('decisions in a row the decision model may miss before the run pauses'),
  expiriesMax: turns.default(3).describe('unanswered gates in a row before the run pauses'),
  turnSilenceMs: ms
    .default(1_800_000)
    .describe('silence of the agent, without a running child process, that ends a turn'),
  turnTotalMs: ms.default(14_400_000).describe('longest turn; a pending gate stops this clock'),
  backgroundWaitMs: ms
    .default(1_800_000)
    .describe('how long work that outlives its turn is waited for before the next prompt'),
  interruptGraceMs: ms
    .default(30_000)
    .describe('how long an interrupted turn may take to end before its agent is ended'),
  checkTimeoutMs: ms.default(900_000).describe('longest time one check may run'),
  cyclesMax: z.number().int().min(1).max(100).default(1).describe('context windows one run may use'),
  cycleTokensMax: z
    .number()
    .int()
    .min(1)
    .default(500_000)
    .describe('tokens one cycle of an autonomous run may take; a full context window ends it as well'),
  wrapUpAt: z
    .number()
    .gt(0)
    .max(1)
    .default(0.8)
    .describe(
      'share of a cycle, of its tokens or its context window, at which the agent is asked to wrap up',
    ),
  closingTurnsMax: turns.default(3).describe('turns a cycle may take after that'),
});
export type Limits = z.infer<typeof limitsSchema>;
export type LimitName = keyof Limits;

/** A change of some limits, without defaults: what it does not name stays as it is. */
export const limitsChangeSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(limitsSchema.shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodDefault ? field.unwrap() : field).optional(),
    ]),
  ),
) as unknown as z.ZodType<Partial<Limits>>;

/** Everything the rules read besides the run itself; recorded in full in the first entry. */
export const policySchema = z.strictObject({
  limits: limitsSchema.prefault({}),
  approvals: approvalStrategySchema
    .default('policy')
    .describe(
      'policy: allow what the guard allows, ask the rest · pause: ask everything · never-ask: only where the agent is sandboxed',
    ),
  gates: z
    .strictObject({
      timeoutMs: ms.default(1_800_000).describe('how long a question stays open'),
      whenUnanswered: z
        .enum(['deny', 'wait', 'stop'])
        .default('deny')
        .describe('what an expired question means'),
    })
    .prefault({}),
  advice: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .describe('ask the decision model after each turn that no rule decides'),
      answers: z
        .boolean()
        .default(false)
        .describe(
          'let the decision model answer the agent’s questions about its work; questions about secrets, permissions and irreversible actions are always yours',
        ),
      confidenceMin: z
        .number()
        .min(0)
        .max(1)
        .default(0.55)
        .describe('below this, advice only pauses the run'),
    })
    .prefault({}),
  review: z
    .enum(['never', 'before-completion', 'on-error'])
    .default('never')
    .describe(
      'when the work is reviewed · before-completion: when the checks have passed · on-error: after a failed turn, or when a check refused a second claim',
    ),
  guards: guardConfigSchema.prefault({}),
  recentDecisions: z
    .number()
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('decisions shown to the decision model'),
});
export type Policy = z.infer<typeof policySchema>;
