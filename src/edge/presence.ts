import type { RunView, Store } from '../contract/index.ts';
import type { Home } from './home.ts';
import { isProvablyDead } from './lock.ts';
import { connectSocket } from './sockets/connect.ts';
import { findSockets } from './sockets/place.ts';

/** A keeper that has not been heard of for this long, although its process is there, hangs. */
export const hungMs = 60_000;
const pingMs = 2_000;

/**
 * Whether a process works a run. `none`: nobody needs to, it is over, paused or not begun · `alive` · `gone`: nobody
 * does although the run is not over · `hung`: its process is there and does nothing.
 */
export interface Presence {
  readonly keeper: 'alive' | 'gone' | 'hung' | 'none';
  /** When it was heard of last; null where that is not known. */
  readonly since: number | null;
  readonly pid: number | null;
  readonly version?: string;
  /** What keeps it from writing, told over its socket. */
  readonly trouble?: string;
}

const atRest = ({ state }: Pick<RunView, 'state'>): boolean =>
  state === 'ready' || state === 'paused' || state === 'done' || state === 'stopped' || state === 'failed';

interface Pong {
  readonly pid: number;
  readonly version: string;
  readonly trouble: string | null;
}

/** Looks whether somebody works the run: at its lease, its process and its socket. */
export async function presenceOf(
  home: Home,
  store: Pick<Store, 'holder'>,
  view: Pick<RunView, 'id' | 'state' | 'updatedAt'>,
  now: number,
): Promise<Presence> {
  const held = await store.holder(`run:${view.id}`);
  if (held === null)
    return atRest(view)
      ? { keeper: 'none', since: null, pid: null }
      : { keeper: 'gone', since: view.updatedAt, pid: null };
  const { heldBy, heartbeatAt } = held;
  const { pid } = heldBy;
  if (isProvablyDead(heldBy)) return { keeper: 'gone', since: heartbeatAt ?? view.updatedAt, pid };
  const pong = await ping(home, view.id);
  if (pong !== null)
    return { keeper: 'alive', since: now, pid, version: pong.version, trouble: pong.trouble ?? undefined };
  // It may be about to open its sockets, or be on another machine: only silence for long enough says something.
  const isStale = heartbeatAt === null || now - heartbeatAt > hungMs;
  return { keeper: isStale ? 'hung' : 'alive', since: heartbeatAt, pid };
}

async function ping(home: Home, run: string): Promise<Pong | null> {
  const sockets = findSockets(home, run);
  if (sockets === null) return null;
  try {
    const client = await connectSocket(sockets.person, undefined, pingMs);
    try {
      return (await client.request('presence', null, { withinMs: pingMs })) as Pong;
    } finally {
      client.close();
    }
  } catch {
    return null; // silence is what is weighed
  }
}
