import type { Command } from 'commander';
import { type Cli, print, runArgument, speaker } from '../cli.ts';
import { tellRun } from '../tell-run.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option('--now', 'interrupt the turn')
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, { now = false, json }: { now?: boolean; json?: boolean }) => {
      const { id } = await tellRun(cli, wanted, 'pause', [
        { type: 'person-asked', ask: 'pause', now, by: speaker(cli) },
      ]);
      print(
        cli,
        json,
        { run: id, asked: 'pause' },
        () => `${id} will pause ${now ? 'now' : 'after this turn'}.`,
      );
    });
}
