import {
  type EventOf,
  type Task,
  type TaskStatus,
  type TaskWrite,
  taskNotesMax,
  tasksCharsMax,
  tasksMax,
} from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { lastOf, type Run, type TaskQueue } from '../run.ts';

export const emptyQueue: TaskQueue = { next: 1, chars: 0, finished: 0, list: [], waiting: [], checking: [] };

const priorityDefault = 5;

/** Who writes, when, and whether the run has checks that stand before `done`. */
export interface Writing {
  readonly at: number;
  readonly by: string;
  readonly hasChecks: boolean;
}

export type TaskAnswer =
  /** `waits`: it becomes done when our own checks pass, and stays as it is when they do not. */
  | { readonly ok: true; readonly id: string; readonly waits: boolean }
  | { readonly ok: false; readonly because: string };

export interface Written {
  readonly queue: TaskQueue;
  readonly answer: TaskAnswer;
}

/** One write to the queue. Refused, the queue is the same and the answer says why and what to do. */
export function writeTask(queue: TaskQueue, write: TaskWrite, writing: Writing): Written {
  switch (write.action) {
    case 'add':
      return add(queue, write, writing);
    case 'update':
      return update(queue, write, writing);
    case 'remove':
      return remove(queue, write.id);
  }
}

export const taskOf = (queue: TaskQueue, id: string): Task | undefined =>
  queue.list.find((task) => task.id === id);

/** Is it called done, and the checks have not said so yet? */
export const isBeingChecked = (queue: TaskQueue, id: string): boolean =>
  queue.waiting.includes(id) || queue.checking.some(({ task }) => task === id);

const refused = (queue: TaskQueue, because: string): Written => ({ queue, answer: { ok: false, because } });
const unknown = (queue: TaskQueue, id: string): Written =>
  refused(queue, `there is no task ${id}; task_queue_read lists them`);

function add(queue: TaskQueue, write: Extract<TaskWrite, { action: 'add' }>, writing: Writing): Written {
  const { at, by } = writing;
  if (queue.list.length >= tasksMax)
    return refused(queue, `the queue holds ${tasksMax} tasks, which is all it may; remove some first`);
  if (write.id !== undefined && taskOf(queue, write.id) !== undefined)
    return refused(queue, `there is a task ${write.id} already; update it, or leave the id out`);
  const [id, next] = write.id === undefined ? freeId(queue) : [write.id, queue.next];
  const task: Task = {
    id,
    n: next,
    text: write.text,
    status: 'pending',
    priority: write.priority ?? priorityDefault,
    notes: write.note === undefined ? [] : [{ text: write.note, by, at }],
    addedBy: by,
    addedAt: at,
    changedBy: by,
    changedAt: at,
    proof: null,
  };
  const chars = queue.chars + charsOf(task);
  if (chars > tasksCharsMax) return tooLong(queue);
  const added: TaskQueue = { ...queue, next: next + 1, chars, list: placed(queue.list, task) };
  return write.status === undefined ? yes(added, id) : withStatus(added, task, write.status, writing, queue);
}

/** A drawn id steps over one that somebody chose. */
function freeId(queue: TaskQueue): [string, number] {
  let n = queue.next;
  while (taskOf(queue, `tq-${n}`) !== undefined) n += 1;
  return [`tq-${n}`, n];
}

function update(
  queue: TaskQueue,
  write: Extract<TaskWrite, { action: 'update' }>,
  writing: Writing,
): Written {
  const { at, by } = writing;
  const before = taskOf(queue, write.id);
  if (before === undefined) return unknown(queue, write.id);
  const { text, priority, note, status } = write;
  if (text === undefined && priority === undefined && note === undefined && status === undefined)
    return refused(queue, 'nothing to change: give a status, a priority, a note or a new text');
  const task: Task = {
    ...before,
    text: text ?? before.text,
    priority: priority ?? before.priority,
    notes:
      note === undefined ? before.notes : [...lastOf(before.notes, { text: note, by, at }, taskNotesMax)],
    changedBy: by,
    changedAt: at,
  };
  const changed = replaced(queue, before, task);
  if (changed.chars > tasksCharsMax) return tooLong(queue);
  return status === undefined ? yes(changed, task.id) : withStatus(changed, task, status, writing, queue);
}

