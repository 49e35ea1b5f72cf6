import { z } from 'zod';
import { entryVersion } from './constants.ts';
import { decisionSchema } from './decision.ts';
import { effectSchema } from './effect.ts';
import { eventSchema } from './event.ts';
import { digestSchema } from './text.ts';

/** When something was received: wall time for people, monotonic time (ms since boot) for measuring. */
export const stampSchema = z.object({ at: z.number(), mono: z.number() });
export type Stamp = z.infer<typeof stampSchema>;

/** One event after ingest: stamped, without secrets. `cause` is the inbox row it came from. */
export const heardSchema = z.object({
  at: z.number(),
  mono: z.number(),
  cause: z.string().max(200).optional(),
  event: eventSchema,
});
export type StampedEvent = z.infer<typeof heardSchema>;

/** One row of the ledger: the event, the decision it led to, the effects to start. With a decision it is a receipt. */
export const entrySchema = heardSchema.extend({
  v: z.literal(entryVersion),
  run: z.string(),
  seq: z.number().int().positive(),
  decision: decisionSchema.optional(),
  effects: z.array(effectSchema).max(50).optional(),
  /** Recorded without changing anything: an outcome that is no longer awaited, a message for a run that has ended. */
  late: z.literal(true).optional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** An entry as stored: `json` is the exact text that was hashed, `prev` is inside it. */
export const storedEntrySchema = z.object({
  run: z.string(),
  seq: z.number().int(),
  json: z.string(),
  prev: z.string(),
  hash: digestSchema,
});
export type StoredEntry = z.infer<typeof storedEntrySchema>;
