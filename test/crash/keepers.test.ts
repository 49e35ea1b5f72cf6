import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { entriesOf } from '../../src/app/entries.ts';
import type { Entry } from '../../src/contract/index.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';
import { type Running, until } from '../process-kit.ts';
import { bundleWithFuses } from './bundle.ts';
import { runArgs, steer, viewOf, withStore } from './crash.ts';
import { makeGround, makePlace, type Place } from './place.ts';
import { busyTurn, endlessTurn, orphanTurn } from './scripts.ts';

const hearings = 15;

const ground = makeGround();
let program = '';
beforeAll(async () => {
  program = await bundleWithFuses(`${ground.folder}/program`);
}, 60_000);
afterAll(() => ground.remove());

function ownPlace(script: Script): Place {
  const place = makePlace(ground, program, script);
  onTestFinished(() => place.remove());
  return place;
}

/** A run in the middle of its first turn, and the process that keeps it. */
async function atWork(place: Place): Promise<{ keeper: Running; run: string }> {
  const keeper = place.start(runArgs());
  const view = await until(
    async () => {
      const seen = await viewOf(place);
      return seen?.state === 'running' && place.agentLog(seen.id).length > 0 ? seen : null;
    },
    () => `it never got to work: ${keeper.said()}`,
  );
  return { keeper, run: view.id };
}

const entriesIn = (place: Place, run: string): Promise<Entry[]> =>
  withStore(place, async (store) => {
    const all: Entry[] = [];
    for await (const entry of entriesOf(store, run)) all.push(entry);
    return all;
  });

/** Who holds the run's lease, as it stands in the store; null when nobody does. */
function holderPid(place: Place, run: string): number | null {
  const db = new DatabaseSync(join(place.home, 'tireless.db'), { readOnly: true, timeout: 5_000 });
  try {
    return (
      (db.prepare('SELECT pid FROM lease WHERE key = ?').get(`run:${run}`)?.pid as number | null) ?? null
    );
  } finally {
    db.close();
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // gone meanwhile
  }
}

describe('two keepers of one run', { timeout: 120_000 }, () => {
  it('never work it together: the second says who has it and exits 1', async () => {
    const place = ownPlace(busyTurn);
    const { keeper, run } = await atWork(place);
    expect(holderPid(place, run)).toBe(keeper.pid);
    const second = await place.start(['resume', '--foreground', run]).ended;
    expect(second.stderr).toContain(`run ${run} is already being worked on by process ${keeper.pid}`);
    expect(second.code).toBe(1);
    expect(holderPid(place, run)).toBe(keeper.pid);
    expect(
      (await entriesIn(place, run)).filter((entry) => entry.event.type === 'keeper-started'),
    ).toHaveLength(1);
  });

  it('that start together have one winner', async () => {
    const place = ownPlace(busyTurn);
    const { keeper, run } = await atWork(place);
    keeper.send('SIGKILL');
    await keeper.ended;
    const two = [1, 2].map(() => place.start(['keeper', run]));
    const loser = await Promise.race(two.map(async (one) => ({ one, ended: await one.ended })));
    const winner = two.find((one) => one !== loser.one);
    // The second turn of the script ends the run, so the winner may be through before the loser gives up.
    if (loser.ended.code === 1) expect(loser.ended.stderr).toContain(`by process ${winner?.pid}`);
    else expect(loser.ended.code).toBe(0);
    await winner?.ended;
    const started = (await entriesIn(place, run)).filter((entry) => entry.event.type === 'keeper-started');
    expect(started).toHaveLength(2);
  });
});

describe('a keeper', { timeout: 120_000 }, () => {
  it('killed with SIGKILL is replaced at once', async () => {
    const place = ownPlace(busyTurn);
    const { keeper, run } = await atWork(place);
    keeper.send('SIGKILL');
    await keeper.ended;
    expect(holderPid(place, run)).toBe(keeper.pid);
    const next = await place.start(['resume', '--foreground', run]).ended;
    expect([next.code, next.stderr]).toEqual([0, '']);
    expect((await viewOf(place))?.state).toBe('done');
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'told to go with %s lets go cleanly and leaves the run resumable',
    async (signal) => {
      const place = ownPlace(endlessTurn);
      const { keeper, run } = await atWork(place);
      const isFree = async (gone: Running): Promise<void> => {
        expect(await gone.ended).toMatchObject({ signal: null });
        expect(place.alive()).toEqual([]);
        expect(holderPid(place, run)).toBe(null);
        expect((await viewOf(place))?.toggle).toBe('running');
      };
      keeper.send(signal);
      await isFree(keeper);
      expect((await keeper.ended).code).toBe(130);
      const background = place.start(['keeper', run]);
      await until(
        () => holderPid(place, run) === background.pid && place.alive().length > 1,
        () => background.said(),
      );
      background.send(signal);
      await isFree(background);
      const told = (await entriesIn(place, run)).filter(({ event }) => event.type === 'keeper-ended');
      expect(told).toHaveLength(2);
    },
  );

  it('ends what its predecessor left running, also when the agent itself is gone', async () => {
    const place = ownPlace(orphanTurn);
    const keeper = place.start(runArgs());
    const sleepers = (): number[] => place.alive().filter((pid) => commandOf(pid).startsWith('sleep 30'));
    await until(
      () => sleepers().length === 2,
      () => keeper.said(),
    );
    keeper.send('SIGKILL');
    await keeper.ended;
    // The agent ends with its keeper's pipe; the commands it started do not.
    const agents = (): number[] => place.alive().filter((pid) => commandOf(pid).includes('scripted-agent'));
    await until(() => agents().length === 0, 'the agent outlived its keeper');
    expect(sleepers()).toHaveLength(2);
    const next = await place.start(['resume', '--foreground']).ended;
    expect([next.code, next.stderr]).toEqual([0, '']);
    expect(place.alive()).toEqual([]);
  });
});

describe('what a person says from another process', { timeout: 120_000 }, () => {
  it('is heard in the middle of a turn', async () => {
    const place = ownPlace(busyTurn);
    const { keeper, run } = await atWork(place);
    const delaysMs: number[] = [];
    await withStore(place, async (store) => {
      for (let time = 0; time < hearings; time++) {
        const id = await store.post(
          run,
          time % 2 === 0
            ? { type: 'person-asked', ask: 'pause', by: 'test' }
            : { type: 'person-asked', ask: 'resume', by: 'test' },
        );
        const postedAt = (await store.inbox(run)).find((row) => row.id === id)?.at ?? Date.now();
        const stamped = await until(
          async () => (await entriesIn(place, run)).find((entry) => entry.cause === id),
          'it was not heard',
        );
        delaysMs.push(stamped.at - postedAt);
      }
    });
    delaysMs.sort((a, b) => a - b);
    console.log(`heard after ms: median ${delaysMs[Math.floor(hearings / 2)]}, worst ${delaysMs.at(-1)}`);
    expect((await viewOf(place))?.state).toBe('running');
    const stop = await place.start(['stop', '--now', run]).ended;
    expect(stop.code).toBe(0);
    expect((await keeper.ended).code).toBe(130);
    expect((await viewOf(place))?.state).toBe('stopped');
    // What ended stays ended.
    const again = await place.start(['resume', '--foreground', run]).ended;
    expect(again.code).toBe(2);
    await withStore(place, (store) => store.post(run, steer('too late')));
  });
});
