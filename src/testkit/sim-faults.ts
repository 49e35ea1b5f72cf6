import { startKeeper, type World } from './sim-keeper.ts';

const minuteMs = 60_000;

/** One thing that goes wrong outside the run. */
type WorldFault = (world: World) => void;

const newest = (world: World) => [...world.keepers.keys()].at(-1);

const setWall: WorldFault = (world) => {
  world.fault('wall clock set');
  world.clock.jumpWall(world.dice.between(-120, 120) * minuteMs);
};

/** One fault, or where it finds nothing to break, one that always does. */
export function strike(world: World): void {
  if (world.isCalm) return;
  const before = world.faults.size;
  world.dice.pick(worldFaults)(world);
  if (before === 0 && world.faults.size === 0) setWall(world);
}

const worldFaults: readonly WorldFault[] = [
  (world) => newest(world)?.kill(),
  (world) => newest(world)?.kill(),
  /** Somebody believes the keeper dead and takes the run over while it still works. */
  (world) => {
    const old = newest(world);
    if (old === undefined) return;
    world.fault('taken over');
    world.store.markDead(old.holder);
    startKeeper(world);
  },
  (world) => {
    const release = [...world.keepers.values()].at(-1);
    if (release === undefined) return;
    world.fault('released');
    release.abort();
  },
  /** Two starters, one winner. */
  (world) => {
    if (world.keepers.size === 0) return;
    world.fault('second keeper');
    startKeeper(world);
  },
  (world) => {
    world.fault('disk full');
    const ms = world.dice.chance(0.2) ? 12 * minuteMs : world.dice.between(500, minuteMs);
    world.fullUntilMono = world.clock.mono() + ms;
  },
  setWall,
  (world) => {
    world.fault('machine slept');
    const sleptMs = world.dice.between(1, 300) * minuteMs;
    const countedMs = world.dice.chance(0.5) ? sleptMs : 0;
    world.clock.sleep(sleptMs, countedMs);
    world.sleptMs += countedMs;
    for (const tell of [...world.sleepers]) tell({ sleptMs, countedMs });
  },
  (world) => world.agents.startForeign(),
  (world) => world.agents.startForeign(),
  (world) => {
    const child = [...world.agents.children.values()].at(-1);
    if (child === undefined) return;
    world.fault('agent died');
    world.agents.endChild(child);
    if (child.keeper.isAlive()) child.listener.onEvent({ type: 'session-ended', session: child.thread.id });
  },
  /** The person works in the same files. */
  (world) => {
    world.fault('files changed by others');
    world.files.tree += 1_000;
  },
];
