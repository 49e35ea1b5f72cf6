import type { Command } from 'commander';
import type { TurnTrees } from '../../../core/view/turn-trees.ts';
import { type Cli, CliError, print, runArgument } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { paintedDiff } from '../highlight.ts';
import { turnsFor } from '../turns.ts';

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .argument('[turn]', 'one turn; default: the whole run')
    .option('--stat', 'only which files, and by how many lines')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless diff\n  tireless diff k3f 2 --stat')
    .action(
      async (
        wanted: string | undefined,
        turn: string | undefined,
        { stat, json }: { stat?: boolean; json?: boolean },
      ) => {
        const { out, err, paint } = cli.terminal;
        const { workspace, turns } = await turnsFor(cli, wanted);
        const { from, to } = spanOf(turns, turn);
        const { changes, paths } = await workspace.diff(from, to);
        if (json === true || stat === true) {
          const rows = changes.map(
            ({ status, path, added, removed }) =>
              `${status.padEnd(8)} ${path}  ${paint('green', `+${added ?? '?'}`)} ${paint('red', `-${removed ?? '?'}`)}`,
          );
          print(cli, json, { from, to, paths, changes }, () => rows.join('\n') || 'Nothing changed.');
          return;
        }
        const { text, cut } = await workspace.diffText(from, to);
        out(paintedDiff(paint, text.trimEnd()) || 'Nothing changed.');
        if (cut) err('The diff is too long to show in full; use --stat, or name a turn.');
      },
    );
}

/** From the tree the span began with to the one it ended with. */
function spanOf(turns: readonly TurnTrees[], turn: string | undefined): { from: string; to: string } {
  const chosen = turn === undefined ? turns : turns.filter((one) => String(one.turn) === turn);
  const [first] = chosen;
  const last = chosen.findLast((one) => one.after !== null);
  if (first === undefined || last?.after == null)
    throw new CliError(
      turn === undefined
        ? 'No turn has ended yet.'
        : `Turn ${turn} does not exist or has not ended; the run has ${turns.length}.`,
    );
  if (first.before === 'unknown' || last.after === 'unknown')
    throw new CliError(
      'The files could not be read around that turn, so they cannot be compared.',
      exit.error,
    );
  return { from: first.before, to: last.after };
}
