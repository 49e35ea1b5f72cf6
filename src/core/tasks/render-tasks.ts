import type { Task, TaskStatus } from '../../contract/index.ts';
import type { TaskQueue } from '../run.ts';
import { isBeingChecked } from './task-queue.ts';

/** The notes of a task that are shown with it. */
const notesShownMax = 2;

/**
 * The queue as an agent reads it, within `charsMax`: what is open first, in the order in which it is due, then what is
 * done in numbers. Tasks that do not fit are counted, never cut in the middle.
 */
export function renderTasks(queue: TaskQueue, charsMax: number): string {
  if (queue.list.length === 0) return 'No tasks yet.';
  const open = queue.list.filter(({ status }) => status !== 'done');
  const done = queue.list.length - open.length;
  const footer = done === 0 ? '' : `${done} ${done === 1 ? 'task is' : 'tasks are'} done.`;
  const lines = fitting(queue, open, charsMax - footer.length);
  const unseen = open.length - lines.length;
  if (unseen > 0) lines.push(`… and ${unseen} more open; task_queue_read lists them.`);
  if (footer !== '') lines.push(footer);
  return lines.join('\n').slice(0, charsMax);
}

/** Tasks of one status, or all of them, as the agent asked to see them. */
export function listTasks(queue: TaskQueue, status: TaskStatus | 'all', charsMax: number): string {
  const wanted = status === 'all' ? queue.list : queue.list.filter((task) => task.status === status);
  if (wanted.length === 0) return status === 'all' ? 'No tasks yet.' : `No task is ${status}.`;
  const lines = fitting(queue, wanted, charsMax);
  const unseen = wanted.length - lines.length;
  return [...lines, ...(unseen > 0 ? [`… and ${unseen} more; filter by status.`] : [])].join('\n');
}

/** Room for the line that counts what does not fit. */
const moreCharsMax = 60;

/** The lines of the first tasks, as many as fit. */
function fitting(queue: TaskQueue, tasks: readonly Task[], charsMax: number): string[] {
  const lines: string[] = [];
  let left = charsMax - moreCharsMax;
  for (const task of tasks) {
    const line = taskLine(queue, task);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return lines;
}

/** One task on one line, notes and the reason of a refusal below it. */
export function taskLine(queue: TaskQueue, task: Task): string {
  const { id, text, priority, notes, proof, status } = task;
  const state = isBeingChecked(queue, id) ? `${status}, called done: the checks run` : status;
  const more = [
    ...notes.slice(-notesShownMax).map((note) => `  note by ${note.by}: ${flat(note.text)}`),
    ...(proof?.verdict === 'refused' ? [`  called done and refused: ${flat(proof.because)}`] : []),
    ...(proof?.verdict === 'unchecked' ? ['  nothing was checked'] : []),
  ];
  return [`- ${id} [${state}] priority ${priority}: ${flat(text)}`, ...more].join('\n');
}

/** A text of somebody else's must not look like a line of ours. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
