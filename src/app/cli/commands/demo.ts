import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { DemoFolderError, makeDemoProject } from '../../demo/project.ts';
import { demoMission, demoScript } from '../../demo/script.ts';
import { begin } from '../begin.ts';
import { type Cli, CliError } from '../cli.ts';

const paceDefaultMs = 250;

export function addDemo(program: Command, cli: Cli): void {
  program
    .command('demo')
    .description('watch a scripted agent repair a small real project')
    .option('--dir <dir>', 'where to make the project; default: a new temporary folder')
    .option('--yes', 'start without asking')
    .option('--foreground', 'work it in this process instead of a background keeper')
    .option('--pace <ms>', 'pause between the agent’s steps', (text) => {
      const ms = Number(text);
      if (!Number.isInteger(ms) || ms < 0)
        throw new InvalidArgumentError('a number of milliseconds is needed.');
      return ms;
    })
    .option('--json', 'every entry as one JSON line')
    .action(
      async (options: {
        dir?: string;
        yes?: boolean;
        foreground?: boolean;
        pace?: number;
        json?: boolean;
      }) => {
        const dir =
          options.dir === undefined
            ? mkdtempSync(join(tmpdir(), 'tireless-demo-'))
            : resolve(cli.terminal.cwd, options.dir);
        mkdirSync(dir, { recursive: true });
        const workspace = realpathSync(dir);
        try {
          makeDemoProject(workspace);
        } catch (error) {
          if (error instanceof DemoFolderError) throw new CliError(error.message, 2);
          throw error;
        }
        process.exitCode = await begin(cli, {
          ...{
            mission: demoMission,
            workspace,
            agent: 'scripted',
            flags: {},
            yes: options.yes === true || !cli.terminal.isInteractive || options.dir === undefined,
          },
          ...{
            foreground: options.foreground === true,
            json: options.json === true,
            detach: false,
            trust: false,
            worktree: false,
          },
          setup: (runFolder) => {
            const script = join(runFolder, 'script.json');
            writeFileSync(script, JSON.stringify(demoScript(options.pace ?? paceDefaultMs)));
            return { script, log: join(workspace, 'agent.log') };
          },
        });
      },
    );
}
