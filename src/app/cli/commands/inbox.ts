import type { Command } from 'commander';
import { type Cli, print } from '../cli.ts';
import { gateText, openGates } from '../gate-text.ts';

export function define(command: Command, cli: Cli): void {
  command.option('--json', 'as JSON').action(async ({ json }: { json?: boolean }) => {
    const open = await cli.withStore(openGates);
    const rows = open.map(({ run, gate }) => ({ run: run.id, workspace: run.workspace, ...gate }));
    print(
      cli,
      json,
      rows,
      () =>
        open.map((one) => gateText(cli.terminal, one, Date.now())).join('\n\n') ||
        'Nothing is waiting for you.',
    );
  });
}
