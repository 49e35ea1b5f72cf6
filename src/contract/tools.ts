import { z } from 'zod';
import { memoryTypeSchema } from './memory.ts';
import { taskStatusSchema } from './task.ts';

/** How far the mission is, as the agent reports it. `done` is only a claim. */
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
    .describe('options to choose from, if any'),
});

export const taskReadSchema = z.object({
  status_filter: z
    .union([taskStatusSchema, z.literal('all')])
    .optional()
    .describe('only tasks of this status; default: all'),
});

/** Deliberately loose: what an action is missing is answered with an explanation the agent can act on. */
export const taskToolWriteSchema = z.object({
  action: z.enum(['add', 'update', 'remove']),
  description: z.string().optional().describe('add: what is to be done; update: the new wording'),
  task_id: z.string().optional().describe('update, remove: the task; add: your own id, optional'),
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
    .describe('what you want to know; if absent: the notes of this cycle'),
  limit: z.number().int().min(1).max(25).optional(),
});

export const memoryWriteSchema = z.object({
  text: z.string().describe('one thing worth knowing later, whole sentences, no secrets'),
  type: memoryTypeSchema.optional().describe('default: observation'),
  importance: z.number().min(0).max(1).optional(),
});

/** All our tools. The first two exist in every run, the others in autonomous ones. */
export const toolNames = [
  'ask_person',
  'report_status',
  'task_queue_read',
  'task_queue_write',
  'memory_read',
  'memory_write',
] as const;
export type ToolName = (typeof toolNames)[number];
