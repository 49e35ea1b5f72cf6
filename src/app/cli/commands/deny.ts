import type { Command } from 'commander';
import { answerCommand } from '../answer-gate.ts';
import type { Cli } from '../cli.ts';

export function define(command: Command, cli: Cli): void {
  answerCommand(command, cli, 'deny', 'the reason, passed on to the agent');
}
