import { z } from 'zod';
import {
  cycleFactCharsMax,
  cycleFactsMax,
  cycleMemoriesMax,
  memoriesMax,
  memoryNameCharsMax,
  queueCharsMax,
  recalledCharsMax,
  summaryCharsMax,
} from './constants.ts';
import { memoryTypeSchema } from './memory.ts';
import type { Usage } from './usage.ts';

/** What kind of thing happened. `note` is a `memory_write` of the agent. */
export const cycleFactKindSchema = z.enum([
  'message',
  'command',
  'tool',
  'edit',
  'check',
  'plan',
  'steer',
  'denied',
  'status',
  'failure',
  'note',
]);
export type CycleFactKind = z.infer<typeof cycleFactKindSchema>;

/** One thing that happened in a cycle, by the entry that recorded it. */
export const cycleFactSchema = z.strictObject({
  seq: z.number().int().positive(),
  kind: cycleFactKindSchema,
  /** What was said, run, edited or asked. */
  text: z.string().max(cycleFactCharsMax),
  /** The end of the result: output of a command, answer of a tool. */
  result: z.string().max(cycleFactCharsMax).optional(),
  outcome: z.enum(['ok', 'failed', 'declined', 'unknown']).optional(),
  exitCode: z.number().int().nullable().optional(),
  /** Of a note: what kind of memory it is, and how much it matters to whoever wrote it. */
  memory: memoryTypeSchema.optional(),
  importance: z.number().min(0).max(1).optional(),
});
export type CycleFact = z.infer<typeof cycleFactSchema>;

/** All that is known of a cycle that is over; secrets were removed on the way in. */
export const summaryRequestSchema = z.strictObject({
  run: z.string(),
  cycle: z.number().int().positive(),
  mission: z.string(),
  workspace: z.string(),
  agent: z.string(),
  /** In the order in which they happened. Results of commands and tools are the last to be left out. */
  facts: z.array(cycleFactSchema).max(cycleFactsMax),
  /** How many more there were. */
  leftOut: z.number().int().nonnegative(),
  /** The agent's last message of the cycle. */
  closing: z.string().max(summaryCharsMax).nullable(),
  /** The task queue as it stands; what does not fit is counted. */
  tasks: z.string().max(queueCharsMax),
});
export type SummaryRequest = z.infer<typeof summaryRequestSchema>;

/** What a cycle leaves for the next ones. `memories` are the ids of what was written to the long-term memory. */
export interface Summarised {
  readonly summary: string;
  readonly memories: readonly string[];
  /** What went wrong, for a person to read; empty when nothing did. */
  readonly diagnostics: readonly string[];
  /** No model was involved: the facts were kept as they are. */
  readonly plain?: boolean;
  /** What it cost; this call alone. */
  readonly usage?: Usage;
}

/** Memories for the next cycle, best first, and how many more matched. */
export interface Recalled {
  readonly memories: readonly { readonly id: string; readonly text: string }[];
  readonly leftOut: number;
}

/** The outcome of summarising a cycle and recalling memories for the next one. Cycle 0 precedes the first. */
export const cycleOutcomeShape = {
  cycle: z.number().int().nonnegative(),
  /** Ids of the memories that were written. */
  memories: z.array(z.string().max(memoryNameCharsMax)).max(cycleMemoriesMax),
  /** One line each, and one more about what was left out. */
  recalled: z.array(z.string().max(recalledCharsMax)).max(memoriesMax + 1),
  problems: z.array(z.string().max(500)).max(20).optional(),
  /** The summariser did not answer: the facts were kept as they are. */
  plain: z.boolean().optional(),
};
