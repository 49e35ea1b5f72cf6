import type { Event, RunView, Snapshot } from '../contract/index.ts';
import { bounds, foldVersion, isTerminal, policyVersion, type Run, step, viewOf } from '../core/index.ts';
import { makeIngest } from '../edge/ingest/ingest.ts';
import { complainIfToldTwice } from './cycle-watch.ts';
import { makeDice } from './dice.ts';
import { type LedgerWatch, watchLedger } from './ledger-watch.ts';
import { type MemoryStore, memoryStore } from './memory-store.ts';
import { simAgents } from './sim-agent.ts';
import { strike } from './sim-faults.ts';
import { post, type SimDependencies, type Supervise, startKeeper, type World } from './sim-keeper.ts';
import { drawAct, drawAnswer, resumePaused } from './sim-people.ts';
import { drawChecks, drawFacts, drawPolicy, drawReach } from './sim-policy.ts';
import type { SimTurn } from './sim-stage.ts';
import { drawTemper } from './sim-turn.ts';
import { type SimulatedClock, simulatedClock } from './simulated-clock.ts';

export type { Supervise, World };

/** A story longer than this comes to its end: the person stops it, and it must stop. */
const entriesMax = 100;
const resumesMax = 6;
/** A calm world in which a run does not stop within this time has lost it. */
const stoppingMaxMs = 6 * 3_600_000;
/** Longer than any deadline a drawn policy has, with its grace. */
const stuckMs = 3 * 3_600_000;
const restartsMax = 60;
const snapshotEntries = 12;
/** Every story meets a fault before anybody can end it. */
const firstFaultMaxMs = 1_000;
/** A question that waits for ever is found by somebody after this time. */
const forgottenMs = 3_600_000;

/** How one seeded story went. */
export interface Story {
  readonly world: World;
  readonly view: RunView;
  /** Every promise that was broken; empty when all held. */
  readonly complaints: readonly string[];
}

const lightIngest =
  (clock: SimulatedClock): SimDependencies['ingest'] =>
  (event, _body, cause) => ({ stamped: { at: clock.at(), mono: clock.mono(), event, cause }, bodies: [] });

/** One run from its first entry to its rest, in a world made from the seed alone. */
export async function tellStory(supervise: Supervise, seed: number, isExact = false): Promise<Story> {
  const world = makeWorld(supervise, seed, isExact);
  await createRun(world);
  startKeeper(world);
  world.clock.after(world.dice.between(0, firstFaultMaxMs), () => strike(world));
  for (let n = world.dice.between(0, 3); n > 0; n--) schedule(world, () => strike(world));
  for (let n = world.dice.between(0, 4); n > 0; n--)
    schedule(world, () => void post(world, drawAct(world.dice, world.posted.length)));
  const rest = { resumes: 0, restarts: 0, isRestarting: false, stopMono: null as number | null };
  const awakeMs = (): number => world.clock.mono() - world.sleptMs;
  let quietSince = awakeMs();
  let seen = 0;
  while (world.complaints.length === 0) {
    await new Promise(setImmediate);
    if (world.watch.entries.length !== seen) {
      seen = world.watch.entries.length;
      quietSince = awakeMs();
    }
    if (await hasRested(world, rest)) break;
    const quietMs = awakeMs() - quietSince;
    const isAnswering = quietMs > forgottenMs && waitsForPerson(world.watch.run() as Run);
    if (isAnswering) await answerAll(world);
    if (quietMs > stuckMs) complainIfStuck(world);
    // A keeper that died of the answer is looked after in the next round.
    if (!world.clock.next() && !isAnswering) {
      world.complain(`nothing will ever happen again while the run is ${world.watch.run()?.state}`);
      break;
    }
  }
  await checkEnd(world);
  return { world, view: viewOf(world.watch.run() as Run), complaints: world.complaints };
}

const schedule = (world: World, what: () => void): void =>
  void world.clock.after(
    world.dice.between(firstFaultMaxMs, world.dice.chance(0.7) ? 60_000 : 600_000),
    what,
  );

