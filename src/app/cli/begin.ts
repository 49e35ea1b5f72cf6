import type { Setup } from '../../edge/agents/kind.ts';
import { makeIds } from '../../edge/ids.ts';
import { addWorktree, removeWorktree } from '../../edge/workspace/worktree.ts';
import { forgetRun, prepareRun, recordRun, type WantedRun } from '../prepare-run.ts';
import { type Cli, CliError, speaker } from './cli.ts';
import { exit } from './exit-codes.ts';
import { confirmStart, preflightText } from './preflight.ts';
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
      forgetRun({ id, home });
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
  const { home, terminal, self } = cli;
  const { mission, agent, flags, trust, setup, json, yes } = beginning;
  const workspace = beginning.worktree
    ? await addWorktree(beginning.workspace, id, home.dir)
    : beginning.workspace;
  const wanted: WantedRun = { id, home, env: terminal.env, workspace, agent, flags, self, trust, setup };
  const prepared = await prepareRun(wanted);
  if ('problem' in prepared) throw new CliError(prepared.problem);
  if (!json)
    terminal.out(
      preflightText({ ...prepared, mission, agent: prepared.agent.facts, home: home.dir }, terminal),
    );
  if (!yes && !terminal.isInteractive)
    throw new CliError('Nobody can confirm without a terminal; use --yes. Nothing was started.');
  if (!yes && !(await confirmStart(terminal))) return false;
  await recordRun(wanted, prepared, { mission, by: speaker(cli) });
  return true;
}
