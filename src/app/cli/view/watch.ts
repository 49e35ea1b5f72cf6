import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Entry, RunView, Store } from '../../../contract/index.ts';
import { isTerminal } from '../../../core/index.ts';
import { processStart } from '../../../edge/lock.ts';
import { followLive } from '../../../edge/sockets/follow-live.ts';
import { openInline } from '../../../edge/store/inline.ts';
import { entriesOf } from '../../entries.ts';
import { type Cli, CliError, speaker } from '../cli.ts';
import { exit, exitCodeOf } from '../exit-codes.ts';
import { nextAction, stateWords } from '../format.ts';
import { type Line, linesOf } from './lines.ts';
import { makeLinePainter } from './paint.ts';
import { makeScreen, type Screen } from './screen.ts';

const lookMs = 1_000;
/** A keeper seen gone this often in a row has ended; a new one would have said so by then. */
const goneLooksMax = 5;

export interface WatchOptions {
  /** The run is worked in this very process. */
  readonly foreground: boolean;
  readonly fromSeq?: number;
  readonly json?: boolean;
  /** What is shown of an entry, where that is not the usual. */
  readonly lines?: (entry: Entry) => readonly Line[];
  /** Somebody else answers what the run waits for: there is no one to hand over to. */
  readonly stays?: boolean;
  /** The run's own time, where that is not this machine's. */
  readonly now?: () => number;
}

/** Shows a run until there is nothing more to see; gives the exit code. Closing the view changes nothing about the run. */
export async function watchRun(cli: Cli, run: string, options: WatchOptions): Promise<number> {
  const store = openInline(cli.home.store);
  const abort = new AbortController();
  const worked = options.foreground ? keepHere(cli, run, abort.signal) : null;
  const screen = makeScreen(cli.terminal, options.json !== true, options.now);
  const interrupts = onInterrupt(cli, store, run, screen, worked === null ? null : () => abort.abort());
  try {
    const view = await follow(cli, store, run, options, screen, worked);
    screen.end();
    if (options.json === true) cli.terminal.out(JSON.stringify(view));
    else summary(cli, view);
    return interrupts.left() ? exit.interrupted : exitCodeOf(view);
  } finally {
    interrupts.stop();
    screen.end();
    abort.abort();
    await worked?.catch(() => undefined); // told by follow already
    await store.close();
  }
}

async function keepHere(
  { home, terminal: { env, err } }: Cli,
  run: string,
  signal: AbortSignal,
): Promise<RunView> {
  const { keep } = await import('../../keeper.ts'); // only a run of this process needs all of it
  return keep({ home, env, run, signal, onTrouble: err });
}

/** Follows the ledger. Ends with the run, or where a script has to hand over to a person or a clock. */
async function follow(
  cli: Cli,
  store: Store,
  run: string,
  options: WatchOptions,
  screen: Screen,
  worked: Promise<RunView> | null,
): Promise<RunView> {
  const paint = makeLinePainter(cli.terminal);
  const stays = cli.terminal.isInteractive || worked !== null || options.stays === true;
  let seq = options.fromSeq ?? 1;
  let wake = (): void => undefined;
  const kept: { end: (() => RunView) | null } = { end: null };
  const stop = store.subscribe(run, () => wake());
  // Following must keep this process alive, and notice when nobody works the run any more.
  let keeper: { pid: number; host: string } | null = null;
  let gone = 0;
  let isHeard = options.fromSeq === undefined;
  const look = setInterval(() => {
    gone =
      keeper !== null && worked === null && keeper.host === hostname() && processStart(keeper.pid) === null
        ? gone + 1
        : 0;
    if (gone >= goneLooksMax) wake();
  }, lookMs);
  const live = followLive(cli.home, run, (text) => screen.say(text));
  const settle = (how: () => RunView): void => {
    kept.end = how;
    wake();
  };
  worked?.then(
    (view) => settle(() => view),
    (error: unknown) =>
      settle(() => {
        throw error;
      }),
  );
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const { end } = kept; // before reading, so that its last entries are shown
      for await (const entry of entriesOf(store, run, seq)) {
        seq = entry.seq + 1;
        if (options.json === true) cli.terminal.out(JSON.stringify(entry));
        else for (const line of (options.lines ?? linesOf)(entry)) screen.print(paint(line));
        if (endsSaying(entry)) screen.say(null);
        if (entry.event.type === 'keeper-started') keeper = entry.event;
        if (entry.event.type === 'person-asked') isHeard = true;
        if (entry.event.type === 'keeper-ended') keeper = null;
      }
      if (end !== null) return end();
      const view = await store.view(run);
      if (view !== null) screen.show(view);
      if (view !== null && isOver(view, stays, isHeard)) return worked === null ? view : await worked;
      if (gone >= goneLooksMax)
        throw new CliError(
          `The keeper of ${run} ended unexpectedly. Nothing is lost; continue with: tireless resume ${run}\nIts log: ${join(cli.home.runFolder(run), 'keeper.log')}`,
          exit.error,
        );
      await changed;
    }
  } finally {
    clearInterval(look);
    stop();
    live();
  }
}

