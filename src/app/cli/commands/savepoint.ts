import type { Command } from 'commander';
import { type Cli, print, refuseInside } from '../cli.ts';
import { clockTime } from '../format.ts';
import { workspaceAt } from '../turns.ts';

export function define(command: Command, cli: Cli): void {
  command
    .command('list', { isDefault: true })
    .description('list the savepoints of this workspace, newest first')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const all = await (await workspaceAt(cli, cli.terminal.cwd)).savepoints();
      const rows = all.map(({ name, at, because }) => {
        const day = new Date(at).toISOString().slice(0, 10);
        return `${name}  ${cli.terminal.paint('dim', `${day} ${clockTime(at)}`)}  ${because}`;
      });
      print(cli, json, all, () => rows.join('\n') || 'No savepoints.');
    });
  command
    .command('restore')
    .argument('<name>')
    .argument('[paths...]', 'only these files or folders')
    .description('restore a savepoint; the current files are kept as another one')
    .option('--json', 'as JSON')
    .action(async (name: string, paths: string[], { json }: { json?: boolean }) => {
      await refuseInside(cli, 'savepoint restore');
      const workspace = await workspaceAt(cli, cli.terminal.cwd);
      const restored = await workspace.restore(name, paths.length === 0 ? undefined : paths);
      const undo = `tireless savepoint restore ${restored.before.name}`;
      print(cli, json, restored, () => `Restored ${name}. Undo with: ${undo}`);
    });
}
