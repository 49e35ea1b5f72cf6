import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Finding } from '../../../edge/agents/kind.ts';
import { agentKinds } from '../../../edge/agents/registry.ts';
import { programState } from '../../../edge/agents/shared/ask-program.ts';
import { loadConfig } from '../../../edge/config/load.ts';
import { ConfigError } from '../../../edge/config/problems.ts';
import { inspectStore } from '../../../edge/store/inspect.ts';
import { peekViews } from '../../../edge/store/peek.ts';
import { ownVersion } from '../../version.ts';
import { type Cli, print } from '../cli.ts';
import { exit } from '../exit-codes.ts';
import { otherVersion } from '../keeper-version.ts';

export function define(command: Command, cli: Cli): void {
  command.option('--json', 'as JSON').action(async (options: { json?: boolean }) => {
    const findings = [
      runtime(),
      await git(cli),
      ...(await Promise.all(agentKinds.map((kind) => kind.doctor(cli.terminal)))).flat(),
      store(cli),
      ...keepers(cli),
      config(cli),
    ];
    print(cli, options.json, findings, () => findings.map((one) => findingText(cli, one)).join('\n'));
    cli.setExitCode(findings.some((one) => one.state === 'wrong') ? exit.error : exit.done);
  });
}

const runtime = (): Finding => ({
  what: 'tireless',
  state: 'ok',
  says: `${ownVersion()} on Node ${process.versions.node}`,
});

async function git(cli: Cli): Promise<Finding> {
  const what = 'git';
  const found = await programState(what, cli.terminal);
  if (found.state === 'works') return { what, state: 'ok', says: `${found.version} (${found.path})` };
  if (found.state === 'broken') {
    const says = `${found.path} does not start (${found.because})`;
    return { what, state: 'wrong', says, fix: 'reinstall it' };
  }
  const fix = 'install git: without it no change can be seen or undone';
  return { what, state: 'wrong', says: 'not installed', fix };
}

function store(cli: Cli): Finding {
  const { store: path } = cli.home;
  if (!existsSync(path)) return { what: 'store', state: 'ok', says: `none yet (${path})` };
  const seen = inspectStore(path);
  const [first] = seen.problems;
  if (first === undefined)
    return { what: 'store', state: 'ok', says: `${seen.runs.length} runs, every chain intact (${path})` };
  return {
    what: 'store',
    state: 'wrong',
    says: seen.problems.map((p) => `${p.place}: ${p.what}`).join('; '),
    fix: first.fix,
  };
}

/** Keepers of another version that are still at work. */
const keepers = ({ home }: Cli): Finding[] =>
  (peekViews(home.store) ?? []).flatMap(({ id }) => {
    const other = otherVersion(home.store, id);
    return other === null ? [] : [{ what: 'keeper', state: 'note', ...other }];
  });

function config(cli: Cli): Finding {
  const { home, terminal } = cli;
  try {
    const { notices } = loadConfig({ home, workspace: terminal.cwd, env: terminal.env, nowAt: Date.now() });
    if (notices.length === 0) return { what: 'config', state: 'ok', says: 'valid' };
    return {
      what: 'config',
      state: 'note',
      says: notices.map((n) => n.message).join('; '),
      fix: notices[0]?.fix ?? '',
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { what: 'config', state: 'wrong', says: error.message };
  }
}

function findingText(cli: Cli, { what, state, says, fix }: Finding): string {
  const { paint } = cli.terminal;
  const mark =
    state === 'ok' ? paint('green', '✓') : state === 'note' ? paint('yellow', '·') : paint('red', '✗');
  return `${mark} ${what.padEnd(10)} ${says}${fix === undefined || fix === '' ? '' : `\n             ${paint('bold', fix)}`}`;
}
