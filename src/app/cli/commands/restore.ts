import type { Command } from 'commander';
import { type Cli, CliError, print, refuseInside } from '../cli.ts';
import { turnsFor } from '../turns.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument('<run@turn>', 'the turn before which the files were as you want them, e.g. k3f@2')
    .argument('[paths...]', 'only these files or folders')
    .option('--json', 'as JSON')
    .action(async (target: string, paths: string[], { json }: { json?: boolean }) => {
      await refuseInside(cli, 'restore');
      const [, run, turn] = /^(.*)@(\d+)$/.exec(target) ?? [];
      if (turn === undefined)
        throw new CliError(
          `"${target}" names no turn. Write RUN@TURN, e.g. ${target}@1; list the changes with: tireless diff ${target} --stat`,
        );
      const { workspace, turns } = await turnsFor(cli, run === '' ? undefined : run);
      const before = turns.find((one) => one.turn === Number(turn))?.before;
      if (before === undefined) throw new CliError(`There is no turn ${turn}; the run has ${turns.length}.`);
      if (before === 'unknown')
        throw new CliError(
          `The files before turn ${turn} could not be read at the time, so they cannot be restored.`,
        );
      const restored = await workspace.restore(before, paths.length === 0 ? undefined : paths);
      const undo = `tireless savepoint restore ${restored.before.name}`;
      print(cli, json, restored, () => `Restored the files from before turn ${turn}. Undo with: ${undo}`);
    });
}
