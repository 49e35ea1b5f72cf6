import { resolve } from 'node:path';
import type { RunView, Store } from '../../contract/index.ts';
import { isTerminal } from '../../core/index.ts';
import { ancestorsOf } from '../../edge/ancestors.ts';
import { findHome, type Home } from '../../edge/home.ts';
import { isAlive } from '../../edge/lock.ts';
import { type StartKeeper, spawnKeeper } from '../spawn-keeper.ts';
import { exit } from './exit-codes.ts';
import { tellOtherVersion } from './keeper-version.ts';
import { selectRun } from './select-run.ts';
import { type Io, makeTerminal, type Terminal } from './terminal.ts';

/** A command cannot do what was asked for; printed as it is, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exit.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What every command works with. */
export interface Cli {
  readonly terminal: Terminal;
  readonly home: Home;
  /** Arguments that start this same program again with this same Node. */
  readonly self: readonly string[];
  withStore<T>(use: (store: Store) => Promise<T>): Promise<T>;
  startKeeper(run: string): void;
  /** How the command ends, where it ends neither well nor with an error. */
  setExitCode(code: number): void;
  exitCode(): number;
}

export function makeCli(io: Io, startKeeper: StartKeeper = spawnKeeper): Cli {
  const terminal = makeTerminal(io);
  const home = findHome(terminal.env);
  const self = [resolve(io.argv[1] ?? '')];
  let exitCode: number = exit.done;
  return {
    terminal,
    home,
    self,
    async withStore(use) {
      const { openInline } = await import('../../edge/store/inline.ts');
      const store = openInline(home.store);
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    },
    startKeeper: (run) => startKeeper(home, run, terminal.env, self),
    setExitCode(code) {
      exitCode = code;
    },
    exitCode: () => exitCode,
  };
}

/** The run a command means; refuses with exit 2 when there is none, and says so when another version keeps it. */
export async function runFor(cli: Cli, store: Store, wanted: string | undefined): Promise<RunView> {
  const selected = selectRun(await store.runs(), wanted, cli.terminal.cwd);
  if ('problem' in selected) throw new CliError(selected.problem);
  tellOtherVersion(cli.terminal, cli.home.store, selected.view.id);
  return selected.view;
}

/** How commands take the run they are about. */
export const runArgument = ['[run]', 'id or a part of it; default: the newest run of this folder'] as const;

/**
 * A supervised agent must not answer its own questions or steer itself: refused where the environment says so, and
 * where a recorded agent of a run is among our ancestors, whatever it did to the environment.
 */
export async function refuseInside(cli: Cli, command: string): Promise<void> {
  const refuse = (run: string): never => {
    throw new CliError(`tireless ${command} is for people: this shell belongs to the supervised run ${run}.`);
  };
  const run = cli.terminal.env.TIRELESS_RUN;
  if (run !== undefined && run !== '') refuse(run);
  const ancestors = new Set(ancestorsOf(process.pid));
  await cli.withStore(async (store) => {
    for (const view of await store.runs()) {
      if (isTerminal(view.state)) continue;
      const agents = (await store.children(view.id)).filter(
        (child) => ancestors.has(child.pid) && isAlive(child),
      );
      if (agents.length > 0) refuse(view.id);
    }
  });
}

/** Who is speaking, for the record. */
export const speaker = (cli: Cli): string =>
  `${cli.terminal.env.USER ?? cli.terminal.env.LOGNAME ?? 'person'}@cli`;

export const print = (cli: Cli, json: boolean | undefined, value: unknown, text: () => string): void =>
  cli.terminal.out(json === true ? JSON.stringify(value, null, 2) : text());
