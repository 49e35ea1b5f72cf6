import { z } from 'zod';
import { taskCharsMax, taskNoteCharsMax, taskNotesMax, workingNoteCharsMax } from './constants.ts';
import { memoryTypeSchema } from './memory.ts';

const by = z.string().max(200);
const taskIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'an id is 1–64 letters, digits, dots, dashes or underscores');
const textSchema = z.string().trim().min(1).max(taskCharsMax);
const noteSchema = z.string().trim().min(1).max(taskNoteCharsMax);
/** Lower comes first. */
const prioritySchema = z.number().int().min(0).max(1_000_000);

export const taskStatusSchema = z.enum(['pending', 'in_progress', 'done', 'blocked']);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** Who writes: the agent through its tools, or the person. */
export const writerSchema = z.enum(['agent', 'person']);
export type Writer = z.infer<typeof writerSchema>;

/** What may be done to the queue. An id that is left out is generated: `tq-1`, `tq-2` and so on, never reused. */
export const taskWriteSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('add'),
    text: textSchema,
    id: taskIdSchema.optional(),
    status: taskStatusSchema.optional(),
    priority: prioritySchema.optional(),
    note: noteSchema.optional(),
  }),
  z.object({
    action: z.literal('update'),
    id: taskIdSchema,
    text: textSchema.optional(),
    status: taskStatusSchema.optional(),
    priority: prioritySchema.optional(),
    note: noteSchema.optional(),
  }),
  z.object({ action: z.literal('remove'), id: taskIdSchema }),
]);
export type TaskWrite = z.infer<typeof taskWriteSchema>;

/** An item of the run's queue. */
export const taskSchema = z.object({
  id: taskIdSchema,
  /** Its number among the tasks of the run. */
  n: z.number().int().positive(),
  text: z.string(),
  status: taskStatusSchema,
  priority: prioritySchema,
  notes: z.array(z.object({ text: z.string(), by, at: z.number() })).max(taskNotesMax),
  addedBy: by,
  addedAt: z.number(),
  changedBy: by,
  changedAt: z.number(),
  /** The result of our own checks when it was last reported done; `unchecked` where there are none. */
  proof: z
    .object({
      verdict: z.enum(['passed', 'refused', 'unchecked']),
      because: z.string().max(500),
      at: z.number(),
    })
    .nullable(),
});
export type Task = z.infer<typeof taskSchema>;

/** A note the agent wants to keep beyond this cycle: working memory, until it is distilled. */
export const workingNoteSchema = z.object({
  text: z.string().trim().min(1).max(workingNoteCharsMax),
  kind: memoryTypeSchema,
  importance: z.number().min(0).max(1).optional(),
});
export type WorkingNote = z.infer<typeof workingNoteSchema>;
