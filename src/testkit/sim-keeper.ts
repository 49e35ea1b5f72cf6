import {
  type Advisor,
  type Agent,
  type Body,
  type Child,
  type Clock,
  type Event,
  type Holder,
  type Notifier,
  type Recall,
  type RunView,
  type Slots,
  type StampedEvent,
  type Store,
  StoreError,
  type Summariser,
  type ToolAdvisor,
  type Workspace,
} from '../contract/index.ts';
import { isTerminal } from '../core/index.ts';
import type { Dice } from './dice.ts';
import type { LedgerWatch } from './ledger-watch.ts';
import type { MemoryStore } from './memory-store.ts';
import {
  type SimFiles,
  simAdvice,
  simRecall,
  simSlot,
  simSummary,
  simToolAdvice,
  simWorkspace,
} from './sim-outside.ts';
import { type SimProcess, simProcess } from './sim-process.ts';
import type { SimAgents } from './sim-stage.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** What `supervise` is handed in a simulated world: everything it touches is ours to break. */
export interface SimDependencies {
  readonly store: Store;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly ingest: (
    event: Event,
    body?: string,
    cause?: string,
  ) => { stamped: StampedEvent; bodies: readonly Body[] };
  readonly holder: Holder;
  readonly version: string;
  readonly notify: Notifier;
  readonly slots: Slots;
  readonly advise: Advisor;
  readonly adviseTool: ToolAdvisor;
  readonly summarise: Summariser;
  readonly recall: Recall;
  readonly endOrphan: (child: Child) => Promise<void>;
  readonly startOf: (pid: number) => string | null;
  readonly watchSleep: (slept: (slept: { sleptMs: number; countedMs: number }) => void) => () => void;
}

/** The run loop under test. */
export type Supervise = (
  deps: SimDependencies,
  options: { run: string; signal: AbortSignal },
) => Promise<RunView>;

/** Everything around one run, and the run. */
export interface World {
  readonly id: string;
  readonly supervise: Supervise;
  readonly dice: Dice;
  readonly clock: SimulatedClock;
  readonly store: MemoryStore;
  readonly watch: LedgerWatch;
  readonly agents: SimAgents;
  readonly files: SimFiles;
  readonly sleepers: Set<(slept: { sleptMs: number; countedMs: number }) => void>;
  /** Living keepers, oldest first, and how to release each. */
  readonly keepers: Map<SimProcess, AbortController>;
  readonly posted: string[];
  readonly faults: Map<string, number>;
  readonly complaints: string[];
  /** How ingest is made; the real one is slower and stands in some worlds. */
  readonly ingest: SimDependencies['ingest'];
  readonly fault: (what: string) => void;
  readonly complain: (what: string) => void;
  /** A person was told of a question. */
  readonly onQuestion: () => void;
  deathChance: number;
  fullUntilMono: number;
  isCalm: boolean;
  pids: number;
  /** Sleep that monotonic time counted. */
  sleptMs: number;
}

export async function post(world: World, event: Event): Promise<void> {
  world.posted.push(await world.store.post(world.id, event));
}

/** Starts a process that keeps the run, and notes how it ended. */
export function startKeeper(world: World): SimProcess {
  const { clock, dice, keepers } = world;
  const process = simProcess(
    {
      clock,
      dice,
      store: world.store,
      deathChance: () => (world.isCalm ? 0 : world.deathChance),
      isDiskFull: () => clock.mono() < world.fullUntilMono,
      onDeath: (dead) => buried(world, dead),
    },
    ++world.pids,
  );
  const release = new AbortController();
  keepers.set(process, release);
  world.supervise(dependenciesOf(world, process), { run: world.id, signal: release.signal }).then(
    () => leave(world, process),
    (error: unknown) => {
      if (process.isAlive() && !isExpected(error))
        world.complain(`the run loop broke: ${error instanceof Error ? error.message : String(error)}`);
      leave(world, process);
    },
  );
  return process;
}

/** Refused because another works it, taken over, or a disk that stayed full: the world's doing. */
const isExpected = (error: unknown): boolean =>
  error instanceof StoreError && ['busy', 'stale-epoch', 'disk-full'].includes(error.fault);

/** A process that ended by itself leaves nothing running. */
function leave(world: World, process: SimProcess): void {
  if (!world.keepers.delete(process)) return;
  const isLeft = maySurvive(world);
  for (const child of world.agents.children.values())
    if (child.keeper === process && child.isAlive && !isLeft)
      world.complain('an agent outlived the keeper that left');
}

/** Its sessions outlive a keeper, as long as the run is not over. */
function maySurvive({ agents, watch }: World): boolean {
  const run = watch.run();
  return agents.stage.facts.outlives === true && run !== null && !isTerminal(run.state);
}

/** A killed process takes most of its children with it; some live on until somebody ends them. */
function buried(world: World, process: SimProcess): void {
  world.fault('keeper killed');
  world.keepers.delete(process);
  for (const child of [...world.agents.children.values()])
    if (child.keeper === process && !maySurvive(world) && !(child.isNoted && world.dice.chance(0.3)))
      world.agents.endChild(child);
}

/** The record says so: before a session has opened, nobody knows. */
const isKnownToSurvive = ({ watch }: World): boolean => watch.run()?.agent.outlives === true;

function dependenciesOf(world: World, process: SimProcess): SimDependencies {
  const { clock, dice, files, agents, sleepers } = world;
  return {
    store: process.store,
    clock: process.clock,
    holder: process.holder,
    agent: agents.agentOf(process),
    workspace: simWorkspace({ clock, dice, files }, process),
    version: '0.0.0',
    ingest: world.ingest,
    notify: () =>
      process.act(async () => {
        world.onQuestion();
        if (dice.chance(0.1)) throw new Error('nobody could be told');
      }),
    slots: { request: () => process.act(() => simSlot(clock, dice)) },
    advise: () => process.act(() => simAdvice(clock, dice)),
    adviseTool: ({ questions }) => process.act(() => simToolAdvice(clock, dice, questions)),
    summarise: ({ cycle }) => process.act(() => simSummary(clock, dice, cycle)),
    recall: () => process.act(() => simRecall(dice)),
    startOf: (pid) => (agents.children.get(pid)?.isAlive === true ? `start-${pid}` : null),
    endOrphan: ({ pid }) =>
      process.act(async () => {
        const child = agents.children.get(pid);
        if (child === undefined) return;
        if (maySurvive(world) && isKnownToSurvive(world))
          world.complain('a session that outlives us was ended');
        agents.endChild(child);
        if (child.keeper.isAlive())
          child.listener.onEvent({ type: 'session-ended', session: child.thread.id });
      }),
    watchSleep(slept) {
      const tell: typeof slept = (how) => process.isAlive() && slept(how);
      sleepers.add(tell);
      return () => sleepers.delete(tell);
    },
  };
}
