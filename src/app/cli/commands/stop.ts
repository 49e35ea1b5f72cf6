import type { Command } from 'commander';
import type { Event } from '../../../contract/index.ts';
import { isTerminal } from '../../../core/index.ts';
import { type Cli, print, runArgument, speaker } from '../cli.ts';
import { tellRun } from '../tell-run.ts';

interface StopFlags {
  readonly now?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option('--now', 'interrupt the turn')
    .option('--all', 'every run that is not finished')
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, { now = false, all, json }: StopFlags) => {
      const event: Event = { type: 'person-asked', ask: 'stop', now, by: speaker(cli) };
      const stopped: string[] = [];
      for (const id of all === true ? await unfinished(cli) : [wanted])
        stopped.push((await tellRun(cli, id, 'stop', [event])).id);
      const asked = stopped.map((run) => ({ run, asked: 'stop' }));
      print(cli, json, asked, () =>
        stopped.length === 0
          ? 'No run is in progress.'
          : stopped.map((id) => `${id} will stop ${now ? 'now' : 'after this turn'}.`).join('\n'),
      );
    });
}

const unfinished = (cli: Cli): Promise<string[]> =>
  cli.withStore(async (store) =>
    (await store.runs()).filter(({ state }) => !isTerminal(state)).map(({ id }) => id),
  );
