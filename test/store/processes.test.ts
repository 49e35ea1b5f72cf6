import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { LeaseAnswer } from '../../src/contract/ports.ts';
import { holderHere, isAlive, isProvablyDead, processStart } from '../../src/edge/lock.ts';
import { openInline, openThreaded, runKey, verifyRun } from '../../src/edge/store/sqlite.ts';
import { sampleMessage } from '../../src/testkit/store-samples.ts';
import { bundle, source } from '../built-program.ts';
import { ownFolder } from './places.ts';
import type { Done, Order } from './processes/actor.ts';

/** Dozens of them are started, so they are built once. */
const folder = mkdtempSync(join(tmpdir(), 'tireless-actors-'));
const names = ['actor', 'writer', 'rests'] as const;
const programs = Object.fromEntries(names.map((name) => [name, join(folder, `${name}.js`)])) as Readonly<
  Record<(typeof names)[number], string>
>;
beforeAll(() => {
  const actors = names.map((name) => [name, join(import.meta.dirname, 'processes', `${name}.ts`)]);
  return bundle(folder, {
    entry: { ...Object.fromEntries(actors), 'store-worker': source('edge/store/worker.ts') },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function actor(path: string, how = 'inline') {
  const child = fork(programs.actor, [path, how], { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const next = async () => ((await once(child, 'message')) as [Done])[0];
  await next();
  const tell = (order: Order) => {
    const done = next();
    child.send(order);
    return done;
  };
  return { child, tell };
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Starts the writer and kills it at the moment it acknowledges for the `acks`th time. Returns the last acknowledged seq. */
async function writeUntilKilled(path: string, run: string, how: string, acks: number): Promise<number> {
  const child = spawn(process.execPath, [programs.writer, path, run, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let acknowledged = 0;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line);
    if (++count === acks) child.kill('SIGKILL');
  }
  const [, signal] = await exit;
  expect(signal).toBe('SIGKILL');
  return acknowledged;
}

describe('kill -9', { timeout: 120_000 }, () => {
  it.each(['inline', 'threaded'])('of a writing process loses nothing it acknowledged (%s)', async (how) => {
    const path = join(ownFolder(), 'tireless.db');
    let last = 0;
    for (const acks of [1, 2, 40, 3, 17, 5, 120, 1, 9, 33, 64, 4]) {
      const acknowledged = await writeUntilKilled(path, 'r1', how, acks);
      const store = openInline(path);
      const report = await verifyRun(store, 'r1');
      expect(report.damage).toEqual([]);
      expect(report.head.seq).toBeGreaterThanOrEqual(acknowledged);
      expect(acknowledged).toBeGreaterThan(last);
      expect((await store.view('r1'))?.seq).toBe(report.head.seq);
      expect((await store.snapshot('r1'))?.json).toBe(JSON.stringify({ last: report.head.seq }));
      await store.close();
      last = report.head.seq;
    }
  });

  it('frees what the process held, at once', async () => {
    const path = join(ownFolder(), 'tireless.db');
    const { child, tell } = await actor(path);
    const { value } = await tell({ order: 'create', run: 'r1' });
    const { got } = value as { got: { epoch: number; holder: Parameters<typeof isAlive>[0] } };
    const store = openInline(path);
    onTestFinished(() => store.close());
    expect(isAlive(got.holder)).toBe(true);
    expect('heldBy' in (await store.acquire(runKey('r1'), holderHere('me')))).toBe(true);
    await killed(child);
    expect([isAlive(got.holder), isProvablyDead(got.holder)]).toEqual([false, true]);
    const answer = await store.acquire(runKey('r1'), holderHere('me'));
    expect('got' in answer && answer.got.epoch).toBe(got.epoch + 1);
  });
});

describe('several processes', { timeout: 60_000 }, () => {
  it('open a new store together, and each can write', async () => {
    const path = join(ownFolder(), 'home', 'tireless.db');
    const actors = await Promise.all(
      Array.from({ length: 6 }, (_, index) => actor(path, index % 2 ? 'threaded' : 'inline')),
    );
    await Promise.all(actors.map(({ tell }, index) => tell({ order: 'create', run: `r${index}` })));
    const store = openInline(path);
    expect(await store.runs()).toHaveLength(6);
    await store.close();
  });

  it('race for a lease 300 times, and each time one wins', async () => {
    const path = join(ownFolder(), 'tireless.db');
    const store = openInline(path);
    onTestFinished(() => store.close());
    const [one, two] = await Promise.all([actor(path), actor(path, 'threaded')]);
    const wins = { one: 0, two: 0 };
    for (let round = 0; round < 300; round++) {
      const key = `workspace:/w${round}`;
      // Every third time the lease must be wrested from a dead holder, every third time it was released before.
      const gone = { ...holderHere('gone'), pidStart: 'before' };
      if (round % 3 > 0) {
        const held = await store.acquire(key, round % 3 === 1 ? gone : holderHere('here'));
        if (round % 3 === 2 && 'got' in held) await store.release(held.got);
      }
      const answers = await Promise.all([one, two].map(({ tell }) => tell({ order: 'acquire', key })));
      const [first, second] = answers.map(({ value }) => value as LeaseAnswer);
      expect([first, second].filter((answer) => answer && 'got' in answer)).toHaveLength(1);
      wins[first && 'got' in first ? 'one' : 'two']++;
    }
    expect(wins.one + wins.two).toBe(300);
  });

  it.each([
    ['inline', openInline],
    ['threaded', openThreaded],
  ])('hear each other within 100 ms (%s)', async (_, open) => {
    const path = join(ownFolder(), 'tireless.db');
    const { tell } = await actor(path);
    await tell({ order: 'create', run: 'r1' });
    const store = open(path);
    onTestFinished(() => store.close());
    const delaysMs: number[] = [];
    for (let round = 0; round < 15; round++) {
      const stamped = Promise.withResolvers<number>();
      let isArmed = false;
      const off = store.subscribe('r1', () => isArmed && stamped.resolve(Date.now()));
      await store.view('r1');
      isArmed = true;
      const { doneAt } = await tell({ order: 'post', run: 'r1', event: sampleMessage(`message ${round}`) });
      delaysMs.push((await stamped.promise) - doneAt);
      off();
      expect(await store.inbox('r1')).toHaveLength(round + 1);
    }
    const median = delaysMs.sort((a, b) => a - b)[7];
    expect(median, `delays in ms: ${delaysMs.join(' ')}`).toBeLessThan(100);
  });

  it.each(['inline', 'threaded'])('are not kept alive by a store that rests (%s)', async (how) => {
    const path = join(ownFolder(), 'tireless.db');
    const child = spawn(process.execPath, [programs.rests, path, how], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exit = once(child, 'exit');
    expect(await text(child.stdout)).toBe('saw 0 runs\n');
    expect(await exit).toEqual([0, null]);
  });
});

describe('the start of a process', () => {
  it('tells this process from others, and from an earlier one with the same id', () => {
    const here = holderHere('s');
    expect(here.pidStart).toBe(processStart(process.pid));
    expect([isAlive(here), isProvablyDead(here)]).toEqual([true, false]);
    const earlier = { ...here, pidStart: here.pidStart.replace(/\d+$/, '1') };
    expect([isAlive(earlier), isProvablyDead(earlier)]).toEqual([false, true]);
  });

  it('is not known for a process that does not exist', () => {
    const none = { ...holderHere('s'), pid: 2 ** 22 + 1 };
    expect(processStart(none.pid)).toBe(null);
    expect(isProvablyDead(none)).toBe(true);
    expect(processStart(-1)).toBe(null);
  });

  it('proves nothing about another machine, another container or a start nobody recorded', () => {
    const here = holderHere('s');
    expect(isProvablyDead({ ...here, pid: 2 ** 22 + 1, host: 'elsewhere' })).toBe(false);
    expect(isProvablyDead({ ...here, pidStart: '' })).toBe(false);
    if (process.platform !== 'linux') return;
    const [boot, , ticks] = here.pidStart.split('.');
    expect(isProvablyDead({ ...here, pidStart: `${boot}.1.${ticks}` })).toBe(false);
    expect(isProvablyDead({ ...here, pidStart: `00000000.1.${ticks}` })).toBe(true);
  });
});
