import type { Command } from 'commander';
import type { Event, RunView, Store } from '../../../contract/index.ts';
import { isTerminal } from '../../../core/index.ts';
import { holderHere } from '../../../edge/lock.ts';
import { endings } from '../../compose.ts';
import { startKeeper } from '../../keeper.ts';
import { endOrphansOf } from '../../orphans.ts';
import { type Cli, CliError, print, refuseInside, runFor, speaker } from '../cli.ts';
import { cycleCount, type LimitFlags, limitOptions, limitsOf } from '../limit-flags.ts';
import { watchRun } from '../view/watch.ts';

const runArgument = ['[run]', 'id or a part of it; default: the newest run of this folder'] as const;

const ended = (view: RunView, verb: string): CliError =>
  new CliError(
    `Run ${view.id} is ${view.state}; there is nothing to ${verb}. What ended stays ended: start a new run.`,
    2,
  );

/** Leaves the person's word for the keeper and says so; starts a keeper where none lives. */
async function tell(
  cli: Cli,
  wanted: string | undefined,
  verb: string,
  events: (view: RunView) => readonly Event[],
  wake: (view: RunView) => boolean,
): Promise<RunView> {
  await refuseInside(cli, verb);
  return cli.withStore(async (store) => {
    const view = await runFor(cli, store, wanted);
    if (isTerminal(view.state)) {
      // Nobody picks it up again, so this is the moment for what may be left of it.
      await endOrphansOf({ store, holder: holderHere(view.id), ...endings }, view.id);
      throw ended(view, verb);
    }
    for (const event of events(view)) await store.post(view.id, event);
    if (wake(view)) startKeeper(cli.home, view.id, cli.terminal.env, cli.self);
    return view;
  });
}

export function addPause(program: Command, cli: Cli): void {
  program
    .command('pause')
    .argument(...runArgument)
    .description('let the turn end, then start nothing more')
    .option('--now', 'interrupt the turn')
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, options: { now?: boolean; json?: boolean }) => {
      const view = await tell(
        cli,
        wanted,
        'pause',
        () => [{ type: 'person-asked', ask: 'pause', now: options.now === true, by: speaker(cli) }],
        () => true,
      );
      print(
        cli,
        options.json,
        { run: view.id, asked: 'pause' },
        () => `Asked ${view.id} to pause${options.now === true ? ' now' : ' after this turn'}.`,
      );
    });
}

export function addStop(program: Command, cli: Cli): void {
  program
    .command('stop')
    .argument(...runArgument)
    .description('end a run for good')
    .option('--now', 'interrupt the turn')
    .option('--all', 'every run that is not over')
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, options: { now?: boolean; all?: boolean; json?: boolean }) => {
      const event = (): readonly Event[] => [
        { type: 'person-asked', ask: 'stop', now: options.now === true, by: speaker(cli) },
      ];
      const ids = options.all === true ? await open(cli) : [wanted];
      const stopped: string[] = [];
      for (const id of ids) stopped.push((await tell(cli, id, 'stop', event, () => true)).id);
      print(
        cli,
        options.json,
        stopped.map((run) => ({ run, asked: 'stop' })),
        () =>
          stopped.length === 0
            ? 'No run is under way.'
            : stopped
                .map((id) => `Asked ${id} to stop${options.now === true ? ' now' : ' after this turn'}.`)
                .join('\n'),
      );
    });
}

const open = (cli: Cli): Promise<string[]> =>
  cli.withStore(async (store: Store) =>
    (await store.runs()).filter((view) => !isTerminal(view.state)).map((view) => view.id),
  );

export function addResume(program: Command, cli: Cli): void {
  const command = program
    .command('resume')
    .argument(...runArgument)
    .description('go on with a paused or interrupted run; raise a limit with the flags')
    .option('--cycles <n>', 'cycles an autonomous run may use, 1 to 100', cycleCount)
    .option('--foreground', 'work it in this process')
    .option('--detach', 'do not watch')
    .option('--json', 'as JSON, without watching')
    .addHelpText('after', '\nExamples:\n  tireless resume\n  tireless resume --turns 400');
  limitOptions(command).action(
    async (
      wanted: string | undefined,
      options: LimitFlags & { json?: boolean; foreground?: boolean; detach?: boolean },
    ) => {
      const limits = limitsOf(options, Date.now());
      const by = speaker(cli);
      const events: Event[] = [
        ...(Object.values(limits).some((one) => one !== undefined)
          ? [{ type: 'limits-changed' as const, limits, by }]
          : []),
        { type: 'person-asked', ask: 'resume', by },
      ];
      const view = await tell(
        cli,
        wanted,
        'resume',
        () => events,
        () => options.foreground !== true,
      );
      if (options.json === true || options.detach === true) {
        print(
          cli,
          options.json,
          { run: view.id, asked: 'resume' },
          () => `Resumed ${view.id}. Watch it with: tireless logs -f ${view.id}`,
        );
        return;
      }
      process.exitCode = await watchRun(cli, view.id, {
        foreground: options.foreground === true,
        fromSeq: view.seq + 1,
      });
    },
  );
}

export function addSteer(program: Command, cli: Cli): void {
  program
    .command('steer')
    .argument('<words>', 'what the agent should know or do next')
    .argument(...runArgument)
    .description('give new directions; they join the running turn or the next input')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  tireless steer "leave the public API as it is"')
    .action(async (words: string, wanted: string | undefined, options: { json?: boolean }) => {
      if (words.trim() === '') throw new CliError('There are no words to pass on.', 2);
      const view = await tell(
        cli,
        wanted,
        'steer',
        () => [{ type: 'steer-given', text: { text: words.slice(0, 16_384) }, by: speaker(cli) }],
        () => false,
      );
      print(cli, options.json, { run: view.id, steered: words }, () => `Passed on to ${view.id}.`);
    });
}
