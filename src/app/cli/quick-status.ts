import { findHome } from '../../edge/home.ts';
import { peekViews } from '../../edge/store/peek.ts';
import { exit } from './exit-codes.ts';
import { selectRun } from './select-run.ts';
import { statusText } from './status-text.ts';
import { processTerminal } from './terminal.ts';

/**
 * `status` without the command-line library and without schemas: people put it into prompts and status bars. False
 * when the arguments are not its own; the full program then answers, help included.
 */
export function quickStatus(args: readonly string[]): boolean {
  const flags = args.filter((arg) => arg.startsWith('-'));
  const names = args.filter((arg) => !arg.startsWith('-'));
  if (flags.some((flag) => flag !== '--json' && flag !== '--why') || names.length > 1) return false;
  const terminal = processTerminal();
  const views = peekViews(findHome(terminal.env).store);
  if (views === null) return false; // whatever is wrong with the store, the full program says it properly
  const selected = selectRun(views, names[0], terminal.cwd);
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
  return true;
}
