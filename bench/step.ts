/** What one step costs, on the events of recorded Codex turns: in memory, and in a process that lives for one event. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Entry, StampedEvent } from '../src/contract/index.ts';
import { foldVersion, type Run, remember, step, viewOf } from '../src/core/index.ts';
import { holderHere } from '../src/edge/lock.ts';
import { openInline, runKey } from '../src/edge/store/sqlite.ts';
import { recordedRun } from './recorded.ts';

const mixEntries = 20_000;
const pieceEntries = 2_000;
const passes = 40;
const longRunEntries = 100_000;
const batchEntries = 2_000;
/** Nearly as far from the last snapshot as a run can be when it is opened. */
const tailEntries = 48;
const advances = 15;

export async function benchStep(): Promise<Record<string, number>> {
  return { ...benchMix(), ...(await benchAdvance()) };
}

/**
 * What the work itself costs, whatever else the machine does: the stream is stepped many times, and of every piece the
 * fastest pass counts. A piece is long enough to pay for its own garbage.
 */
function benchMix(): Record<string, number> {
  const { stamped } = recordedRun('bench', mixEntries);
  const leastMs: number[] = [];
  for (let n = 0; n < passes; n++) {
    let run: Run | null = null;
    for (let from = 0; from < stamped.length; from += pieceEntries) {
      const piece = stamped.slice(from, from + pieceEntries);
      const start = performance.now();
      run = stepThrough(run, piece);
      const tookMs = performance.now() - start;
      leastMs[from / pieceEntries] = Math.min(tookMs, leastMs[from / pieceEntries] ?? tookMs);
    }
  }
  const totalMs = leastMs.reduce((a, b) => a + b, 0);
  return { 'step: events/s, recorded Codex mix, one core': Math.round((stamped.length / totalMs) * 1_000) };
}

function stepThrough(from: Run | null, stamped: readonly StampedEvent[]): Run | null {
  let run = from;
  for (const one of stamped) run = step(run, one, 'bench').run;
  return run;
}

/** In a new process each time: opens the store, takes the lease, folds from the snapshot, steps, appends, lets go. */
async function benchAdvance(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
  const path = join(folder, 'long.db');
  try {
    const { entries } = recordedRun('long', longRunEntries);
    await write(path, entries.slice(0, longRunEntries));
    const hook = resolve(import.meta.dirname, 'advance-once.ts');
    const times: number[] = [];
    for (let n = 0; n < advances; n++)
      times.push(Number(execFileSync(process.execPath, [hook, path, 'long'], { encoding: 'utf8' })));
    times.sort((a, b) => a - b);
    const tenth = (ms: number | undefined): number => Math.round((ms ?? Number.NaN) * 10) / 10;
    return {
      'step: ms for one advance at 100,000 entries, least of 15': tenth(times[0]),
      'step: ms for one advance at 100,000 entries, median': tenth(times[advances >> 1]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(path: string, entries: readonly Entry[]): Promise<void> {
  const store = openInline(path);
  const lease = await store.acquire(runKey('long'), holderHere('bench'));
  if (!('got' in lease)) throw new Error('the new run is held');
  let run: Run | null = null;
  let snapshot: { seq: number; foldVersion: number; json: string } | null = null;
  for (let from = 0; from < entries.length; from += batchEntries) {
    const batch = entries.slice(from, from + batchEntries);
    for (const entry of batch) {
      run = remember(run, entry);
      if (run.seq === entries.length - tailEntries)
        snapshot = { seq: run.seq, foldVersion, json: JSON.stringify(run) };
    }
    if (run === null) throw new Error('nothing to write');
    const extras = { view: viewOf(run), snapshot: snapshot ?? undefined };
    await store.append('long', lease.got.epoch, from + 1, batch, extras);
  }
  await store.release(lease.got);
  await store.close();
}
