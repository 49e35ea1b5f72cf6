import type { Command } from 'commander';
import { entriesOf } from '../../entries.ts';
import { type Cli, runArgument, runFor } from '../cli.ts';
import { linesOf } from '../view/lines.ts';
import { makeLinePainter } from '../view/paint.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option('-f, --follow', 'follow it as it happens')
    .option('--json', 'every entry as one JSON line')
    .addHelpText('after', '\nExamples:\n  tireless logs -f\n  tireless logs --json | jq -c .decision')
    .action(async (wanted: string | undefined, options: { follow?: boolean; json?: boolean }) => {
      const view = await cli.withStore((store) => runFor(cli, store, wanted));
      if (options.follow === true) {
        const { watchRun } = await import('../view/watch.ts');
        await watchRun(cli, view.id, { foreground: false, json: options.json === true });
        return;
      }
      const paint = makeLinePainter(cli.terminal);
      await cli.withStore(async (store) => {
        for await (const entry of entriesOf(store, view.id)) {
          if (options.json === true) cli.terminal.out(JSON.stringify(entry));
          else for (const line of linesOf(entry)) cli.terminal.out(paint(line));
        }
      });
    });
}
