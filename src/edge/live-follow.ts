import { closeSync, fstatSync, openSync, readSync, unwatchFile, watchFile } from 'node:fs';
import type { LiveFrame } from '../contract/index.ts';

const lookMs = 100;

/** Follows the live file of a run: what the agent is just saying. Returns how to stop. It may miss text; nothing depends on it. */
export function followLive(path: string, say: (text: string) => void): () => void {
  let from = 0;
  let rest = '';
  const look = (): void => {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch {
      return; // not there yet, or gone with its run
    }
    try {
      const { size } = fstatSync(file);
      if (size < from) {
        from = 0;
        rest = '';
      }
      const bytes = Buffer.alloc(size - from);
      from += readSync(file, bytes, 0, bytes.length, from);
      const lines = (rest + bytes.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') say((JSON.parse(line) as LiveFrame).text);
    } finally {
      closeSync(file);
    }
  };
  watchFile(path, { interval: lookMs, persistent: false }, look);
  return () => unwatchFile(path, look);
}