function makeWorld(supervise: Supervise, seed: number, isExact: boolean): World {
  const dice = makeDice(seed);
  const clock = simulatedClock();
  const complaints: string[] = [];
  const faults = new Map<string, number>();
  const complain = (what: string): void => void complaints.push(what);
  const fault = (what: string): void => void faults.set(what, (faults.get(what) ?? 0) + 1);
  const watch = watchLedger(complain);
  const files = { tree: 1, head: 0, failing: dice.pick([0.1, 0.4, 0.97]), altering: dice.pick([0, 0, 0.5]) };
  const temper = drawTemper(dice);
  const agents = simAgents({
    clock,
    dice,
    temper,
    facts: drawFacts(dice, temper),
    proven: drawReach(dice),
    fault,
    complain,
    isCalm: () => world.isCalm,
    // Work sometimes comes back to where it was.
    edit() {
      files.tree = dice.chance(0.1) ? 1 : files.tree + 1;
    },
    commit() {
      files.head += 1;
    },
  });
  const world: World = {
    id: `r${seed}`,
    supervise,
    dice,
    clock,
    watch,
    agents,
    files,
    faults,
    complaints,
    fault,
    complain,
    store: watched(memoryStore(clock), watch),
    sleepers: new Set(),
    keepers: new Map(),
    posted: [],
    ingest: isExact ? makeIngest({ clock, redact: (text) => text }) : lightIngest(clock),
    onQuestion: () => void answerSoon(world),
    deathChance: dice.chance(0.5) ? dice.roll() * 0.06 : 0,
    fullUntilMono: 0,
    isCalm: false,
    pids: 0,
    sleptMs: 0,
  };
  return world;
}

/**
 * The store, with somebody reading every entry as it is written, and with snapshots far more often than real keepers
 * leave them: most keepers open their run from one.
 */
function watched(store: MemoryStore, watch: LedgerWatch): MemoryStore {
  let snapshot: Snapshot | null = null;
  return {
    ...store,
    append: async (run, epoch, fromSeq, entries, extras) => {
      await store.append(run, epoch, fromSeq, entries, extras);
      for (const entry of entries) watch.see(entry);
      const { seq } = extras.view;
      if (seq >= (snapshot?.seq ?? 0) + snapshotEntries)
        snapshot = { seq, foldVersion, hash: '', json: JSON.stringify(watch.run()) };
    },
    snapshot: async () => snapshot,
  };
}

async function createRun(world: World): Promise<void> {
  const { id, dice, clock, store, agents } = world;
  const { facts, temper } = agents.stage;
  const event: Event = {
    type: 'run-created',
    mission: { text: 'make it work' },
    workspace: '/work',
    // Claims that only the open session can prove or refute.
    agent: { ...facts, finds: true, steers: true, resumes: true, reviews: true, renews: false },
    policyVersion,
    policy: drawPolicy(dice, temper, clock.at()),
    configDigest: '0'.repeat(64),
    checks: [...drawChecks(dice)],
    mode: dice.chance(0.4) ? 'autonomous' : 'once',
    setup: {},
    by: 'simulation',
    // Without a site the guard knows nothing and asks.
    site: dice.chance(0.5) ? { home: '/home/p', tirelessHome: '/home/p/.tireless' } : undefined,
  };
  const { run, entry } = step(null, { at: clock.at(), mono: clock.mono(), event }, id);
  const holder = { session: 'maker', pid: 1, pidStart: 'start-1', host: 'here' };
  const lease = await store.acquire(`run:${id}`, holder);
  if ('heldBy' in lease) throw new Error('a new run is held already');
  await store.append(id, lease.got.epoch, 1, [entry], { view: viewOf(run) });
  await store.release(lease.got);
}

/** People look when they are told, and answer some of what they see. */
function answerSoon(world: World): void {
  const { dice, clock, store, id } = world;
  clock.after(dice.between(100, dice.chance(0.3) ? 900_000 : 60_000), async () => {
    for (const gate of (await store.view(id))?.gates ?? [])
      if (dice.chance(0.6)) await post(world, drawAnswer(dice, gate));
  });
}

/** Also when the question is not ours: a foreign turn that waits for an answer keeps ours waiting. */
const waitsForPerson = ({ waiting, gates }: Run): boolean => waiting?.until === null && gates.length > 0;

