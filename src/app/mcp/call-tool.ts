import type { z } from 'zod';
import {
  askPersonSchema,
  memoryReadSchema,
  memoryWriteSchema,
  reportStatusSchema,
  taskReadSchema,
  taskToolWriteSchema,
} from '../../contract/index.ts';
import { answered, not, type ToolAnswer, type ToolParts } from './answers.ts';
import { readMemory, writeMemory } from './memory-tools.ts';
import { makeAskPerson, reportStatus } from './person-tools.ts';
import { readTasks, writeTasks } from './task-tools.ts';

/** Does what a tool of a run is called for; what does not fit its schema is refused. */
export type CallTool = (
  name: string,
  args: unknown,
  waitMs: number,
  signal: AbortSignal,
) => Promise<ToolAnswer>;

/** A call of one tool. `waitMs` is how long the caller waits for a person or for checks. */
type Tool = (args: unknown, waitMs: number, signal: AbortSignal) => Promise<ToolAnswer>;

const tool =
  <S extends z.ZodType>(
    schema: S,
    act: (args: z.infer<S>, waitMs: number, signal: AbortSignal) => Promise<ToolAnswer>,
  ): Tool =>
  async (args, waitMs, signal) => {
    const read = schema.safeParse(args);
    return read.success
      ? answered(() => act(read.data, waitMs, signal))
      : not(
          read.error.issues
            .map(({ path, message }) => `${path.join('.') || 'the call'}: ${message}`)
            .join('; '),
        );
  };

/** The tools of one run, as its keeper does them. */
export function makeCallTool(parts: Omit<ToolParts, 'waitMs'>, mode: 'once' | 'autonomous'): CallTool {
  const askPerson = makeAskPerson(parts);
  const tools: Readonly<Record<string, Tool>> = {
    ask_person: tool(askPersonSchema, askPerson),
    report_status: tool(reportStatusSchema, (args) => reportStatus(parts, args)),
    ...(mode === 'autonomous'
      ? {
          task_queue_read: tool(taskReadSchema, (args) => readTasks(parts, args)),
          task_queue_write: tool(taskToolWriteSchema, (args, waitMs, signal) =>
            writeTasks({ ...parts, waitMs }, args, signal),
          ),
          memory_read: tool(memoryReadSchema, (args) => readMemory(parts, args)),
          memory_write: tool(memoryWriteSchema, (args) => writeMemory(parts, args)),
        }
      : {}),
  };
  return async (name, args, waitMs, signal) =>
    Object.hasOwn(tools, name)
      ? (tools[name] as Tool)(args, waitMs, signal)
      : not(`There is no tool ${name}.`);
}
