import { z } from 'zod';
import { memoryTypeSchema } from './memory.ts';
import { taskStatusSchema } from './task.ts';

/** Our own name among the servers an agent gets its tools from. */
export const toolServerName = 'tireless';

/** A question over our tools: whoever asked reads the answer in the ledger, no session has to be told. */
export const toolRequestPrefix = 'tool:';

/** How far the mission is, in the agent's own words. `done` is a claim and nothing more. */
export const reportStatusSchema = z.object({
  status: z.enum(['done', 'blocked', 'waiting']),
  evidence: z.string(),
});

export const askPersonSchema = z.object({
  question: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .describe('one question, with what the person needs to know to answer it'),
  options: z
    .array(z.string().trim().min(1).max(150))
    .max(8)
    .optional()
    .describe('answers to choose from, if any'),
});

export const taskReadSchema = z.object({
  status_filter: z
    .union([taskStatusSchema, z.literal('all')])
    .optional()
    .describe('only tasks of this status; default: all'),
});

/** Wide on purpose: what an action needs is answered in words the agent can act on. */
export const taskToolWriteSchema = z.object({
  action: z.enum(['add', 'update', 'remove']),
  description: z.string().optional().describe('add: what is to be done; update: the new wording'),
  task_id: z
    .string()
    .optional()
    .describe('update, remove: the task; add: an id of your own, if you want one'),
  status: taskStatusSchema.optional().describe('done is answered after our own checks ran'),
  notes: z.string().optional().describe('what you found out about it'),
  priority: z.number().optional().describe('a whole number; lower comes first; default 5'),
});

export const memoryReadSchema = z.object({
  query: z
    .string()
    .trim()
    .max(4_000)
    .optional()
    .describe('what you want to know; without it: the notes of this cycle'),
  limit: z.number().int().min(1).max(25).optional(),
});

export const memoryWriteSchema = z.object({
  text: z.string().describe('one thing worth knowing later, whole sentences, no secrets'),
  type: memoryTypeSchema.optional().describe('default: observation'),
  importance: z.number().min(0).max(1).optional(),
});

/** Every tool of ours. The first two are there in every run, the others in autonomous ones. */
export const toolNames = [
  'ask_person',
  'report_status',
  'task_queue_read',
  'task_queue_write',
  'memory_read',
  'memory_write',
] as const;
export type ToolName = (typeof toolNames)[number];
