import { Command, CommanderError, Help } from 'commander';
import { ConfigError } from '../../edge/config/problems.ts';
import type { StartKeeper } from '../spawn-keeper.ts';
import { ownVersion } from '../version.ts';
import { type Cli, CliError, makeCli } from './cli.ts';
import { commands, everyday } from './commands.ts';
import { exit } from './exit-codes.ts';
import { type Io, makeTerminal } from './terminal.ts';

/** The program with every command listed, and with those that are `wanted` ready to run. */
export async function makeProgram(cli: Cli, wanted: (name: string) => boolean, all = true): Promise<Command> {
  const program = new Command('tireless')
    .description('Keeps coding agents working on a mission until an explicit stop condition holds.')
    .version(ownVersion())
    .option('--all', 'with --help: list every command')
    // Or `stop --all` would be taken for the program's own option.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void cli.terminal.io.stdout.write(text),
      writeErr: (text) => void cli.terminal.io.stderr.write(text),
    })
    .helpCommand(true)
    .configureHelp({
      // A command that is not loaded does not know its arguments.
      subcommandTerm: (command) => command.name(),
      visibleCommands: (command) =>
        new Help()
          .visibleCommands(command)
          .filter((one) => all || command.parent !== null || everyday.has(one.name())),
    })
    .addHelpText('after', all ? '' : '\nMore: tireless --all --help\nFirst time here? tireless demo');
  for (const [name, [description, load]] of Object.entries(commands)) {
    const command = program.command(name, { hidden: description === null }).description(description ?? '');
    if (wanted(name)) (await load()).define(command, cli);
  }
  return program;
}

/** Runs one command line. Expected failures are told in one line with their fix; only our own bugs show a stack. */
export async function runProgram(
  args: readonly string[],
  io: Io,
  startKeeper?: StartKeeper,
): Promise<number> {
  try {
    const cli = makeCli(io, startKeeper);
    const [first] = args;
    const all = args.includes('--all') && (first === '--all' || first === 'help' || first === '--help');
    const line = first === 'help' ? args.filter((arg) => arg !== '--all') : [...args];
    const named = line.find((arg) => arg !== 'help' && !arg.startsWith('-'));
    const program = await makeProgram(cli, (name) => name === named || named === 'completion', all);
    await program.parseAsync(line, { from: 'user' });
    return cli.exitCode();
  } catch (error) {
    const { err, paint } = makeTerminal(io);
    return tellError(error, err, (text) => paint('red', text));
  }
}

function tellError(error: unknown, say: (text: string) => void, red: (text: string) => string): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.usage; // commander has printed it
  if (error instanceof CliError) {
    say(error.message);
    return error.exitCode;
  }
  if (error instanceof ConfigError) {
    say(`${red('The configuration is not valid:')}\n${error.message}`);
    return exit.usage;
  }
  // Errors of the world bring their fix. Told apart by it, so that their files need not be loaded.
  if (error instanceof Error && 'fix' in error) {
    const { message, fix } = error;
    say(message.includes(String(fix)) ? red(message) : `${red(message)}\nFix: ${fix}`);
    return 'fault' in error && error.fault === 'unknown-run' ? exit.usage : exit.error;
  }
  say(red(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  say('This is a bug in Tireless. The run is recorded up to here and can be resumed.');
  return exit.error;
}
