import type { Command } from 'commander';
import type { RunView } from '../../../contract/index.ts';
import { type Cli, print } from '../cli.ts';
import { ago, oneLine, stateWords, tildePath } from '../format.ts';
import { stateTone } from '../status-text.ts';

export function define(command: Command, cli: Cli): void {
  command
    .option('--json', 'as a JSON array')
    .option('--here', 'only runs of this folder')
    .addHelpText('after', "\nExamples:\n  tireless runs\n  tireless runs --json | jq '.[0].state'")
    .action(async (options: { json?: boolean; here?: boolean }) => {
      const views = await cli.withStore((store) => store.runs());
      const shown =
        options.here === true ? views.filter((view) => view.workspace === cli.terminal.cwd) : views;
      print(cli, options.json, shown, () =>
        shown.length === 0
          ? 'No runs yet. Start one with: tireless run "mission"'
          : shown.map((view) => runLine(cli, view)).join('\n'),
      );
    });
}

function runLine(cli: Cli, view: RunView): string {
  const { paint, env } = cli.terminal;
  const now = Date.now();
  const state = paint(stateTone(view), stateWords(view, now));
  return `${view.id}  ${state}\n  ${oneLine(view.mission, cli.terminal.width() - 4)}\n  ${paint('dim', `${view.agent} · ${view.cycle === undefined ? '' : `cycle ${view.cycle.n} of ${view.cycle.max} · `}${view.turns} turns · ${tildePath(view.workspace, env.HOME)} · ${ago(view.updatedAt, now)}`)}`;
}
