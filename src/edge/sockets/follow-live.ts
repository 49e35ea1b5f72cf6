import type { LiveFrame } from '../../contract/index.ts';
import type { Home } from '../home.ts';
import { connectSocket, type SocketClient } from './connect.ts';
import { findSockets } from './place.ts';

const againMs = 500;
const withinMs = 5_000;

/** Follows what the agent of a run is just saying, whoever keeps it. Returns how to stop. It may miss text; nothing depends on it. */
export function followLive(home: Home, run: string, say: (text: string) => void): () => void {
  const stopped = new AbortController();
  void follow(home, run, (frame) => say(frame.text), stopped.signal);
  return () => stopped.abort();
}

async function follow(
  home: Home,
  run: string,
  say: (frame: LiveFrame) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const sockets = findSockets(home, run);
    const client = sockets === null ? null : await subscribed(sockets.person, say);
    if (client !== null) {
      const leave = (): void => client.close();
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      await client.closed;
      signal.removeEventListener('abort', leave);
    }
    await new Promise((resolve) => setTimeout(resolve, againMs).unref());
  }
}

async function subscribed(
  address: Parameters<typeof connectSocket>[0],
  say: (frame: LiveFrame) => void,
): Promise<SocketClient | null> {
  try {
    const client = await connectSocket(address, (message) => say(message as LiveFrame));
    await client.request('live', null, { withinMs });
    return client;
  } catch {
    return null; // nobody keeps the run now, or not yet
  }
}
