import { type AgentSession, type Event, type RunView, StoreError } from '../contract/index.ts';
import { isTerminal, policyVersion, type Run, viewOf } from '../core/index.ts';
import type { Dependencies } from './dependencies.ts';
import { holdLeases, type Leases } from './leases.ts';
import { type Opened, reopen } from './open-run.ts';
import { endOrphans } from './orphans.ts';
import { type Draft, makeRunLoop, pass, type RunLoop } from './run-loop.ts';

const batchEventsMax = 256;
/** How long the last acts may take to end before the run is left without them. */
const drainMs = 10_000;

export interface SuperviseOptions {
  readonly run: string;
  /** Lets go of the run and leaves it resumable. */
  readonly signal?: AbortSignal;
}

/**
 * Works a run until it is over, paused, or released. Holds the run's lease all the while; keeps no state
 * outside this call, so any number share a process. Throws when the run is unknown or held by another process.
 */
export async function supervise(deps: Dependencies, { run: id, signal }: SuperviseOptions): Promise<RunView> {
  const leases = await holdLeases(deps, id);
  try {
    const opened = await reopen(deps.store, id);
    if (opened === null)
      throw new StoreError('unknown-run', `there is no run ${id}`, 'list the runs with: tireless runs');
    const { run } = opened;
    if (run.policyVersion > policyVersion) throw newerRules(run);
    await endOrphans(deps, run);
    return isTerminal(run.state) ? viewOf(run) : await work(deps, opened, leases, signal);
  } finally {
    await leases.release();
  }
}

/** The run loop: the only loop. One queue in, and what came of each act returns through it. */
async function work(
  deps: Dependencies,
  opened: Opened,
  leases: Leases,
  signal: AbortSignal | undefined,
): Promise<RunView> {
  const loop = makeRunLoop(deps, opened, leases.epoch, signal);
  const { mailbox, timers, listener, under } = loop;
  const release = (): void => mailbox.put({ release: true });
  const stops = [leases.keep(() => mailbox.put({ broken: takenOver(loop.id) })), listener.stop];
  stops.push(() => signal?.removeEventListener('abort', release));
  signal?.addEventListener('abort', release, { once: true });
  if (signal?.aborted === true) release();
  let closeSockets = async (): Promise<void> => undefined;
  try {
    mailbox.put({ event: keeperStarted(deps, opened.run, leases.epoch) });
    const inbox = await listen(loop);
    stops.push(inbox.stop);
    closeSockets =
      (await deps.onHeld?.({
        epoch: leases.epoch,
        run: () => loop.run,
        wake: inbox.look,
        put: (event) => mailbox.put({ event }),
        hooks: (judge) => {
          loop.hooks = judge;
        },
      })) ?? closeSockets;
    if (deps.watchSleep !== undefined) stops.push(deps.watchSleep((slept) => afterSleep(loop, slept)));
    while (!(await hearNext(loop)));
    timers.clear();
    loop.ending.abort();
    // What a certified run learned is still written down.
    if (loop.run.state !== 'done') loop.draining.abort();
    await within(deps, closeAll(loop));
    await within(deps, Promise.allSettled(under));
    loop.draining.abort();
    await within(deps, Promise.allSettled(under));
    await shutDown(loop, signal?.aborted === true ? 'released' : `the run is ${loop.run.state}`);
    return viewOf(loop.run);
  } finally {
    loop.ending.abort();
    loop.draining.abort();
    for (const stop of stops) stop();
    timers.clear();
    mailbox.close();
    await within(deps, closeSockets());
    await within(deps, closeAll(loop));
    // A session that was still being opened must not outlive its keeper.
    void Promise.allSettled(under).then(() => closeAll(loop));
  }
}

function keeperStarted({ holder, version }: Dependencies, run: Run, epoch: number): Event {
  const { pid, host } = holder;
  const from = run.policyVersion;
  const policyUpgrade = from < policyVersion ? { from, to: policyVersion } : undefined;
  return { type: 'keeper-started', epoch, pid, host, version, policyUpgrade };
}

