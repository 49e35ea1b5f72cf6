import { z } from 'zod';

export const runStateSchema = z.enum([
  'ready',
  'running',
  'deciding',
  'verifying',
  'waiting',
  'paused',
  'done',
  'stopped',
  'failed',
]);
export type RunState = z.infer<typeof runStateSchema>;

export const waitingOnSchema = z.enum([
  'approval',
  'input',
  'usage-limit',
  'backoff',
  'background',
  'provider',
  'agent',
  'foreign-turn',
  'summary',
  'turn-slot',
  /** In ledgers of policy version 2 and before, for the provider, the agent, a foreign turn and a summary alike. */
  'external',
]);
export type WaitingOn = z.infer<typeof waitingOnSchema>;

/** A waiting run always says what for and until when (null: until an answer arrives). */
export const waitingSchema = z.object({
  on: waitingOnSchema,
  until: z.number().nullable(),
  because: z.string().max(2_000),
});
export type Waiting = z.infer<typeof waitingSchema>;

/** Who caused the decision. */
export const actorSchema = z.enum(['person', 'rule', 'agent', 'world']);
export type Actor = z.infer<typeof actorSchema>;

export const verdictSchema = z.enum(['continue', 'wait', 'verify', 'review', 'pause', 'stop']);
export type Verdict = z.infer<typeof verdictSchema>;
