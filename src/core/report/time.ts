import type { Run } from '../run.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Watch } from './seen.ts';
import { type Band, type BandKind, bandKinds, mergedBands } from './series.ts';

export interface TimePart {
  readonly bands: readonly Band[];
  readonly byBand: Readonly<Record<BandKind, number>>;
}

/** Where the wall time went. Sums are exact; the bands that are drawn may be merged. */
export function watchTime(): Watch<TimePart> {
  const bands = mergedBands(max.bandsMax);
  const byBand = Object.fromEntries(bandKinds.map((kind) => [kind, 0])) as Record<BandKind, number>;
  const add = (kind: BandKind, from: number, to: number): void => {
    if (to <= from) return;
    byBand[kind] += to - from;
    bands.add({ kind, from, to });
  };
  return {
    see({ before, entry }) {
      if (before === null) return;
      const kind = kindOf(before);
      if (kind === null) return;
      const { event, at } = entry;
      // A clock that was set back must not make time run twice.
      const from = Math.min(before.at, at);
      if (event.type === 'keeper-started' && kind !== 'paused' && at - from > max.handOverMs) {
        add('unkept', from, at);
        return;
      }
      const woke = event.type === 'sleep-detected' ? Math.max(from, at - event.sleptMs) : at;
      add(kind, from, woke);
      add('asleep', woke, at);
    },
    end: () => ({ bands: bands.end(), byBand }),
  };
}

/** What time in a state goes into; null after the end. */
const kinds: Readonly<Record<Run['state'], BandKind | null>> = {
  running: 'working',
  verifying: 'checking',
  ready: 'deciding',
  deciding: 'deciding',
  paused: 'paused',
  waiting: 'waiting-world',
  done: null,
  stopped: null,
  failed: null,
};

function kindOf({ state, waiting }: Run): BandKind | null {
  if (state !== 'waiting' || waiting === null) return kinds[state];
  if (waiting.on === 'turn-slot') return 'deciding';
  return waiting.on === 'approval' || waiting.on === 'input' ? 'waiting-person' : 'waiting-world';
}
