import { Command, CommanderError, Help, Option } from 'commander';
import { StoreError } from '../../contract/index.ts';
import { ConfigError } from '../../edge/config/problems.ts';
import { HomeError } from '../../edge/home.ts';
import { WorkspaceError } from '../../edge/workspace/errors.ts';
import { ownVersion } from '../version.ts';
import { type Cli, CliError, makeCli } from './cli.ts';
import { addAgents } from './commands/agents.ts';
import { addChanges } from './commands/changes.ts';
import { addChecks } from './commands/checks.ts';
import { addCompletion } from './commands/completion.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addGates } from './commands/gates.ts';
import { addGuard } from './commands/guard.ts';
import { addHidden } from './commands/hidden.ts';
import { addInit } from './commands/init.ts';
import { addLogs } from './commands/logs.ts';
import { addMcp } from './commands/mcp.ts';
import { addMemory } from './commands/memory.ts';
import { addMetrics } from './commands/metrics.ts';
import { addPause, addResume, addSteer, addStop } from './commands/people.ts';
import { addReplay } from './commands/replay.ts';
import { addReport } from './commands/report.ts';
import { addRun } from './commands/run.ts';
import { addRuns, addStatus } from './commands/runs.ts';
import { addService } from './commands/service.ts';
import { addTasks } from './commands/tasks.ts';
import { exit } from './exit-codes.ts';
import { processTerminal } from './terminal.ts';

/** The commands a person needs first; the rest stands under `help --all`. */
const everyday = new Set(['run', 'status', 'inbox', 'approve', 'diff', 'restore', 'stop', 'report']);

export function makeProgram(cli: Cli, all: boolean): Command {
  const program = new Command('tireless')
    .description('Keeps coding agents working on a mission until an explicit stop condition holds.')
    .version(ownVersion())
    .addOption(new Option('--all', 'with help: every command'))
    // Or `stop --all` would be taken for the program's own option.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpCommand(true)
    .configureHelp({
      visibleCommands: (command) =>
        new Help()
          .visibleCommands(command)
          .filter((c) => all || command.parent !== null || everyday.has(c.name())),
    })
    .addHelpText('after', all ? '' : '\nMore: tireless --all --help\nFirst time here? tireless demo');
  const adders = [
    addRun,
    addDemo,
    addStatus,
    addRuns,
    addLogs,
    addPause,
    addResume,
    addStop,
    addSteer,
    addGates,
    addReport,
    addTasks,
    addMemory,
    addMcp,
    addMetrics,
    addInit,
    addService,
    addCompletion,
    addReplay,
    addChanges,
    addChecks,
    addExport,
    addGuard,
    addDoctor,
    addAgents,
    addHidden,
  ];
  for (const add of adders) add(program, cli);
  const quiet = (command: Command): void => {
    command.exitOverride();
    for (const child of command.commands) quiet(child);
  };
  quiet(program);
  return program;
}

/** Runs one command line. Expected failures are told in one line with their fix; only our own bugs show a stack. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const terminal = processTerminal();
  try {
    const [first] = args;
    const all = args.includes('--all') && (first === '--all' || first === 'help' || first === '--help');
    const line = first === 'help' ? args.filter((arg) => arg !== '--all') : [...args];
    await makeProgram(makeCli(terminal), all).parseAsync(line, { from: 'user' });
  } catch (error) {
    process.exitCode = told(
      error,
      (text) => terminal.err(text),
      (text) => terminal.paint('red', text),
    );
  }
}

function told(error: unknown, say: (text: string) => void, red: (text: string) => string): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.usage; // commander has printed it
  if (error instanceof CliError) {
    say(error.message);
    return error.exitCode;
  }
  if (error instanceof ConfigError) {
    say(`${red('The configuration cannot be used:')}\n${error.message}`);
    return exit.usage;
  }
  if (error instanceof StoreError) {
    say(`${red(error.message)}\nFix: ${error.fix}`);
    return error.fault === 'unknown-run' ? exit.usage : exit.error;
  }
  if (error instanceof HomeError || error instanceof WorkspaceError) {
    say(error.message.includes(error.fix) ? red(error.message) : `${red(error.message)}\nFix: ${error.fix}`);
    return exit.error;
  }
  say(red(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  say('This is a bug in Tireless. The run is recorded up to here and can be resumed.');
  return exit.error;
}
