import type { AgentEvent, AgentListener, LiveFrame } from '../../../src/contract/index.ts';

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

export interface RecordingListener extends AgentListener {
  readonly events: readonly AgentEvent[];
  /** The raw text behind an event, where it had one. */
  readonly bodies: ReadonlyMap<AgentEvent, string>;
  readonly frames: readonly LiveFrame[];
  readonly pids: readonly number[];
  /** The first event of this type that satisfies `holds`, heard already or yet to come. */
  received<T extends AgentEvent['type']>(type: T, holds?: (event: Of<T>) => boolean): Promise<Of<T>>;
}

const patienceMs = 30_000;

/** Remembers everything and can be waited for. */
export function recordingListener(): RecordingListener {
  const events: AgentEvent[] = [];
  const bodies = new Map<AgentEvent, string>();
  const frames: LiveFrame[] = [];
  const pids: number[] = [];
  const watchers = new Set<() => void>();
  const wake = () => {
    for (const watch of watchers) watch();
  };
  const until = <T>(look: () => T | undefined, what: string) =>
    new Promise<T>((resolve, reject) => {
      const finish = (settled: () => void) => {
        clearTimeout(timer);
        watchers.delete(watch);
        settled();
      };
      const watch = () => {
        const found = look();
        if (found !== undefined) finish(() => resolve(found));
      };
      const timer = setTimeout(() => {
        const told = events.map((event) => JSON.stringify(event).slice(0, 300)).join('\n');
        finish(() => reject(new Error(`${what} did not come within ${patienceMs} ms; heard:\n${told}`)));
      }, patienceMs);
      watchers.add(watch);
      watch();
    });
  return {
    events,
    bodies,
    frames,
    pids,
    onEvent: (event, body) => {
      events.push(event);
      if (body !== undefined) bodies.set(event, body);
      wake();
    },
    onLive: (frame) => {
      frames.push(frame);
      wake();
    },
    onChildStarted: async (pid) => {
      pids.push(pid);
    },
    received: (type, holds = () => true) =>
      until(
        () =>
          events.find(
            (event): event is Of<typeof type> => event.type === type && holds(event as Of<typeof type>),
          ),
        type,
      ),
  };
}