async function answerAll(world: World): Promise<void> {
  for (const gate of (await world.store.view(world.id))?.gates ?? [])
    await post(world, drawAnswer(world.dice, gate));
}

interface Rest {
  resumes: number;
  restarts: number;
  isRestarting: boolean;
  stopMono: number | null;
}

/** Is the story over? Starts a keeper where one is wanted, and ends a story that has become long. */
async function hasRested(world: World, rest: Rest): Promise<boolean> {
  const { watch, clock, dice, keepers } = world;
  const run = watch.run() as Run;
  if (isTerminal(run.state)) return keepers.size === 0;
  const isLong = watch.entries.length > entriesMax || rest.restarts > restartsMax;
  if (isLong && rest.stopMono === null) {
    rest.stopMono = clock.mono();
    world.isCalm = true;
    await post(world, { type: 'person-asked', ask: 'stop', now: true, by: 'somebody' });
  }
  if (rest.stopMono !== null && clock.mono() - rest.stopMono > stoppingMaxMs)
    world.complain(`told to stop, and still ${run.state} (${run.because})`);
  if (keepers.size > 0 || rest.isRestarting) return false;
  if (run.state === 'paused' && (await world.store.inbox(world.id)).length === 0) {
    if (rest.resumes >= resumesMax || dice.chance(0.3)) return true;
    rest.resumes += 1;
    for (const event of resumePaused(dice, viewOf(run), run.policy, clock.at())) await post(world, event);
  }
  rest.restarts += 1;
  rest.isRestarting = true;
  clock.after(dice.between(1, dice.chance(0.8) ? 5_000 : 900_000), () => {
    rest.isRestarting = false;
    if (keepers.size === 0) startKeeper(world);
  });
  return false;
}

/** A run that does nothing must say what it waits for, and not beyond its time. */
function complainIfStuck(world: World): void {
  const run = world.watch.run() as Run;
  const { waiting } = run;
  if (waiting === null) {
    if (run.state !== 'paused') world.complain(`stuck: ${run.state} (${run.because})`);
    return;
  }
  const isOverdue = waiting.until !== null && world.clock.at() > waiting.until + bounds.backoffMaxMs;
  const isEndless = waiting.until === null && !waitsForPerson(run);
  if (isOverdue || isEndless) world.complain(`stuck: waiting on ${waiting.on} (${waiting.because})`);
}

/** What must be true once everything has come to rest. */
async function checkEnd(world: World): Promise<void> {
  const { watch, complain } = world;
  const stamped = new Map<string, number>();
  for (const { cause } of watch.entries)
    if (cause !== undefined) stamped.set(cause, (stamped.get(cause) ?? 0) + 1);
  const waiting = new Set((await world.store.inbox(world.id)).map((row) => row.id));
  for (const id of world.posted) {
    const times = stamped.get(id) ?? 0;
    if (times > 1) complain(`the message ${id} was heard ${times} times`);
    if (times === 0 && !waiting.has(id)) complain(`the message ${id} was lost`);
    if (times === 1 && waiting.has(id)) complain(`the message ${id} was heard and is still there`);
  }
  for (const [request, turn] of world.agents.unanswered)
    if (!isOrphaned(world, turn)) complain(`${request} of ${turn.id} was never answered`);
  complainIfToldTwice(world.agents.prompts, world.faults.keys(), complain);
  const run = watch.run() as Run;
  if (run.state === 'done' || run.state === 'paused') steersArrived(world, run);
}

/** The keeper was killed when the run was over already: nobody answers, and whoever works there next ends the agent. */
const isOrphaned = ({ agents }: World, turn: SimTurn): boolean =>
  [...agents.children.values()].some(
    (child) => child.thread.current === turn && (child.isDetached || !child.keeper.isAlive()),
  );

/** What a person said was said to the agent, or is kept to be said. */
function steersArrived({ watch, agents, complain }: World, run: Run): void {
  const kept = JSON.stringify([run.steers, run.steering, run.carry]);
  for (const { event, late } of watch.entries) {
    if (event.type !== 'steer-given' || late === true) continue;
    const { text } = event.text;
    if (!kept.includes(text) && !agents.prompts.some((prompt) => prompt.includes(text)))
      complain(`"${text}" never reached the agent`);
  }
}