/** Older rules would not know what newer ones meant. */
const newerRules = ({ id, policyVersion: judgedBy }: Run): StoreError =>
  new StoreError(
    'newer',
    `run ${id} was last worked by a newer Tireless (policy version ${judgedBy}, this one knows ${policyVersion})`,
    'Use the newer version. Nothing was changed.',
  );

const takenOver = (run: string): StoreError =>
  new StoreError(
    'stale-epoch',
    `run ${run} was taken over by another process`,
    'nothing to do: the other process works it',
  );

function afterSleep(loop: RunLoop, slept: { sleptMs: number; countedMs: number }): void {
  loop.listener.slept(slept.countedMs);
  loop.mailbox.put({ event: { type: 'sleep-detected', ...slept } });
}

/** Waits for what should end soon, and not for ever. */
async function within(deps: Dependencies, ending: Promise<unknown>): Promise<void> {
  let off = (): void => undefined;
  const draining = new Promise<void>((resolve) => {
    off = deps.clock.after(drainMs, resolve);
  });
  await Promise.race([ending, draining]);
  off();
}

/** One batch through the run loop. True when there is nothing more to work on. */
async function hearNext(loop: RunLoop): Promise<boolean> {
  const batch = await loop.mailbox.take(batchEventsMax);
  const broken = batch.find((mail) => 'broken' in mail);
  if (broken !== undefined) throw broken.broken;
  const drafts = batch.filter((mail) => 'event' in mail);
  if (drafts.length > 0) await pass(loop, drafts);
  const { state } = loop.run;
  return (
    batch.length === 0 || batch.some((mail) => 'release' in mail) || isTerminal(state) || state === 'paused'
  );
}

/** Records what came of the last acts. Anything else that arrived is left for the next keeper: the inbox keeps it. */
async function shutDown(loop: RunLoop, because: string): Promise<void> {
  const { mailbox, run } = loop;
  mailbox.close();
  const rest = mailbox.size() === 0 ? [] : await mailbox.take(mailbox.size());
  const drafts = rest.filter((mail) => 'event' in mail).filter(({ event }) => event.type === 'effect-ended');
  const rests = isTerminal(run.state) || run.state === 'paused';
  await pass(loop, [...(rests ? drafts : []), { event: { type: 'keeper-ended', because } }]);
}

/** A session that outlives us is left running, unless the run is over. */
async function closeAll({ sessions, run }: RunLoop): Promise<void> {
  const open = new Set(sessions.values());
  sessions.clear();
  const isLeft = run.agent.outlives === true && !isTerminal(run.state) && run.session?.lost !== true;
  const end = (session: AgentSession): Promise<void> =>
    isLeft && session.detach !== undefined ? session.detach() : session.close();
  await Promise.allSettled([...open].map(end));
}

/**
 * Hears the inbox: what is there now, and whatever any process writes later; each row once. Timers that came due
 * while nobody kept the run are heard with it, in the order in which they and the messages happened.
 */
async function listen(loop: RunLoop): Promise<{ look(): void; stop(): void }> {
  const { deps, id, mailbox } = loop;
  const seen = new Set<string>();
  const unheard = async (): Promise<Missed[]> => {
    const rows = (await deps.store.inbox(id)).filter((row) => !seen.has(row.id));
    for (const row of rows) seen.add(row.id);
    return rows.map((row) => ({ at: row.at, draft: { event: row.event, cause: row.id } }));
  };
  const read = async (): Promise<void> => {
    for (const { draft } of await unheard()) mailbox.put(draft);
  };
  const look = (): void =>
    void read().catch((error: unknown) => deps.onTrouble?.(`the inbox cannot be read: ${String(error)}`));
  const stop = deps.store.subscribe(id, look);
  const missed = [...overdue(loop), ...(await unheard())];
  for (const { draft } of missed.sort((a, b) => a.at - b.at)) mailbox.put(draft);
  return { look, stop };
}

interface Missed {
  readonly at: number;
  readonly draft: Draft;
}

const overdue = ({ deps, run }: RunLoop): Missed[] =>
  Object.entries(run.timers)
    .filter(([, timer]) => timer.clock === 'wall' && timer.dueAt <= deps.clock.at())
    .map(([name, timer]) => ({
      at: timer.dueAt,
      draft: { event: { type: 'timer-fired', timer: name, effect: timer.effect } },
    }));
