import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { runScriptedAgent } from '../../../edge/agents/scripted/agent-process.ts';
import { scriptSchema } from '../../../edge/agents/scripted/script.ts';
import type { Cli } from '../cli.ts';

/** The agent of the demo and of tests, in a process of its own. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<script>')
    .argument('<log>')
    .argument('<session>')
    .action(async (scriptPath: string, logPath: string, session: string) => {
      const { cwd, io } = cli.terminal;
      const script = scriptSchema.parse(JSON.parse(readFileSync(scriptPath, 'utf8')));
      await runScriptedAgent({ script, logPath, session, cwd, input: io.stdin, output: io.stdout });
      io.exit(0); // nobody is left to work for
    });
}
