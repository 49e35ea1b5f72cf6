import { resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import type { GuardContextInput, Judgement } from '../../../contract/index.ts';
import { judgeCommand } from '../../../core/guards/index.ts';
import { loadConfig } from '../../../edge/config/load.ts';
import { realPath } from '../../../edge/home.ts';
import { siteHere } from '../../site.ts';
import { type Cli, CliError, print } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { isError, jsonLines } from '../json-lines.ts';

const lineSchema = z.object({ command: z.string(), cwd: z.string().optional() });

/** What the guard says about a command, without running anything. */
export function define(command: Command, cli: Cli): void {
  command
    .command('check')
    .argument('[command]', 'a command as an agent would run it')
    .description('judge a command by its effects; nothing is run')
    .option('--jsonl', 'read {"command", "cwd"?} lines on stdin, answer one line each')
    .option('--cwd <dir>', 'where it would run; default: this folder')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  tireless guard check 'git push -f'\n  tireless guard check --jsonl < commands.jsonl",
    )
    .action(
      async (command: string | undefined, options: { jsonl?: boolean; cwd?: string; json?: boolean }) => {
        const judge = judgeHere(cli);
        if (options.jsonl === true) {
          cli.setExitCode((await judgeLines(cli, judge)) ? exit.done : exit.error);
          return;
        }
        if (command === undefined)
          throw new CliError("Name a command, e.g.: tireless guard check 'git push -f'");
        const judged = judge(command, options.cwd);
        print(cli, options.json, judged, () => judgementText(cli, judged));
      },
    );
}

type Judge = (command: string, cwd: string | undefined) => Judgement;

/** With the rules that hold in this folder. A command that would run elsewhere has its own folder as workspace. */
function judgeHere(cli: Cli): Judge {
  const { home, terminal } = cli;
  const here = realPath(terminal.cwd);
  const { policy } = loadConfig({ home, workspace: here, env: terminal.env, nowAt: Date.now() });
  const site = siteHere(terminal.env, home.dir);
  return (command, given) => {
    const cwd = given === undefined ? here : resolve(here, given);
    const workspace = cwd === here || cwd.startsWith(here + sep) ? here : cwd;
    const context: GuardContextInput = {
      ...site,
      workspace,
      cwd,
      approvals: policy.approvals,
      config: policy.guards,
    };
    return judgeCommand(command, context);
  };
}

/** One answer per line, in order; a line that cannot be read is answered with its error. True when all could. */
async function judgeLines(cli: Cli, judge: Judge): Promise<boolean> {
  let isAllWell = true;
  for await (const line of jsonLines(cli, lineSchema)) {
    isAllWell &&= !isError(line);
    const judged = isError(line) ? line : judge(line.command, line.cwd);
    cli.terminal.out(JSON.stringify(isError(judged) ? judged : { ...judged, effects: judged.effects ?? [] }));
  }
  return isAllWell;
}

const verdictTones = { allow: 'green', ask: 'yellow', forbid: 'red' } as const;

function judgementText(cli: Cli, judged: Judgement): string {
  const { paint } = cli.terminal;
  const row = (name: string, value: string): string => `  ${paint('dim', name.padEnd(8))} ${value}`;
  const never = judged.never === true ? '  (on the never list: no setting can relax this)' : '';
  return [
    `${paint([verdictTones[judged.verdict], 'bold'], judged.verdict)}${never}`,
    row('rule', judged.rule),
    row('because', judged.because),
    ...(judged.effects ?? []).map((effect, i) => row(i === 0 ? 'effects' : '', effect)),
    ...(judged.instead === undefined ? [] : [row('instead', judged.instead)]),
  ].join('\n');
}