const tooLong = (queue: TaskQueue): Written =>
  refused(
    queue,
    `the queue holds ${tasksCharsMax} characters, which is all it may; remove or shorten some tasks`,
  );

function remove(queue: TaskQueue, id: string): Written {
  const task = taskOf(queue, id);
  if (task === undefined) return unknown(queue, id);
  const list = queue.list.filter((one) => one !== task);
  return yes({ ...notWaiting(queue, id), list, chars: queue.chars - charsOf(task) }, id);
}

const yes = (queue: TaskQueue, id: string): Written => ({ queue, answer: { ok: true, id, waits: false } });

/** `done` waits for the checks wherever there are any; every other status is at once what it is called. */
function withStatus(
  queue: TaskQueue,
  task: Task,
  status: TaskStatus,
  { at, hasChecks }: Writing,
  before: TaskQueue,
): Written {
  const { id } = task;
  if (status !== 'done')
    return yes(replaced(notWaiting(queue, id), task, { ...task, status, proof: null }), id);
  if (task.status === 'done') return yes(queue, id);
  if (!hasChecks) return yes(finished(queue, id, 'unchecked', 'this project has no check to run', at), id);
  if (queue.waiting.length >= bounds.tasksWaitingMax)
    return refused(
      before,
      `${bounds.tasksWaitingMax} tasks wait for the checks already; ask again after them`,
    );
  const waiting = queue.waiting.includes(id) ? queue.waiting : [...queue.waiting, id];
  // Checks that began before this write say nothing about what was done since.
  const checking = queue.checking.filter((one) => one.task !== id);
  return { queue: { ...queue, waiting, checking }, answer: { ok: true, id, waits: true } };
}

/** A task becomes done, with what stands behind it. */
export function finished(
  queue: TaskQueue,
  id: string,
  verdict: 'passed' | 'unchecked',
  because: string,
  at: number,
): TaskQueue {
  const task = taskOf(queue, id);
  if (task === undefined) return queue;
  const done: Task = { ...task, status: 'done', changedAt: at, proof: proofOf(verdict, because, at) };
  return { ...replaced(notWaiting(queue, id), task, done), finished: queue.finished + 1 };
}

/** The checks do not pass: the task stays what it was and keeps the reason. */
export function disproved(queue: TaskQueue, id: string, because: string, at: number): TaskQueue {
  const task = taskOf(queue, id);
  if (task === undefined) return queue;
  return replaced(notWaiting(queue, id), task, {
    ...task,
    changedAt: at,
    proof: proofOf('refused', because, at),
  });
}

const proofOf = (
  verdict: NonNullable<Task['proof']>['verdict'],
  because: string,
  at: number,
): Task['proof'] => ({ verdict, because: because.slice(0, bounds.taskProofCharsMax), at });

const notWaiting = (queue: TaskQueue, id: string): TaskQueue =>
  isBeingChecked(queue, id)
    ? {
        ...queue,
        waiting: queue.waiting.filter((one) => one !== id),
        checking: queue.checking.filter((one) => one.task !== id),
      }
    : queue;

const charsOf = ({ id, text, notes }: Task): number =>
  notes.reduce((chars, note) => chars + note.text.length, id.length + text.length);

function replaced(queue: TaskQueue, before: Task, after: Task): TaskQueue {
  const at = queue.list.indexOf(before);
  const chars = queue.chars - charsOf(before) + charsOf(after);
  if (before.priority === after.priority) return { ...queue, chars, list: queue.list.with(at, after) };
  return { ...queue, chars, list: placed(queue.list.toSpliced(at, 1), after) };
}

/** Puts a task in its place: lower priority first, then the older one. */
function placed(list: readonly Task[], task: Task): readonly Task[] {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle] as Task, task)) low = middle + 1;
    else high = middle;
  }
  return list.toSpliced(low, 0, task);
}

const isBefore = (a: Task, b: Task): boolean =>
  a.priority < b.priority || (a.priority === b.priority && a.n < b.n);

/** Remembers a note; the oldest makes room. Only autonomous runs have a memory. */
export function foldNote(run: Run, { note, by }: EventOf<'memory-noted'>): Run | null {
  if (run.mode !== 'autonomous') return null;
  return { ...run, working: lastOf(run.working, { ...note, at: run.at, by }, bounds.workingMax) };
}
