import { mkdirSync } from 'node:fs';
import { type Agent, type Entry, type RunView, type Store, StoreError } from '../contract/index.ts';
import { replaceFile } from '../edge/atomic-file.ts';
import { makeAwake } from '../edge/awake/awake.ts';
import type { Env, Home } from '../edge/home.ts';
import { makeRedactor, readKey } from '../edge/ingest/redact.ts';
import { chainCheck, rowsOf } from '../edge/store/chain.ts';
import { openThreaded } from '../edge/store/threaded.ts';
import { makeTelemetry } from '../edge/telemetry/otlp.ts';
import { composeDependencies } from './compose.ts';
import { usableSnapshot } from './open-run.ts';
import { makeRunSockets } from './run-sockets.ts';
import { supervise } from './supervise.ts';

const takeoverTries = 50;
const takeoverMs = 100;

export interface KeeperOptions {
  readonly home: Home;
  readonly env: Env;
  readonly run: string;
  readonly signal?: AbortSignal;
  /** The caller's own agent, where the run's is not one of ours. */
  readonly agent?: Agent;
  readonly onView?: (view: RunView) => void;
  readonly onEntry?: (entry: Entry) => void;
  readonly onTrouble?: (trouble: string) => void;
}

/** Works one run in this process until it is over or paused; keeps its state file and its sockets for whoever looks on. */
export async function keep(options: KeeperOptions): Promise<RunView> {
  const { home, env, run, signal, agent, onTrouble } = options;
  mkdirSync(home.runFolder(run), { recursive: true, mode: 0o700 });
  const store = openThreaded(home.store);
  let trouble: string | null = null;
  const state = makeStateFile(home.stateFile(run));
  const awake = makeAwake(env);
  const telemetry = makeTelemetry(env);
  try {
    await assertWhole(store, run);
    const redact = makeRedactor({ env, declared: [], key: await readKey(home.key) });
    const sockets = makeRunSockets({ home, env, run, store, redact, trouble: () => trouble });
    const deps = await composeDependencies({
      home,
      env,
      store,
      run,
      agent,
      onHeld: sockets.open,
      onLive: sockets.live,
      onView: (view) => {
        trouble = null;
        state.put(view);
        awake.follow(view);
        options.onView?.(view);
      },
      onEntry: (entry) => {
        telemetry?.(entry);
        options.onEntry?.(entry);
      },
      onTrouble: (what) => {
        trouble = what;
        onTrouble?.(what);
      },
    });
    return await takingOver(() => supervise(deps, { run, signal }));
  } finally {
    awake.off();
    await telemetry?.close();
    await state.settled();
    await store.close();
  }
}

/** A run is not worked on a damaged ledger: what the last snapshot does not cover is checked row by row first. */
async function assertWhole(store: Store, run: string): Promise<void> {
  const snapshot = await usableSnapshot(store, run);
  const check = chainCheck(snapshot === null ? undefined : { seq: snapshot.seq, hash: snapshot.hash });
  for await (const row of rowsOf(store, run, (snapshot?.seq ?? 0) + 1)) check.row(row);
  const [damage] = check.end().damage;
  if (damage === undefined) return;
  throw new StoreError(
    'corrupt',
    `the ledger of run ${run} is damaged: ${damage.because}`,
    `nothing was changed; inspect it with: tireless replay ${run}, then start a new run`,
  );
}

/** The last keeper may be on its way out: wait for it a little before giving up. */
async function takingOver(work: () => Promise<RunView>): Promise<RunView> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError && error.fault === 'busy') || tries >= takeoverTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, takeoverMs));
    }
  }
}

/** Writes the newest view, one write at a time: what came meanwhile is written next, what was outdated never. */
function makeStateFile(path: string): { put(view: RunView): void; settled(): Promise<void> } {
  let next: RunView | null = null;
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    while (next !== null) {
      const view = next;
      next = null;
      await replaceFile(path, `${JSON.stringify(view, null, 2)}\n`);
    }
    writing = null;
  };
  return {
    put(view) {
      next = view;
      // The state file is a convenience; a disk that refuses it shows in the ledger first.
      writing ??= write().catch(() => {
        writing = null;
      });
    },
    settled: async () => void (await writing),
  };
}
