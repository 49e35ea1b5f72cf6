import { findHome } from '../../edge/home.ts';
import { peekRuns } from '../../edge/store/peek.ts';
import { exit } from './exit-codes.ts';
import { selectRun } from './select-run.ts';
import { statusText } from './status-text.ts';
import { processTerminal } from './terminal.ts';

/**
 * `status` without the command-line library and without schemas: people put it into prompts and status bars. False
 * when the arguments are not its own; the full program then answers, help included.
 */
export async function quickStatus(args: readonly string[]): Promise<boolean> {
  const flags = args.filter((arg) => arg.startsWith('-'));
  const names = args.filter((arg) => !arg.startsWith('-'));
  if (flags.some((flag) => flag !== '--json' && flag !== '--why') || names.length > 1) return false;
  const terminal = processTerminal();
  const { store } = findHome(terminal.env);
  const runs = peekRuns(store);
  if (runs === null) return false; // whatever is wrong with the store, the full program says it properly
  const selected = selectRun(runs.views, names[0], terminal.cwd);
  if ('problem' in selected) {
    terminal.err(selected.problem);
    process.exitCode = exit.usage;
    return true;
  }
  terminal.out(
    flags.includes('--json')
      ? JSON.stringify(selected.view, null, 2)
      : statusText(selected.view, terminal, Date.now(), flags.includes('--why')),
  );
  if (runs.held.has(selected.view.id))
    (await import('./keeper-version.ts')).tellOtherVersion(terminal, store, selected.view.id);
  return true;
}
