import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type TaskStatus,
  type TaskWrite,
  taskStatusSchema,
  taskWriteSchema,
} from '../../../contract/index.ts';
import { isBeingChecked, isTerminal, type Run, type TaskQueue, taskLine } from '../../../core/index.ts';
import { linkTo, type RunLink } from '../../mcp/run-link.ts';
import { writeAnswer } from '../../mcp/task-tools.ts';
import { type Cli, CliError, print, refuseInside, runArgument, runFor, speaker } from '../cli.ts';

const whichRun = ['--run <run>', 'id or a part of it; default: the newest run of this folder'] as const;
const statuses = taskStatusSchema.options;

interface WriteFlags {
  readonly run?: string;
  readonly id?: string;
  readonly status?: TaskStatus;
  readonly priority?: number;
  readonly note?: string;
  readonly text?: string;
  readonly json?: boolean;
}

const priorityOf = (text: string): number => {
  if (!/^\d{1,7}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number; lower comes first.');
  return Number(text);
};

/** The task queue of an autonomous run, for people: what is open, what is done and by whose word. */
export function define(command: Command, cli: Cli): void {
  command
    .command('list', { isDefault: true })
    .argument(...runArgument)
    .description('list the tasks in order')
    .addOption(new Option('--status <status>', 'only tasks with this status').choices(statuses))
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless tasks\n  tireless tasks --status blocked --json')
    .action((run: string | undefined, flags: { status?: TaskStatus; json?: boolean }) =>
      withLink(cli, run, async (link) => list(cli, await link.run(), flags)),
    );
  const write = (name: string): Command =>
    command
      .command(name)
      .option(...whichRun)
      .option('--json', 'as JSON');
  write('add')
    .argument('<text...>', 'what to do')
    .description('add a task to the queue')
    .option('--id <id>', 'your own id for it')
    .option('--priority <n>', 'lower comes first; default 5', priorityOf)
    .option('--note <note>', 'a note on it')
    .addHelpText('after', "\nExamples:\n  tireless tasks add 'cover the empty cart' --priority 1")
    .action((words: string[], { id, priority, note, ...flags }: WriteFlags) =>
      writeTo(
        cli,
        flags,
        'tasks add',
        readWrite({ action: 'add', text: words.join(' '), id, priority, note }),
      ),
    );
  write('update')
    .argument('<task>')
    .description('change a task; it becomes done only when the checks pass')
    .addOption(new Option('--status <status>', 'its new status').choices(statuses))
    .option('--priority <n>', 'lower comes first', priorityOf)
    .option('--note <note>', 'a note on it')
    .option('--text <text>', 'its new wording')
    .addHelpText(
      'after',
      "\nExamples:\n  tireless tasks update tq-3 --status blocked --note 'waits for the new key'",
    )
    .action((id: string, { status, priority, note, text, ...flags }: WriteFlags) =>
      writeTo(cli, flags, 'tasks update', readWrite({ action: 'update', id, status, priority, note, text })),
    );
  write('remove')
    .argument('<task>')
    .description('remove a task from the queue')
    .addHelpText('after', '\nExamples:\n  tireless tasks remove tq-3')
    .action((id: string, flags: WriteFlags) =>
      writeTo(cli, flags, 'tasks remove', readWrite({ action: 'remove', id })),
    );
}

function readWrite(flags: Record<string, unknown>): TaskWrite {
  const read = taskWriteSchema.safeParse(flags);
  if (read.success) return read.data;
  const problems = read.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the task'}: ${message}`,
  );
  throw new CliError(problems.join('\n'));
}

async function withLink(
  cli: Cli,
  wanted: string | undefined,
  use: (link: RunLink) => Promise<void>,
): Promise<void> {
  await cli.withStore(async (store) => {
    const view = await runFor(cli, store, wanted);
    const link = await linkTo(store, view.id);
    if (link === null) throw new CliError(`No run "${view.id}". List them with: tireless runs`);
    try {
      await use(link);
    } finally {
      link.stop();
    }
  });
}

function list(cli: Cli, run: Run, { status, json }: { status?: TaskStatus; json?: boolean }): void {
  const shown = run.tasks.list.filter((task) => status === undefined || task.status === status);
  const rows = shown.map((task) => ({ ...task, checking: isBeingChecked(run.tasks, task.id) }));
  print(cli, json, { run: run.id, mode: run.mode, tasks: rows }, () => listText(run, run.tasks, shown));
}

function listText(run: Run, queue: TaskQueue, shown: TaskQueue['list']): string {
  if (run.mode !== 'autonomous')
    return `Run ${run.id} has no task queue: it has a single cycle (--mode once).`;
  if (shown.length === 0) return queue.list.length === 0 ? 'No tasks yet.' : 'No task has that status.';
  return shown.map((task) => taskLine(queue, task)).join('\n');
}

/** Leaves the person's write for the keeper and tells what came of it. */
async function writeTo(cli: Cli, flags: WriteFlags, command: string, write: TaskWrite): Promise<void> {
  await refuseInside(cli, command);
  await withLink(cli, flags.run, async (link) => {
    const run = await link.run();
    if (isTerminal(run.state))
      throw new CliError(`Run ${run.id} is ${run.state}; its queue can no longer change.`);
    if (run.mode !== 'autonomous') throw new CliError(listText(run, run.tasks, []));
    const by = speaker(cli);
    const isKept = run.state !== 'paused';
    const heard = await link.tell(
      { type: 'task-written', write, from: 'person', by },
      isKept ? undefined : 0,
    );
    if (heard === null) {
      const text = `Queued for run ${run.id}, which reads it when it resumes: tireless resume ${run.id}`;
      return print(cli, flags.json, { heard: false }, () => text);
    }
    const answer = writeAnswer(heard, write, by);
    if (!answer.ok) throw new CliError(`Not written: ${answer.because}.`);
    print(cli, flags.json, { heard: true, ...answer }, () =>
      answer.waits
        ? `${answer.id}: the checks are running; it becomes done when they pass.`
        : `Written: ${answer.id}`,
    );
  });
}
