/** One queue for everything that moves a run: agent, people, timers, outcomes. Order of arrival is order of hearing. */
export interface Mailbox<T> {
  /** Ignored once closed: nobody would hear it. */
  put(item: T): void;
  /** Everything that has arrived, at most `max`; waits for the first. Empty once closed and drained. */
  take(max: number): Promise<readonly T[]>;
  size(): number;
  close(): void;
}

export function makeMailbox<T>(): Mailbox<T> {
  let items: T[] = [];
  let closed = false;
  let wake: (() => void) | null = null;
  const ring = (): void => {
    wake?.();
    wake = null;
  };
  return {
    put(item) {
      if (closed) return;
      items.push(item);
      ring();
    },
    async take(max) {
      while (items.length === 0) {
        if (closed) return [];
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const batch = items.slice(0, max);
      items = items.slice(max);
      return batch;
    },
    size: () => items.length,
    close() {
      closed = true;
      ring();
    },
  };
}
