import { z } from 'zod';

/**
 * What went wrong, as the rules tell failures apart.
 * `usage-limit` waits for its reset; `unreachable` and `overloaded` are the world being away; `auth`, `setup` and
 * `gone` cannot be cured by another turn; the rest was answered by provider or agent and is tried again.
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
  /** The agent's own word for it, kept beside ours. */
  raw: z.string().max(2_000).optional(),
});
export type Failure = z.infer<typeof failureSchema>;
