import type { Command } from 'commander';
import { type Cli, print, runArgument, runFor } from '../cli.ts';
import { statusText } from '../status-text.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option('--why', 'with the decision behind it')
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, options: { json?: boolean; why?: boolean }) => {
      const view = await cli.withStore((store) => runFor(cli, store, wanted));
      print(cli, options.json, view, () => statusText(view, cli.terminal, Date.now(), options.why === true));
    });
}
