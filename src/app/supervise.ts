import { type RunView, StoreError } from '../contract/index.ts';
import { isTerminal, viewOf } from '../core/index.ts';
import { type Corridor, type Draft, makeCorridor, pass } from './corridor.ts';
import type { House } from './house.ts';
import { holdLeases, type Leases } from './leases.ts';
import { type Opened, reopen } from './open-run.ts';
import { endSurvivors } from './survivors.ts';

const batchEventsMax = 256;
/** How long the last acts may take to end before the run is left without them. */
const partingMs = 10_000;

export interface SuperviseOptions {
  readonly run: string;
  /** Lets go of the run and leaves it resumable. */
  readonly signal?: AbortSignal;
}

/**
 * Works a run until it is over, paused, or told to let go. Holds the run's lease all the while; keeps no state
 * outside this call, so any number share a process. Throws when the run is unknown or held by another process.
 */
export async function supervise(house: House, { run: id, signal }: SuperviseOptions): Promise<RunView> {
  const leases = await holdLeases(house, id);
  try {
    const opened = await reopen(house.store, id);
    if (opened === null)
      throw new StoreError('unknown-run', `there is no run ${id}`, 'list the runs with: tireless runs');
    await endSurvivors(house, id);
    const { run } = opened;
    return isTerminal(run.state) ? viewOf(run) : await work(house, opened, leases, signal);
  } finally {
    await leases.release();
  }
}

/** The corridor: the only loop. One queue in, and what came of each act returns through it. */
async function work(
  house: House,
  opened: Opened,
  leases: Leases,
  signal: AbortSignal | undefined,
): Promise<RunView> {
  const corridor = makeCorridor(house, opened, leases.epoch, signal);
  const { mailbox, timers, ears, under } = corridor;
  const letGo = (): void => mailbox.put({ letGo: true });
  const { pid, host } = house.holder;
  const stops = [leases.keep(() => mailbox.put({ broken: takenOver(corridor.id) })), ears.stop];
  stops.push(() => signal?.removeEventListener('abort', letGo));
  signal?.addEventListener('abort', letGo, { once: true });
  if (signal?.aborted === true) letGo();
  try {
    mailbox.put({
      event: { type: 'keeper-started', epoch: leases.epoch, pid, host, version: house.version },
    });
    stops.push(await listen(corridor));
    if (house.watchSleep !== undefined) stops.push(house.watchSleep((slept) => afterSleep(corridor, slept)));
    while (!(await hearNext(corridor)));
    timers.clear();
    corridor.ending.abort();
    // What a certified run learned is still written down.
    if (corridor.run.state !== 'done') corridor.parting.abort();
    await within(house, closeAll(corridor));
    await within(house, Promise.allSettled(under));
    corridor.parting.abort();
    await within(house, Promise.allSettled(under));
    await farewell(
      corridor,
      signal?.aborted === true ? 'told to let go' : `the run is ${corridor.run.state}`,
    );
    return viewOf(corridor.run);
  } finally {
    corridor.ending.abort();
    corridor.parting.abort();
    for (const stop of stops) stop();
    timers.clear();
    mailbox.close();
    await within(house, closeAll(corridor));
    // A session that was still being opened must not outlive its keeper.
    void Promise.allSettled(under).then(() => closeAll(corridor));
  }
}

const takenOver = (run: string): StoreError =>
  new StoreError(
    'stale-epoch',
    `run ${run} was taken over by another process`,
    'nothing to do: the other process works it',
  );

function afterSleep(corridor: Corridor, slept: { sleptMs: number; countedMs: number }): void {
  corridor.ears.slept(slept.countedMs);
  corridor.mailbox.put({ event: { type: 'sleep-detected', ...slept } });
}

/** Waits for what should end soon, and not for ever. */
async function within(house: House, ending: Promise<unknown>): Promise<void> {
  let off = (): void => undefined;
  const parting = new Promise<void>((resolve) => {
    off = house.clock.after(partingMs, resolve);
  });
  await Promise.race([ending, parting]);
  off();
}

/** One batch through the corridor. True when there is nothing more to work on. */
async function hearNext(corridor: Corridor): Promise<boolean> {
  const batch = await corridor.mailbox.take(batchEventsMax);
  const broken = batch.find((mail) => 'broken' in mail);
  if (broken !== undefined) throw broken.broken;
  const drafts = batch.filter((mail) => 'event' in mail);
  if (drafts.length > 0) await pass(corridor, drafts);
  const { state } = corridor.run;
  return (
    batch.length === 0 || batch.some((mail) => 'letGo' in mail) || isTerminal(state) || state === 'paused'
  );
}

/** Records what came of the last acts. Anything else that arrived is left for the next keeper: the inbox keeps it. */
async function farewell(corridor: Corridor, because: string): Promise<void> {
  const { mailbox, run } = corridor;
  mailbox.close();
  const rest = mailbox.size() === 0 ? [] : await mailbox.take(mailbox.size());
  const drafts = rest.filter((mail) => 'event' in mail).filter(({ event }) => event.type === 'effect-ended');
  const rests = isTerminal(run.state) || run.state === 'paused';
  await pass(corridor, [...(rests ? drafts : []), { event: { type: 'keeper-ended', because } }]);
}

async function closeAll({ sessions }: Corridor): Promise<void> {
  const open = [...sessions.values()];
  sessions.clear();
  await Promise.allSettled(open.map((session) => session.close()));
}

/**
 * Hears the inbox: what is there now, and whatever any process writes later; each row once. Timers that came due
 * while nobody kept the run are heard with it, in the order in which they and the messages happened.
 */
async function listen(corridor: Corridor): Promise<() => void> {
  const { house, id, mailbox } = corridor;
  const seen = new Set<string>();
  const unheard = async (): Promise<Missed[]> => {
    const rows = (await house.store.inbox(id)).filter((row) => !seen.has(row.id));
    for (const row of rows) seen.add(row.id);
    return rows.map((row) => ({ at: row.at, draft: { event: row.event, cause: row.id } }));
  };
  const look = async (): Promise<void> => {
    for (const { draft } of await unheard()) mailbox.put(draft);
  };
  const stop = house.store.subscribe(
    id,
    () =>
      void look().catch((error: unknown) => house.onTrouble?.(`the inbox cannot be read: ${String(error)}`)),
  );
  const missed = [...overdue(corridor), ...(await unheard())];
  for (const { draft } of missed.sort((a, b) => a.at - b.at)) mailbox.put(draft);
  return stop;
}

interface Missed {
  readonly at: number;
  readonly draft: Draft;
}

const overdue = ({ house, run }: Corridor): Missed[] =>
  Object.entries(run.timers)
    .filter(([, timer]) => timer.clock === 'wall' && timer.dueAt <= house.clock.at())
    .map(([name, timer]) => ({
      at: timer.dueAt,
      draft: { event: { type: 'timer-fired', timer: name, effect: timer.effect } },
    }));
