import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { runScriptedAgent } from '../../../edge/agents/scripted/agent-process.ts';
import { scriptSchema } from '../../../edge/agents/scripted/script.ts';
import { keep } from '../../keeper.ts';
import type { Cli } from '../cli.ts';
import { exitCodeOf } from '../exit-codes.ts';

/** Commands Tireless gives itself. */
export function addHidden(program: Command, cli: Cli): void {
  program
    .command('keeper', { hidden: true })
    .argument('<run>')
    .action(async (run: string) => {
      const abort = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => abort.abort());
      const view = await keep({
        home: cli.home,
        env: cli.terminal.env,
        run,
        signal: abort.signal,
        onTrouble: (trouble) => cli.terminal.err(`${new Date().toISOString()} ${trouble}`),
      });
      process.exitCode = exitCodeOf(view);
    });
  program
    .command('scripted-agent', { hidden: true })
    .argument('<script>')
    .argument('<log>')
    .argument('<session>')
    .action(async (scriptPath: string, logPath: string, session: string) => {
      const script = scriptSchema.parse(JSON.parse(readFileSync(scriptPath, 'utf8')));
      await runScriptedAgent({
        script,
        logPath,
        session,
        cwd: process.cwd(),
        input: process.stdin,
        output: process.stdout,
      });
      process.exit(0); // nobody is left to work for
    });
}
