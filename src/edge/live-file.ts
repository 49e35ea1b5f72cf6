import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { LiveFrame } from '../contract/index.ts';

const bytesMax = 262_144;

/**
 * The live ring of a run as a file another process may follow: deltas only, bounded, never read back as state. When
 * full it starts over; a follower that sees it shrink starts over too.
 */
export function makeLiveFile(path: string): { push(frame: LiveFrame): void; close(): void } {
  let file: number | null = openSync(path, 'w', 0o600);
  let written = 0;
  return {
    push(frame) {
      if (file === null) return;
      const line = Buffer.from(`${JSON.stringify(frame)}\n`);
      if (written + line.length > bytesMax) {
        ftruncateSync(file);
        written = 0;
      }
      written += writeSync(file, line, 0, line.length, written);
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
