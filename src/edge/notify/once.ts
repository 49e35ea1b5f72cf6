import { appendFileSync, readFileSync } from 'node:fs';
import type { Notifier } from '../../contract/ports.ts';

/** Notes remembered per run; a run that sent more may tell an old one again, never a new one. */
const keysMax = 1_000;

/**
 * A person is told about one thing once, also when a crash makes us set out to tell it again: what was sent is kept
 * in `file`. Only what every channel took counts as told.
 */
export function notifyOnce(notify: Notifier, file: string): Notifier {
  const told = new Set(keysIn(file));
  return async (note) => {
    if (told.has(note.key)) return;
    await notify(note);
    told.add(note.key);
    appendFileSync(file, `${note.key.replaceAll('\n', ' ')}\n`, { mode: 0o600, flush: true });
  };
}

function keysIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(-keysMax);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
