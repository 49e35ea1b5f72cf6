/** What the ledger can do here: throughput of group commits, opening a long run, hearing another process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Store } from '../src/contract/ports.ts';
import { holderHere } from '../src/edge/lock.ts';
import { openInline, openThreaded, runKey, verifyRun } from '../src/edge/store/sqlite.ts';
import { sampleEntries, sampleMessage, sampleView } from '../src/testkit/store-samples.ts';

const longRunEntries = 100_000;
const batchEntries = 200;
const manyRuns = 40;
const snapshotBytes = 200_000;
const tailEntries = 600;
const heardTimes = 40;

export async function benchLedger(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
  try {
    return {
      ...(await benchManyRuns(join(folder, 'many.db'))),
      ...(await benchLongRun(join(folder, 'long.db'))),
      ...(await benchHearing(join(folder, 'heard.db'))),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function epochOf(store: Store, run: string): Promise<number> {
  const answer = await store.acquire(runKey(run), holderHere('bench'));
  if (!('got' in answer)) throw new Error(`${run} is held`);
  return answer.got.epoch;
}

/** Forty runs append five entries each at the same time, again and again: about 200 entries a commit. */
async function benchManyRuns(path: string): Promise<Record<string, number>> {
  const store = openThreaded(path);
  const names = Array.from({ length: manyRuns }, (_, index) => `run-${index}`);
  const epochs = await Promise.all(names.map((run) => epochOf(store, run)));
  const each = batchEntries / manyRuns;
  const rounds = 150;
  const start = performance.now();
  for (let round = 0; round < rounds; round++) {
    const from = round * each + 1;
    await Promise.all(
      names.map((run, index) =>
        store.append(run, epochs[index] ?? 0, from, sampleEntries(run, from, from + each - 1), {
          view: sampleView(run, from + each - 1),
        }),
      ),
    );
  }
  const tookMs = performance.now() - start;
  await store.close();
  return {
    'ledger: entries/s, 40 runs, group commits of 200': perSecond(rounds * batchEntries, tookMs),
    'ledger: appends/s, 40 runs, 5 entries each': perSecond(rounds * manyRuns, tookMs),
  };
}

async function benchLongRun(path: string): Promise<Record<string, number>> {
  const store = openThreaded(path);
  const epoch = await epochOf(store, 'long');
  const json = JSON.stringify({ run: 'x'.repeat(snapshotBytes) });
  const start = performance.now();
  for (let from = 1; from <= longRunEntries; from += batchEntries) {
    const to = from + batchEntries - 1;
    const isSnapshot = to === longRunEntries - tailEntries;
    await store.append('long', epoch, from, sampleEntries('long', from, to), {
      view: sampleView('long', to),
      snapshot: isSnapshot ? { seq: to, foldVersion: 1, json } : undefined,
    });
  }
  const writeMs = performance.now() - start;
  await store.close();

  const opens: number[] = [];
  for (let time = 0; time < 5; time++) {
    const opening = performance.now();
    const again = openInline(path);
    const snapshot = await again.snapshot('long');
    const tail = await again.read('long', (snapshot?.seq ?? 0) + 1, longRunEntries);
    if (snapshot === null || tail.length < tailEntries) throw new Error('the snapshot is missing');
    opens.push(performance.now() - opening);
    await again.close();
  }
  const reader = openInline(path);
  const verifying = performance.now();
  const report = await verifyRun(reader, 'long');
  const verifyMs = performance.now() - verifying;
  await reader.close();
  if (!report.ok || report.entries !== longRunEntries) throw new Error('the chain does not hold');
  return {
    'ledger: entries/s, one run, batches of 200': perSecond(longRunEntries, writeMs),
    'ledger: ms to open a run of 100,000 (snapshot and tail), worst of 5': round1(Math.max(...opens)),
    'ledger: ms to verify a chain of 100,000': round1(verifyMs),
  };
}

/** From the moment another process has its message committed until this one is told. */
async function benchHearing(path: string): Promise<Record<string, number>> {
  const actor = resolve(import.meta.dirname, '../test/store/processes/actor.ts');
  const child = fork(actor, [path], { execArgv: [] });
  const next = async () => ((await once(child, 'message')) as [{ doneAt: number }])[0];
  const tell = (order: object) => {
    const done = next();
    child.send(order);
    return done;
  };
  await next();
  await tell({ order: 'create', run: 'r1' });
  const store = openThreaded(path);
  let stamped = Promise.withResolvers<number>();
  store.subscribe('r1', () => stamped.resolve(Date.now()));
  await store.view('r1');
  const delays: number[] = [];
  for (let time = 0; time < heardTimes; time++) {
    stamped = Promise.withResolvers();
    const { doneAt } = await tell({ order: 'post', run: 'r1', event: sampleMessage(`message ${time}`) });
    delays.push(Math.max(0, (await stamped.promise) - doneAt));
  }
  await store.close();
  child.disconnect();
  delays.sort((a, b) => a - b);
  return {
    'ledger: ms until another process hears, median': delays[heardTimes / 2] ?? 0,
    'ledger: ms until another process hears, worst of 40': delays.at(-1) ?? 0,
  };
}

function perSecond(count: number, ms: number): number {
  return Math.round((count / ms) * 1_000);
}

function round1(ms: number): number {
  return Math.round(ms * 10) / 10;
}

if (import.meta.main) console.table(await benchLedger());
