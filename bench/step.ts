/** What one step costs, on the events of recorded Codex turns. */
import type { StampedEvent } from '../src/contract/index.ts';
import { type Run, step } from '../src/core/index.ts';
import { recordedRun } from './recorded.ts';

const mixEntries = 20_000;
const pieceEntries = 2_000;
const passes = 40;

/**
 * What the work itself costs, whatever else the machine does: the stream is stepped many times, and of every piece the
 * fastest pass counts. A piece is long enough to pay for its own garbage.
 */
export async function benchStep(): Promise<Record<string, number>> {
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
