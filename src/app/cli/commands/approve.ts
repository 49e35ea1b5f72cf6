import type { Command } from 'commander';
import { answerCommand } from '../answer-gate.ts';
import type { Cli } from '../cli.ts';

export function define(command: Command, cli: Cli): void {
  answerCommand(command, cli, 'approve', 'ignored').option(
    '--shape',
    'also allow later actions of the same shape in this run; not for the never list',
  );
}