/** What was being said now stands in a line of its own, or nobody goes on with it. */
const endsSaying = ({ event }: Entry): boolean =>
  event.type === 'turn-ended' || (event.type === 'item-ended' && event.kind === 'message');

/** `isHeard`: a keeper has taken up what the person asked; until then a paused run is only still paused. */
function isOver(view: RunView, stays: boolean, isHeard: boolean): boolean {
  if (isTerminal(view.state)) return true;
  if (!isHeard) return false;
  if (view.state === 'paused') return true;
  return (
    !stays &&
    view.state === 'waiting' &&
    (view.waitingOn === 'approval' || view.waitingOn === 'input' || view.waitingOn === 'usage-limit')
  );
}

/**
 * The first Ctrl-C asks the run to stop after its turn, the second at once; a third leaves. When the terminal closes
 * or somebody ends us, a background run is left alone, and a run of this process is released and stays resumable.
 */
function onInterrupt(
  cli: Cli,
  store: Store,
  run: string,
  screen: Screen,
  release: (() => void) | null,
): { stop(): void; left(): boolean } {
  const { io } = cli.terminal;
  let times = 0;
  let isLeft = false;
  const leave = (): void => {
    isLeft = true;
    screen.end();
    if (release === null || times > 2) io.exit(exit.interrupted);
    else release();
  };
  const interrupted = (): void => {
    times += 1;
    if (times > 2) {
      leave();
      return;
    }
    void store
      .post(run, { type: 'person-asked', ask: 'stop', now: times === 2, by: speaker(cli) })
      .catch((error: unknown) => screen.print(String(error)));
    screen.print(times === 1 ? 'Stopping after this turn. Ctrl-C again stops now.' : 'Stopping now.');
  };
  const signals = [
    ['SIGINT', interrupted],
    ['SIGHUP', leave],
    ['SIGTERM', leave],
  ] as const;
  for (const [name, act] of signals) io.on(name, act);
  // Nobody reads the view any more: over for a view, and nothing to a run of this process.
  if (release === null) io.stdout.on('error', leave);
  return {
    stop: () => {
      for (const [name, act] of signals) io.off(name, act);
      io.stdout.off('error', leave);
    },
    left: () => isLeft || times > 0,
  };
}

function summary(cli: Cli, view: RunView): void {
  const { paint, out } = cli.terminal;
  const tone = view.state === 'done' ? 'green' : view.state === 'failed' ? 'red' : 'yellow';
  out('');
  out(`${paint([tone, 'bold'], stateWords(view, Date.now()))}: ${view.because}`);
  const next = nextAction(view);
  out(paint('dim', `${view.turns} turns · run ${view.id}${next === null ? '' : `\nnext: ${next}`}`));
}
