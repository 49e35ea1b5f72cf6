import { resolve } from 'node:path';
import type { RunView, Store } from '../../contract/index.ts';
import { findHome, type Home } from '../../edge/home.ts';
import { openInline } from '../../edge/store/inline.ts';
import { selectRun } from './select-run.ts';
import type { Terminal } from './terminal.ts';

/** A command cannot do what was asked for; printed as it is, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
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
}

export function makeCli(terminal: Terminal): Cli {
  const home = findHome(terminal.env);
  return {
    terminal,
    home,
    self: [resolve(process.argv[1] ?? '')],
    async withStore(use) {
      const store = openInline(home.store);
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** The run a command means; refuses with exit 2 when there is none. */
export async function runFor(cli: Cli, store: Store, wanted: string | undefined): Promise<RunView> {
  const selected = selectRun(await store.runs(), wanted, cli.terminal.cwd);
  if ('problem' in selected) throw new CliError(selected.problem, 2);
  return selected.view;
}

/** A supervised agent must not answer its own questions or steer itself. */
export function refuseInside(cli: Cli, command: string): void {
  const run = cli.terminal.env.TIRELESS_RUN;
  if (run === undefined || run === '') return;
  throw new CliError(
    `tireless ${command} is for people: this shell belongs to the supervised run ${run}.`,
    2,
  );
}

/** Who is speaking, for the record. */
export const speaker = (cli: Cli): string =>
  `${cli.terminal.env.USER ?? cli.terminal.env.LOGNAME ?? 'person'}@cli`;

export const print = (cli: Cli, json: boolean | undefined, value: unknown, text: () => string): void =>
  cli.terminal.out(json === true ? JSON.stringify(value, null, 2) : text());
