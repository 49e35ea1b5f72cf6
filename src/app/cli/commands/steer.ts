import type { Command } from 'commander';
import { type Cli, CliError, print, runArgument, speaker } from '../cli.ts';
import { tellRun } from '../tell-run.ts';

const steerCharsMax = 16_384;

export function define(command: Command, cli: Cli): void {
  command
    .argument('<words>', 'what the agent should know or do next')
    .argument(...runArgument)
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  tireless steer "leave the public API as it is"')
    .action(async (words: string, wanted: string | undefined, { json }: { json?: boolean }) => {
      if (words.trim() === '') throw new CliError('The instructions are empty.');
      const text = { text: words.slice(0, steerCharsMax) };
      const event = { type: 'steer-given' as const, text, by: speaker(cli) };
      const { id } = await tellRun(cli, wanted, 'steer', [event], false);
      print(cli, json, { run: id, steered: words }, () => `Sent to ${id}.`);
    });
}
