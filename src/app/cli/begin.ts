import { mkdirSync, rmSync } from 'node:fs';
import type { Check } from '../../contract/index.ts';
import type { Setup } from '../../edge/agents/kind.ts';
import { makeClock } from '../../edge/clock.ts';
import { type Config, loadConfig } from '../../edge/config/load.ts';
import { trustFolder } from '../../edge/config/trust.ts';
import { openHome } from '../../edge/home.ts';
import { makeIds } from '../../edge/ids.ts';
import { makeIngest } from '../../edge/ingest/ingest.ts';
import { makeRedactor, readKey } from '../../edge/ingest/redact.ts';
import { holderHere } from '../../edge/lock.ts';
import { openInline } from '../../edge/store/inline.ts';
import { openWorkspace } from '../../edge/workspace/index.ts';
import { addWorktree, removeWorktree } from '../../edge/workspace/worktree.ts';
import { agentNames, makeAgent, setupOf } from '../agents.ts';
import { createRun } from '../create-run.ts';
import { siteHere } from '../site.ts';
import { type Cli, CliError, speaker } from './cli.ts';
import { exit } from './exit-codes.ts';
import { budgetProblem, confirmStart, preflightText } from './preflight.ts';
import { type WatchOptions, watchRun } from './view/watch.ts';

export interface Beginning {
  readonly mission: string;
  readonly workspace: string;
  readonly agent: string;
  /** What the command line set, in the shape of a config file. */
  readonly flags: Record<string, unknown>;
  readonly yes: boolean;
  readonly foreground: boolean;
  readonly detach: boolean;
  readonly json: boolean;
  readonly trust: boolean;
  readonly worktree: boolean;
  /** More about starting the agent; may write into the run's folder. */
  readonly setup?: (runFolder: string) => Setup;
  /** How the run is watched, where that is not the usual. */
  readonly view?: Pick<WatchOptions, 'lines' | 'stays' | 'now'>;
}

/** From a mission to a run under way: look, show, ask, record, start. Gives the exit code. What was not recorded leaves nothing. */
export async function begin(cli: Cli, beginning: Beginning): Promise<number> {
  const { home, terminal } = cli;
  const id = makeIds().run();
  let isRecorded = false;
  try {
    isRecorded = await record(cli, id, beginning);
  } finally {
    if (!isRecorded) {
      rmSync(home.runFolder(id), { recursive: true, force: true });
      if (beginning.worktree) await removeWorktree(beginning.workspace, id, home.dir);
    }
  }
  if (!isRecorded) {
    terminal.err('Nothing was started.');
    return exit.interrupted;
  }
  if (!beginning.foreground) cli.startKeeper(id);
  if (beginning.detach) {
    terminal.out(
      beginning.json ? JSON.stringify({ run: id }) : `Started ${id}. Watch it with: tireless logs -f ${id}`,
    );
    return exit.done;
  }
  const { foreground, json, view } = beginning;
  return watchRun(cli, id, { foreground, json, ...view });
}

/** Everything up to the first entry. False when the person, asked, did not want it. */
async function record(cli: Cli, id: string, beginning: Beginning): Promise<boolean> {
  const { home, terminal } = cli;
  const { env } = terminal;
  const given = beginning.worktree
    ? await addWorktree(beginning.workspace, id, home.dir)
    : beginning.workspace;
  openHome(home, given);
  // Opening proves that the folder exists and can be worked in, before anything is asked or written.
  const opened = await openWorkspace({ path: given, stateDir: home.dir, clock: makeClock(), env });
  const workspace = opened.path;
  const config = await configFor(cli, workspace, beginning);
  mkdirSync(home.runFolder(id), { recursive: true, mode: 0o700 });
  const setup = setupOf(config.agent, {
    self: JSON.stringify(cli.self),
    ...beginning.setup?.(home.runFolder(id)),
  });
  const agent = await makeAgent(beginning.agent, setup, { run: id, cwd: workspace, env });
  if (agent === null)
    throw new CliError(`There is no agent "${beginning.agent}". Known: ${agentNames.join(', ')}`);
  const problem = budgetProblem(config.policy, agent.facts);
  if (problem !== null) throw new CliError(problem);
  const checks: readonly Check[] = config.checks === 'auto' ? (await opened.detect()).checks : config.checks;
  if (!beginning.json)
    terminal.out(
      preflightText(
        { mission: beginning.mission, workspace, agent: agent.facts, config, checks, home: home.dir },
        terminal,
      ),
    );
  if (!beginning.yes && !terminal.isInteractive)
    throw new CliError('Nobody is here to confirm; start with --yes. Nothing was started.');
  if (!beginning.yes && !(await confirmStart(terminal))) return false;
  const store = openInline(home.store);
  try {
    const clock = makeClock();
    const redact = makeRedactor({ env, declared: config.secrets.env, key: await readKey(home.key) });
    const created = {
      agent: agent.facts,
      policy: config.policy,
      configDigest: config.digest,
      mode: config.mode,
      setup,
      by: speaker(cli),
      workspace,
      site: siteHere(env, home.dir),
    };
    await createRun(
      { store, ingest: makeIngest({ clock, redact }), holder: holderHere(id) },
      { id, mission: beginning.mission, checks, created },
    );
  } finally {
    await store.close();
  }
  return true;
}

async function configFor(cli: Cli, workspace: string, beginning: Beginning): Promise<Config> {
  const { home, terminal } = cli;
  const from = { home, workspace, env: terminal.env, flags: beginning.flags, nowAt: Date.now() };
  const config = loadConfig(from);
  const { project } = config;
  if (!beginning.trust || project === undefined || project.trusted) return config;
  await trustFolder(home, workspace, project.digest, from.nowAt);
  return loadConfig(from);
}
