import type { Command } from 'commander';
import { exportPublic, exportRun } from '../../../edge/store/export.ts';
import { type Cli, runArgument, runFor } from '../cli.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option('--public', 'a smaller chain without texts, paths or names that refers to the original')
    .option('--json', 'accepted for scripts; the output is always JSON lines')
    .addHelpText('after', '\nExample:\n  tireless export --public > run.jsonl')
    .action(async (wanted: string | undefined, options: { public?: boolean }) => {
      await cli.withStore(async (store) => {
        const view = await runFor(cli, store, wanted);
        for await (const line of options.public === true
          ? exportPublic(store, view.id)
          : exportRun(store, view.id))
          cli.terminal.out(line);
      });
    });
}
