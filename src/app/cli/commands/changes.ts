import type { Command } from 'commander';
import { type TurnTrees, turnTrees } from '../../../core/view/turn-trees.ts';
import { makeClock } from '../../../edge/clock.ts';
import { type OpenWorkspace, openWorkspace } from '../../../edge/workspace/index.ts';
import { entriesOf } from '../../open-run.ts';
import { type Cli, CliError, print, refuseInside, runFor } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { clockTime } from '../format.ts';

/** What a run changed, turn by turn, and the way back. */
export function addChanges(program: Command, cli: Cli): void {
  program
    .command('diff')
    .argument('[run]', 'id or a part of it; default: the newest run of this folder')
    .argument('[turn]', 'one turn; default: the whole run')
    .description('what changed in the workspace')
    .option('--stat', 'only which files, and by how many lines')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless diff\n  tireless diff k3f 2 --stat')
    .action(
      async (
        wanted: string | undefined,
        turn: string | undefined,
        options: { stat?: boolean; json?: boolean },
      ) => {
        const { workspace, turns } = await turnsFor(cli, wanted);
        const { from, to } = spanOf(turns, turn);
        const { changes, paths } = await workspace.diff(from, to);
        if (options.json === true || options.stat === true) {
          print(cli, options.json, { from, to, paths, changes }, () =>
            changes.length === 0
              ? 'Nothing changed.'
              : changes
                  .map(
                    (c) =>
                      `${c.status.padEnd(8)} ${c.path}  ${cli.terminal.paint('green', `+${c.added ?? '?'}`)} ${cli.terminal.paint('red', `-${c.removed ?? '?'}`)}`,
                  )
                  .join('\n'),
          );
          return;
        }
        const { text, cut } = await workspace.diffText(from, to);
        cli.terminal.out(text === '' ? 'Nothing changed.' : coloured(cli, text));
        if (cut) cli.terminal.err('The rest is cut; see --stat, or name a turn.');
      },
    );
  addRestore(program, cli);
  addSavepoints(program, cli);
}

function addRestore(program: Command, cli: Cli): void {
  program
    .command('restore')
    .argument('<run@turn>', 'bring back the files as they were before that turn, e.g. k3f@2')
    .argument('[paths...]', 'only these files or folders')
    .description('undo: put files back as a turn found them; what stands there now is kept as a savepoint')
    .option('--json', 'as JSON')
    .action(async (target: string, paths: string[], options: { json?: boolean }) => {
      await refuseInside(cli, 'restore');
      const [, run, turn] = /^(.*)@(\d+)$/.exec(target) ?? [];
      if (turn === undefined)
        throw new CliError(
          `"${target}" names no turn. Write RUN@TURN, e.g. ${target}@1; see the turns with: tireless diff ${target} --stat`,
          exit.usage,
        );
      const { workspace, turns } = await turnsFor(cli, run === '' ? undefined : run);
      const before = turns.find((one) => one.turn === Number(turn))?.before;
      if (before === undefined || before === 'unknown')
        throw new CliError(
          before === undefined
            ? `There is no turn ${turn}; the run had ${turns.length}.`
            : `The files before turn ${turn} could not be read at the time, so they cannot be brought back.`,
          exit.usage,
        );
      const restored = await workspace.restore(before, paths.length === 0 ? undefined : paths);
      print(
        cli,
        options.json,
        restored,
        () =>
          `Restored the files as turn ${turn} found them. Undo this with: tireless savepoint restore ${restored.before.name}`,
      );
    });
}

function addSavepoints(program: Command, cli: Cli): void {
  const savepoint = program.command('savepoint').description('kept states of the workspace');
  savepoint
    .command('list', { isDefault: true })
    .description('savepoints of this workspace, newest first')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const all = await (await workspaceAt(cli, cli.terminal.cwd)).savepoints();
      print(cli, options.json, all, () =>
        all.length === 0
          ? 'No savepoints.'
          : all
              .map(
                (s) =>
                  `${s.name}  ${cli.terminal.paint('dim', `${new Date(s.at).toISOString().slice(0, 10)} ${clockTime(s.at)}`)}  ${s.because}`,
              )
              .join('\n'),
      );
    });
  savepoint
    .command('restore')
    .argument('<name>')
    .argument('[paths...]', 'only these files or folders')
    .description('bring a savepoint back; what stands there now becomes one itself')
    .option('--json', 'as JSON')
    .action(async (name: string, paths: string[], options: { json?: boolean }) => {
      await refuseInside(cli, 'savepoint restore');
      const restored = await (await workspaceAt(cli, cli.terminal.cwd)).restore(
        name,
        paths.length === 0 ? undefined : paths,
      );
      print(
        cli,
        options.json,
        restored,
        () => `Restored ${name}. Undo this with: tireless savepoint restore ${restored.before.name}`,
      );
    });
}

const workspaceAt = (cli: Cli, path: string): Promise<OpenWorkspace> =>
  openWorkspace({ path, stateDir: cli.home.dir, clock: makeClock(), env: cli.terminal.env });

async function turnsFor(
  cli: Cli,
  wanted: string | undefined,
): Promise<{ workspace: OpenWorkspace; turns: readonly TurnTrees[] }> {
  return cli.withStore(async (store) => {
    const view = await runFor(cli, store, wanted);
    const entries = [];
    for await (const entry of entriesOf(store, view.id)) entries.push(entry);
    return { workspace: await workspaceAt(cli, view.workspace), turns: turnTrees(entries) };
  });
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
        : `There is no ended turn ${turn}; the run had ${turns.length}.`,
      exit.usage,
    );
  if (first.before === 'unknown' || last.after === 'unknown')
    throw new CliError(
      'The files could not be read around that turn, so there is nothing to compare.',
      exit.error,
    );
  return { from: first.before, to: last.after };
}

function coloured(cli: Cli, text: string): string {
  const { paint } = cli.terminal;
  return text
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.startsWith('+')
        ? paint('green', line)
        : line.startsWith('-')
          ? paint('red', line)
          : line.startsWith('@@')
            ? paint('cyan', line)
            : line.startsWith('diff ')
              ? paint('bold', line)
              : line,
    )
    .join('\n');
}
