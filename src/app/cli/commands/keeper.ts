import type { Command } from 'commander';
import { keep } from '../../keeper.ts';
import type { Cli } from '../cli.ts';
import { exitCodeOf } from '../exit-codes.ts';

/** The process that works a run in the background. */
export function define(command: Command, cli: Cli): void {
  command.argument('<run>').action(async (run: string) => {
    const { io, env, err } = cli.terminal;
    const abort = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) io.on(signal, () => abort.abort());
    const onTrouble = (trouble: string): void => err(`${new Date().toISOString()} ${trouble}`);
    const view = await keep({ home: cli.home, env, run, signal: abort.signal, onTrouble });
    cli.setExitCode(exitCodeOf(view));
  });
}
