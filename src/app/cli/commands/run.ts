import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { select } from '@clack/prompts';
import { type Command, Option } from 'commander';
import type { Setup } from '../../../edge/agents/kind.ts';
import { agentKinds } from '../../../edge/agents/registry.ts';
import { scriptSchema } from '../../../edge/agents/scripted/script.ts';
import { loadConfig } from '../../../edge/config/load.ts';
import { agentNames, installedAgents } from '../../agents.ts';
import { begin } from '../begin.ts';
import { type Cli, CliError } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { type LimitFlags, limitOptions, limitsOf, wholeNumber } from '../limit-flags.ts';

interface RunFlags extends LimitFlags {
  readonly agent?: string;
  readonly dir?: string;
  readonly mode?: string;
  readonly cycles?: number;
  readonly check?: string[];
  readonly approvals?: string;
  readonly script?: string;
  readonly yes?: boolean;
  readonly foreground?: boolean;
  readonly detach?: boolean;
  readonly trust?: boolean;
  readonly worktree?: boolean;
  readonly json?: boolean;
}

export function define(command: Command, cli: Cli): void {
  limitOptions(command)
    .argument('<mission>', 'what you want done')
    .option('--agent <name>', `the agent that works: ${agentNames.join(', ')}`)
    .option('-C, --dir <dir>', 'the workspace; default: this folder')
    .addOption(
      new Option('--mode <mode>', 'one context window, or as many as --cycles').choices([
        'once',
        'autonomous',
      ]),
    )
    .option('--cycles <n>', 'context windows of an autonomous run, 1 to 100', wholeNumber)
    .option(
      '--check <command>',
      'a command that proves the work is done; repeatable',
      (one: string, all: string[] = []) => [...all, one],
    )
    .addOption(
      new Option('--approvals <strategy>', 'who answers the agent’s requests').choices([
        'policy',
        'pause',
        'never-ask',
      ]),
    )
    .option('--script <file>', 'the script of the scripted agent')
    .option('--yes', 'start without asking')
    .option('--foreground', 'run it in this process, e.g. in CI')
    .option('--detach', 'start it and return')
    .option('--trust', 'trust the config file of this folder as it is now')
    .option('--worktree', 'work in a git worktree of its own')
    .option('--json', 'every entry as one JSON line')
    .addHelpText(
      'after',
      '\nExamples:\n  tireless run "make the tests pass"\n  tireless run --turns 50 --until 07:30 "port the parser to Rust"\n  tireless run --foreground --yes --check "make test" "fix the build"',
    )
    .action(async (mission: string, flags: RunFlags) => {
      if (mission.trim() === '')
        throw new CliError(
          'The mission is empty. Say what you want, e.g.: tireless run "make the tests pass"',
        );
      if (flags.agent === 'scripted' && flags.script === undefined)
        throw new CliError('The scripted agent needs a script: --script FILE');
      const workspace = resolve(cli.terminal.cwd, flags.dir ?? '.');
      const code = await begin(cli, {
        mission,
        workspace,
        agent: flags.agent ?? (await chooseAgent(cli, workspace)),
        flags: configOf(flags),
        yes: flags.yes === true,
        foreground: flags.foreground === true,
        detach: flags.detach === true,
        json: flags.json === true,
        trust: flags.trust === true,
        worktree: flags.worktree === true,
        setup:
          flags.script === undefined ? undefined : scriptedSetup(resolve(cli.terminal.cwd, flags.script)),
      });
      cli.setExitCode(code);
    });
}

/** The script as it is now is the run's own, and so is the agent's log: a run resumed later plays on where it was. */
function scriptedSetup(file: string): (runFolder: string) => Setup {
  const text = readScript(file);
  return (runFolder) => {
    const script = join(runFolder, 'script.json');
    writeFileSync(script, text);
    return { script, log: join(runFolder, 'agent.log') };
  };
}

function readScript(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    scriptSchema.parse(JSON.parse(text));
    return text;
  } catch (error) {
    throw new CliError(`${file} is not a valid script: ${(error as Error).message}`);
  }
}

/** Flags in the shape of a config file, so that they are checked and explained like one. */
function configOf({ check, mode, cycles, approvals, until, ...flags }: RunFlags): Record<string, unknown> {
  return {
    limits: { ...limitsOf(flags), until },
    mode,
    autonomousMaxCycles: cycles,
    approvals,
    checks: check?.map((command, i) => ({ name: check.length === 1 ? 'check' : `check ${i + 1}`, command })),
  };
}

/** The configured agent, else the one that is installed; asks when there are several. */
async function chooseAgent(cli: Cli, workspace: string): Promise<string> {
  const { env, isInteractive } = cli.terminal;
  const configured = loadConfig({ home: cli.home, workspace, env, nowAt: Date.now() }).agent.name;
  if (configured !== undefined) return configured;
  const found = installedAgents(env);
  const [first, ...more] = found;
  if (first === undefined)
    throw new CliError(
      `No agent is installed. Install one, e.g.: ${agentKinds[0]?.install}\nOr try it without one: tireless demo`,
    );
  if (more.length === 0) return first.name;
  if (!isInteractive)
    throw new CliError(
      `Several agents are installed (${found.map((a) => a.name).join(', ')}); choose with --agent.`,
    );
  const chosen = await select({
    message: 'Which agent should work?',
    options: found.map(({ name, path }) => ({ value: name, label: name, hint: path })),
  });
  if (typeof chosen !== 'string') throw new CliError('Nothing was started.', exit.interrupted);
  return chosen;
}
