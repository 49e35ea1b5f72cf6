import { join } from 'node:path';
import { entriesOf } from '../../src/app/entries.ts';
import type { Entry, Event, RunView, Store } from '../../src/contract/index.ts';
import { isTerminal, replay } from '../../src/core/index.ts';
import { verifyRun } from '../../src/edge/store/chain.ts';
import { openInline } from '../../src/edge/store/inline.ts';
import { type Running, until } from '../process-kit.ts';
import type { Place } from './place.ts';
import { check } from './scripts.ts';

const resumesMax = 4;
const goneMs = 10_000;
const saidCharsMax = 800;

export interface Crash {
  /** The boundary at which the process is killed; 0: never. */
  readonly at: number;
  /** What becomes of the agent when its keeper dies. */
  readonly agent: 'dies' | 'survives';
  /** Boundaries at which whoever picks the run up is killed in turn. */
  readonly again?: readonly number[];
  readonly flags?: readonly string[];
  /** Speaks to the run from outside while a process works it; gives the ids of the messages left. */
  readonly person?: Person;
}

export type Person = (store: Store, run: string, isOver: () => boolean) => Promise<readonly string[]>;

export interface Crashed {
  /** Every boundary the first process passed. */
  readonly passed: readonly string[];
  /** The boundary that was killed; null when the run ended before it. */
  readonly boundary: string | null;
  /** Was anything recorded before the kill? */
  readonly recorded: boolean;
  readonly orphans: number;
  readonly messages: number;
  readonly kills: number;
  /** Everything that is not as promised; empty when all is well. */
  readonly wrong: readonly string[];
}

export const runArgs = (flags: readonly string[] = []): string[] => [
  ...['run', '--agent', 'scripted', '--yes', '--foreground', '--check', check, ...flags],
  ...['--script', '../script.json', 'make the shop count right'],
];

/** One life of a run: started, killed at the boundary, picked up until it ends, and looked at from every side. */
export async function crash(place: Place, one: Crash): Promise<Crashed> {
  const { agent, flags, person } = one;
  const wrong: string[] = [];
  const victim = place.start(runArgs(flags), { CRASH_AT: String(one.at), CRASH_AGENT: agent });
  const talk = talked(place, victim, person);
  const { signal, code } = await victim.ended;
  const passed = place.boundaries();
  const boundary = signal === 'SIGKILL' ? (passed.at(-1) ?? null) : null;
  if (boundary === null && code !== 0) wrong.push(`not killed, and exit ${code}: ${lastWords(victim)}`);
  const orphans = place.alive().length;
  if (agent === 'dies') await place.endAll();
  const messages = [...(await talk)];

  const found = await viewOf(place);
  if (found === undefined) {
    if (boundary === null) wrong.push('the run ended and is not recorded');
    const again = place.start(runArgs(flags), { CRASH_AGENT: agent });
    const { code } = await again.ended;
    if (code !== 0) wrong.push(`the next run in the same folder exits ${code}: ${lastWords(again)}`);
  } else {
    if (!isTerminal(found.state))
      messages.push(
        await withStore(place, (store) => store.post(found.id, steer('left while nobody kept it'))),
      );
    const more = await pickedUp(place, found.id, one, wrong);
    messages.push(...more);
    await inspect(place, found.id, messages, wrong);
  }
  wrong.push(...(await leftOver(place)));
  const kills = (boundary === null ? 0 : 1) + (one.again?.length ?? 0);
  return {
    passed,
    boundary,
    recorded: found !== undefined,
    orphans,
    messages: messages.length,
    kills,
    wrong,
  };
}

export const steer = (text: string): Event => ({ type: 'steer-given', text: { text }, by: 'test' });

const lastWords = (running: Running): string => running.said().slice(-saidCharsMax);

/** Lets the person speak as long as the process lives; whatever was said by then is what must be heard. */
async function talked(
  place: Place,
  running: Running,
  person: Person | undefined,
): Promise<readonly string[]> {
  if (person === undefined) return [];
  let isOver = false;
  void running.ended.then(() => {
    isOver = true;
  });
  return withStore(place, async (store) => {
    const view = await until(async () => isOver || (await store.runs())[0], 'the run was never recorded');
    return view === true ? [] : person(store, view.id, () => isOver);
  });
}

/** Resumes as a person would, until the run is over; some of those who pick it up are killed as well. */
async function pickedUp(
  place: Place,
  run: string,
  { agent, again = [], person }: Crash,
  wrong: string[],
): Promise<readonly string[]> {
  const messages: string[] = [];
  for (let times = 0; ; times++) {
    const view = await viewOf(place);
    const isOver = view !== undefined && isTerminal(view.state);
    if (isOver && times > 0) return messages;
    if (times >= resumesMax + again.length) {
      wrong.push(`after ${times} resumes it is still ${view?.state}: ${view?.because}`);
      return messages;
    }
    const killAt = again[times];
    const keeper = place.start(['resume', '--foreground', run], {
      CRASH_AGENT: agent,
      ...(killAt === undefined ? {} : { CRASH_AT: String(killAt) }),
    });
    const talk = isOver ? [] : talked(place, keeper, person);
    const { code, signal } = await keeper.ended;
    if (signal !== null && agent === 'dies') await place.endAll();
    messages.push(...(await talk));
    const isAsPromised = signal === null ? code === (isOver ? 2 : 0) : killAt !== undefined;
    if (!isAsPromised)
      wrong.push(`resume of a run that is ${view?.state} ends with ${signal ?? code}: ${lastWords(keeper)}`);
    if (isOver) return messages;
  }
}

/** Ledger, chain, replay, inbox, and the agent's own witness. */
async function inspect(
  place: Place,
  run: string,
  messages: readonly string[],
  wrong: string[],
): Promise<void> {
  await withStore(place, async (store) => {
    const entries: Entry[] = [];
    for await (const entry of entriesOf(store, run)) entries.push(entry);
    const chain = await verifyRun(store, run);
    wrong.push(...chain.damage.map((damage) => `chain: ${damage.because}`));
    wrong.push(...replay(entries).divergences.map((one) => `replay: #${one.seq} ${one.event}: ${one.what}`));
    for (const id of messages) {
      const times = entries.filter((entry) => entry.cause === id).length;
      if (times !== 1) wrong.push(`message ${id} was heard ${times} times`);
    }
    const unheard = await store.inbox(run);
    if (unheard.length > 0) wrong.push(`${unheard.length} messages were never heard`);
    const view = await store.view(run);
    if (view?.state !== 'done') wrong.push(`it is ${view?.state}: ${view?.because}`);
  });
  const prompts = place.agentLog(run).filter((line) => line.kind === 'turn');
  const twice = prompts.filter(
    (line, i) => prompts.findIndex((other) => other.dispatch === line.dispatch) !== i,
  );
  wrong.push(...twice.map((line) => `the agent got ${line.dispatch} twice`));
}

async function leftOver(place: Place): Promise<string[]> {
  try {
    await until(() => place.alive().length === 0, '', goneMs);
    return [];
  } catch {
    return [`processes outlived the run: ${place.alive().join(', ')}`];
  }
}

export async function withStore<T>(place: Place, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openInline(join(place.home, 'tireless.db'));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

export const viewOf = (place: Place): Promise<RunView | undefined> =>
  withStore(place, async (store) => (await store.runs())[0]);
