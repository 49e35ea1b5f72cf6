import type { RunView } from '../../contract/view.ts';
import { findHome, type Home } from '../../edge/home.ts';
import type { Presence } from '../../edge/presence.ts';
import { type PeekedRuns, peekRuns } from '../../edge/store/peek.ts';
import { exit } from './exit-codes.ts';
import { selectRun } from './select-run.ts';
import { statusText } from './status-text.ts';
import { type Io, makeTerminal } from './terminal.ts';

/*
 * Commands without the command-line library and, but for the server, without schemas. Each gives its exit code, or
 * null where the full program has to answer: help, arguments we would not write, a home or a store with a problem.
 */

/** People put it into prompts and status bars. */
export async function quickStatus(args: readonly string[], io: Io): Promise<number | null> {
  const flags = args.filter((arg) => arg.startsWith('-'));
  const names = args.filter((arg) => !arg.startsWith('-'));
  if (flags.some((flag) => flag !== '--json' && flag !== '--why') || names.length > 1) return null;
  const home = homeOr(io);
  const runs = home === null ? null : peekRuns(home.store);
  if (home === null || runs === null) return null;
  const terminal = makeTerminal(io);
  const selected = selectRun(runs.views, names[0], terminal.cwd);
  if ('problem' in selected) {
    terminal.err(selected.problem);
    return exit.usage;
  }
  const { view } = selected;
  terminal.out(
    flags.includes('--json')
      ? JSON.stringify({ ...view, keeper: await keeperOf(home, runs, view) }, null, 2)
      : statusText(selected.view, terminal, Date.now(), flags.includes('--why')),
  );
  if (runs.held.has(selected.view.id))
    (await import('./keeper-version.ts')).tellOtherVersion(terminal, home.store, selected.view.id);
  return exit.done;
}

async function keeperOf(home: Home, { held }: PeekedRuns, view: RunView): Promise<Presence> {
  const { presenceOf } = await import('../../edge/presence.ts');
  return presenceOf(home, { holder: async () => held.get(view.id) ?? null }, view, Date.now());
}

/** An agent waits for it before its first turn. */
export async function quickMcp(args: readonly string[], io: Io): Promise<number | null> {
  const [runFlag, run, waitFlag, wait, ...rest] = args;
  const isOurs = runFlag === '--run' && run !== undefined && waitFlag === '--wait-ms' && rest.length === 0;
  if (!isOurs || !/^[1-9]\d{0,8}$/.test(wait ?? '')) return null;
  return serveOn(io, run, Number(wait));
}

/** Serves until the client goes, and says on standard error what keeps it from that. */
export async function serveOn(io: Io, run: string | undefined, waitMs: number): Promise<number> {
  const { serveMcp } = await import('../mcp/serve.ts');
  const problem = await serveMcp({ io, run, waitMs });
  if (problem === null) return exit.done;
  io.stderr.write(`${problem}\n`);
  return exit.usage;
}

function homeOr({ env }: Io): Home | null {
  try {
    return findHome(env);
  } catch {
    return null; // the full program finds the same, and says it
  }
}
