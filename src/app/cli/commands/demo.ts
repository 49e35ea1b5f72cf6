import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { demoView } from '../../demo/captions.ts';
import { demoSetup } from '../../demo/demo-support.ts';
import { DemoFolderError, makeDemoProject } from '../../demo/project.ts';
import { demoMission, demoScript } from '../../demo/script.ts';
import { begin } from '../begin.ts';
import { type Cli, CliError } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { showReport } from './report.ts';

const paceDefaultMs = 200;

export function define(command: Command, cli: Cli): void {
  command
    .option('--dir <dir>', 'where to make the project; default: a new temporary folder')
    .option('--yes', 'start without asking')
    .option('--foreground', 'run it in this process instead of a background keeper')
    .option('--pace <ms>', 'pause between the agent’s steps', (text) => {
      const ms = Number(text);
      if (!Number.isInteger(ms) || ms < 0)
        throw new InvalidArgumentError('It must be a number of milliseconds.');
      return ms;
    })
    .option('--ask', 'answer the questions yourself, instead of the demo’s stand-in')
    .option('--json', 'every entry as one JSON line')
    .action(async (flags: DemoFlags) => {
      const paceMs = flags.pace ?? paceDefaultMs;
      const workspace = projectIn(cli, flags.dir);
      const code = await begin(cli, {
        mission: demoMission,
        workspace,
        agent: 'scripted',
        flags: {},
        yes: flags.yes === true || !cli.terminal.isInteractive || flags.dir === undefined,
        foreground: flags.foreground === true,
        json: flags.json === true,
        detach: false,
        trust: false,
        worktree: false,
        view: { ...demoView(Date.now), stays: flags.ask !== true },
        setup: (runFolder) => {
          const script = join(runFolder, 'script.json');
          writeFileSync(script, JSON.stringify(demoScript(paceMs)));
          return { script, log: join(workspace, 'agent.log'), ...demoSetup(paceMs, flags.ask === true) };
        },
      });
      if (code === exit.done && flags.json !== true) await reportOn(cli, workspace);
      cli.setExitCode(code);
    });
}

interface DemoFlags {
  readonly dir?: string;
  readonly yes?: boolean;
  readonly foreground?: boolean;
  readonly pace?: number;
  readonly ask?: boolean;
  readonly json?: boolean;
}

function projectIn(cli: Cli, wanted: string | undefined): string {
  const dir =
    wanted === undefined ? mkdtempSync(join(tmpdir(), 'tireless-demo-')) : resolve(cli.terminal.cwd, wanted);
  mkdirSync(dir, { recursive: true });
  const workspace = realpathSync(dir);
  try {
    makeDemoProject(workspace);
  } catch (error) {
    if (error instanceof DemoFolderError) throw new CliError(error.message);
    throw error;
  }
  return workspace;
}

async function reportOn(cli: Cli, workspace: string): Promise<void> {
  const views = await cli.withStore((store) => store.runs());
  const id = views.find((view) => view.workspace === workspace)?.id;
  if (id === undefined) return;
  cli.terminal.out('');
  await showReport(cli, id, {});
}
