import type { Command } from 'commander';
import { presenceOf } from '../../../edge/presence.ts';
import { type Cli, print, runArgument, runFor } from '../cli.ts';
import { statusText } from '../status-text.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option('--why', 'with the decision behind it')
    .option('--json', 'as JSON')
    .action(async (wanted: string | undefined, options: { json?: boolean; why?: boolean }) => {
      const { view, keeper } = await cli.withStore(async (store) => {
        const view = await runFor(cli, store, wanted);
        return { view, keeper: await presenceOf(cli.home, store, view, Date.now()) };
      });
      print(cli, options.json, { ...view, keeper }, () =>
        statusText(view, cli.terminal, Date.now(), options.why === true),
      );
    });
}
