import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.ts';
import { serveOn } from '../quick.ts';

/** How long a call may wait where nobody says: below the minute after which most clients give up. */
const waitDefaultMs = 50_000;

const waitMsMax = 24 * 60 * 60_000;

function waitOf(text: string): number {
  const ms = Number(text);
  if (!Number.isInteger(ms) || ms < 1 || ms > waitMsMax)
    throw new InvalidArgumentError(`It must be a whole number of ms from 1 to ${waitMsMax}.`);
  return ms;
}

/** The tools an agent may call, spoken over standard input and output. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--run <run>', 'the run it acts for; default: the run this process belongs to')
    .option('--wait-ms <ms>', 'longest wait of one call for a person or for checks', waitOf, waitDefaultMs)
    .addHelpText(
      'after',
      '\nAgents that Tireless starts get it by themselves, for their session only; nothing is written to your own settings.\n\nExamples:\n  tireless mcp --run 20260101-000000-00aaaa',
    )
    .action(async ({ run, waitMs }: { run?: string; waitMs: number }) =>
      cli.setExitCode(await serveOn(cli.terminal.io, run, waitMs)),
    );
}
