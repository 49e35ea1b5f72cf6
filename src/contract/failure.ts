import { z } from 'zod';

/**
 * What went wrong, in the kinds the rules distinguish. `usage-limit` waits for its reset; `unreachable` and `overloaded`
 * are outages; `auth`, `setup` and `gone` cannot be cured by another turn; the rest are errors of the provider or the
 * agent and are tried again.
 */
export const failureKindSchema = z.enum([
  'usage-limit',
  'unreachable',
  'overloaded',
  'rate-limited',
  'server-error',
  'stream-cut',
  'context-full',
  'crashed',
  'silent',
  'overlong',
  'auth',
  'setup',
  'gone',
  'refused',
  'other',
]);
export type FailureKind = z.infer<typeof failureKindSchema>;

export const failureSchema = z.object({
  kind: failureKindSchema,
  message: z.string().max(2_000),
  /** Wall time in ms at which a usage limit resets, when the provider said so. */
  resetAt: z.number().optional(),
  /** The agent's own name for it. */
  raw: z.string().max(2_000).optional(),
});
export type Failure = z.infer<typeof failureSchema>;
