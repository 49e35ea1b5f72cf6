import type { Engine } from './engine.ts';

/** How often another process's writes are looked for. A quarter of the promised 100 ms. */
const pollMs = 25;

export interface Changes {
  /** Calls `changed` after each write to the run, by any process; returns how to stop. */
  watch(run: string, changed: () => void): () => void;
  /** This connection wrote to the run: heard at once, since SQLite tells a connection only of others' writes. */
  wrote(run: string): void;
  stop(): void;
}

interface Watched {
  touched: number;
  readonly listeners: Set<() => void>;
}

/** One poller for all watched runs of a connection; it rests while nothing is watched and keeps no process alive. */
export function followChanges(engine: Engine): Changes {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | null = null;
  let version = 0;

  const touchedOf = (run: string) =>
    Number(engine.sql('SELECT touched FROM run WHERE id = ?').get(run)?.touched ?? 0);
  const versionNow = () => Number(engine.sql('PRAGMA data_version').get()?.data_version);
  const tell = ({ listeners }: Watched) => {
    for (const listener of [...listeners]) if (listeners.has(listener)) listener();
  };

  const look = () => {
    const changed: Watched[] = [];
    try {
      const now = versionNow();
      if (now === version) return;
      version = now;
      for (const [run, one] of watched) {
        const touched = touchedOf(run);
        if (touched === one.touched) continue;
        one.touched = touched;
        changed.push(one);
      }
    } catch {
      // The file cannot be read now. Whoever follows a run reads it next and meets the reason there.
      changed.splice(0, changed.length, ...watched.values());
    }
    for (const one of changed) tell(one);
  };

  const stop = () => {
    if (timer) clearInterval(timer);
    timer = null;
  };

  return {
    watch(run, changed) {
      if (!timer) {
        version = versionNow();
        timer = setInterval(look, pollMs);
        timer.unref();
      }
      const one = watched.get(run) ?? { touched: touchedOf(run), listeners: new Set() };
      watched.set(run, one);
      // Its own function, so that one listener given twice is two listeners.
      const listener = () => changed();
      one.listeners.add(listener);
      return () => {
        one.listeners.delete(listener);
        if (one.listeners.size === 0 && watched.get(run) === one) watched.delete(run);
        if (watched.size === 0) stop();
      };
    },
    wrote(run) {
      const one = watched.get(run);
      if (!one) return;
      one.touched = touchedOf(run);
      tell(one);
    },
    stop() {
      watched.clear();
      stop();
    },
  };
}
