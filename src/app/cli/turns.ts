import { type TurnTrees, turnTrees } from '../../core/view/turn-trees.ts';
import { makeClock } from '../../edge/clock.ts';
import { type OpenWorkspace, openWorkspace } from '../../edge/workspace/index.ts';
import { entriesOf } from '../entries.ts';
import { type Cli, runFor } from './cli.ts';

export const workspaceAt = (cli: Cli, path: string): Promise<OpenWorkspace> =>
  openWorkspace({ path, stateDir: cli.home.dir, clock: makeClock(), env: cli.terminal.env });

/** The workspace of a run, and its files before and after each turn. */
export async function turnsFor(
  cli: Cli,
  wanted: string | undefined,
): Promise<{ workspace: OpenWorkspace; turns: readonly TurnTrees[] }> {
  return cli.withStore(async (store) => {
    const view = await runFor(cli, store, wanted);
    const entries = await Array.fromAsync(entriesOf(store, view.id));
    return { workspace: await workspaceAt(cli, view.workspace), turns: turnTrees(entries) };
  });
}
