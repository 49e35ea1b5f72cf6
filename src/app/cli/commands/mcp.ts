import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.ts';
import { mcpWaitDefaultMs, serveHere } from '../quick-mcp.ts';

const waitMsMax = 24 * 60 * 60_000;

function waitOf(text: string): number {
  const ms = Number(text);
  if (!Number.isInteger(ms) || ms < 1 || ms > waitMsMax)
    throw new InvalidArgumentError(`a whole number of ms from 1 to ${waitMsMax}`);
  return ms;
}

/** The tools an agent may call, spoken over standard input and output. */
export function addMcp(program: Command, _cli: Cli): void {
  program
    .command('mcp')
    .description('the tools of a run, for its agent: an MCP server on standard input and output')
    .option('--run <run>', 'the run it acts for; default: the run this process belongs to')
    .option('--wait-ms <ms>', 'longest wait of one call for a person or for checks', waitOf, mcpWaitDefaultMs)
    .addHelpText(
      'after',
      '\nAgents that Tireless starts get it by themselves, for their session only; nothing is written to your own settings.\n\nExamples:\n  tireless mcp --run 20260101-000000-00aaaa',
    )
    .action(({ run, waitMs }: { run?: string; waitMs: number }) => serveHere(run, waitMs));
}
