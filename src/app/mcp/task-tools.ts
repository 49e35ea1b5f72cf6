import type { z } from 'zod';
import {
  type CheckResult,
  type TaskWrite,
  type taskReadSchema,
  type taskToolWriteSchema,
  taskWriteSchema,
} from '../../contract/index.ts';
import { isBeingChecked, listTasks, type Run, taskOf, writeTask } from '../../core/index.ts';
import { not, overText, said, type ToolAnswer, type ToolParts, unheard } from './answers.ts';
import type { StampedEvent } from './run-link.ts';

const listCharsMax = 40_000;
const tailCharsMax = 3_000;
const tailsMax = 3;

export async function readTasks(
  { link }: Pick<ToolParts, 'link'>,
  { status_filter = 'all' }: z.infer<typeof taskReadSchema>,
): Promise<ToolAnswer> {
  const { tasks } = await link.run();
  return said(listTasks(tasks, status_filter, listCharsMax));
}

/** Writes to the queue and returns the result. `done` is answered after our own checks ran. */
export async function writeTasks(
  parts: ToolParts,
  args: z.infer<typeof taskToolWriteSchema>,
  signal?: AbortSignal,
): Promise<ToolAnswer> {
  const { link, redact } = parts;
  const { action, description, task_id: id, status, notes, priority } = args;
  const text = description === undefined ? undefined : redact(description);
  const note = notes === undefined ? undefined : redact(notes);
  const read = taskWriteSchema.safeParse(only({ action, text, id, status, note, priority }));
  if (!read.success) return not(`Not written: ${problems(read.error)}`);
  const run = await link.run();
  const over = overText(run);
  if (over !== null) return not(over);
  const by = `${run.agent.name}@mcp`;
  const stamped = await link.tell({ type: 'task-written', write: read.data, from: 'agent', by });
  if (stamped === null) return unheard;
  const answer = writeAnswer(stamped, read.data, by);
  if (!answer.ok) return not(`Not written: ${answer.because}.`);
  if (!answer.waits) return said(`Written: ${words(read.data, answer.id, stamped.after)}`);
  return afterChecks(parts, answer.id, signal);
}

/** A write is a pure function of the queue before it, so the entry alone gives the answer. */
export function writeAnswer(
  { before, entry }: StampedEvent,
  write: TaskWrite,
  by: string,
): ReturnType<typeof writeTask>['answer'] {
  const over = overText(before);
  if (over !== null) return { ok: false, because: over };
  if (before.mode !== 'autonomous') return { ok: false, because: 'only an autonomous run has a task queue' };
  return writeTask(before.tasks, write, { at: entry.at, by, hasChecks: before.checks.length > 0 }).answer;
}

function words(write: TaskWrite, id: string, { tasks }: Run): string {
  if (write.action === 'remove') return `${id} is removed.`;
  const task = taskOf(tasks, id);
  if (task?.proof?.verdict === 'unchecked')
    return `${id} is done; this project has no check, so nothing was verified.`;
  return `${id} is ${task?.status ?? 'gone'}, priority ${task?.priority ?? '?'}.`;
}

/** Waits until our own checks have settled this task. */
async function afterChecks(
  { link, waitMs }: ToolParts,
  id: string,
  signal?: AbortSignal,
): Promise<ToolAnswer> {
  let results: readonly CheckResult[] = [];
  const settled = await link.until(
    (run, stamped) => {
      if (stamped?.entry.event.type === 'effect-ended' && stamped.entry.event.outcome.of === 'checks-run')
        results = stamped.entry.event.outcome.results;
      return isBeingChecked(run.tasks, id) && overText(run) === null ? undefined : run;
    },
    waitMs,
    signal,
  );
  if (settled === null)
    return said(
      `${id} is called done and our checks still run. It becomes done when they pass; task_queue_read shows it. Go on with another task.`,
    );
  const over = overText(settled);
  const task = taskOf(settled.tasks, id);
  if (task?.status === 'done') return said(`${id} is done: ${task.proof?.because ?? 'every check passed'}.`);
  if (over !== null) return not(over);
  if (task?.proof?.verdict !== 'refused')
    return said(`${id} is ${task?.status ?? 'gone'}: it was changed meanwhile.`);
  return not(
    `${id} stays ${task.status}: we ran the checks ourselves and they do not pass (${task.proof.because}).${evidence(results)}`,
  );
}

const evidence = (results: readonly CheckResult[]): string =>
  results
    .filter((result) => result.outcome !== 'passed')
    .slice(0, tailsMax)
    .map(
      ({ command, exitCode, tail }) =>
        `\n\n$ ${command} → exit ${exitCode ?? 'none'}\n${tail.text.slice(-tailCharsMax).trimEnd()}`,
    )
    .join('');

const only = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const toolWords: Readonly<Record<string, string>> = { text: 'description', id: 'task_id', note: 'notes' };

function problems(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => `${toolWords[String(path[0])] ?? String(path[0] ?? 'the call')}: ${message}`)
    .join('; ');
}
