import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CheckResult } from '../../../contract/index.ts';
import { makeClock } from '../../../edge/clock.ts';
import { loadConfig } from '../../../edge/config/load.ts';
import { openWorkspace } from '../../../edge/workspace/index.ts';
import { type Cli, print } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { duration } from '../format.ts';

/** What would prove the end of a run here, why, and whether it passes now. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--list', 'list them without running them')
    .option('-C, --dir <dir>', 'the workspace; default: this folder')
    .option('--json', 'as JSON')
    .action(async (options: { list?: boolean; dir?: string; json?: boolean }) => {
      const { terminal, home } = cli;
      const path = resolve(terminal.cwd, options.dir ?? '.');
      const workspace = await openWorkspace({
        path,
        stateDir: home.dir,
        clock: makeClock(),
        env: terminal.env,
      });
      const config = loadConfig({ home, workspace: workspace.path, env: terminal.env, nowAt: Date.now() });
      const detected =
        config.checks === 'auto' ? await workspace.detect() : { checks: config.checks, considered: [] };
      const results: CheckResult[] = [];
      const isShown = options.json !== true;
      if (isShown && detected.checks.length === 0)
        terminal.out(
          'No checks found. You will be asked at the end of a run; or set checks in .tireless/config.yaml.',
        );
      for (const check of detected.checks) {
        if (isShown)
          terminal.out(
            `${terminal.paint('bold', check.name)}  ${check.command}  ${terminal.paint('dim', check.source)}`,
          );
        if (options.list === true) continue;
        const result = await workspace.check(check, config.policy.limits.checkTimeoutMs);
        results.push(result);
        if (isShown) terminal.out(resultText(cli, result));
      }
      if (isShown)
        for (const one of detected.considered.filter((c) => !c.taken))
          terminal.out(terminal.paint('dim', `not used: ${one.what}: ${one.because}`));
      if (!isShown) print(cli, true, { ...detected, results }, () => '');
      cli.setExitCode(results.some((r) => r.outcome !== 'passed') ? exit.error : exit.done);
    });
}

function resultText(cli: Cli, r: CheckResult): string {
  const { paint } = cli.terminal;
  const counts =
    r.counts === undefined
      ? ''
      : ` · ${r.counts.passed} passed, ${r.counts.failed} failed, ${r.counts.skipped} skipped`;
  const coverage = r.coverage === undefined ? '' : ` · ${r.coverage.percent} % of ${r.coverage.unit}`;
  const head = `  ${r.outcome === 'passed' ? paint('green', '✓ passed') : paint('red', `✗ ${r.outcome}`)} in ${duration(r.durationMs)}, exit ${r.exitCode ?? 'none'}${counts}${coverage}`;
  const why = r.because === undefined ? '' : `\n    ${r.because}`;
  const tail =
    r.outcome === 'passed'
      ? ''
      : `\n${r.tail.text
          .split('\n')
          .slice(-15)
          .map((line) => `    ${line}`)
          .join('\n')}`;
  return head + why + tail;
}
