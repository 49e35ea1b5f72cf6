import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/contract/index.ts';
import { findHome } from '../../src/edge/home.ts';
import { holderHere, processStart } from '../../src/edge/lock.ts';
import { hungMs, presenceOf } from '../../src/edge/presence.ts';
import { openSockets } from '../../src/edge/sockets/place.ts';
import { serveSocket } from '../../src/edge/sockets/serve.ts';
import { memoryStore } from '../../src/testkit/memory-store.ts';
import { simulatedClock } from '../../src/testkit/simulated-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'tl-presence-'));
const home = findHome({ TIRELESS_HOME: join(folder, 'home') });
const env = { TMPDIR: folder };
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const begun = 1_000;
let made = 0;

function kept(state: RunView['state'] = 'running') {
  const clock = simulatedClock();
  const store = memoryStore(clock);
  const id = `r${++made}`;
  return {
    clock,
    store,
    id,
    look: (now = clock.at()) => presenceOf(home, store, { id, state, updatedAt: begun }, now),
  };
}

async function listening(id: string, answer: () => unknown): Promise<void> {
  const { person } = await openSockets(home, id, env);
  const served = await serveSocket(person, { presence: answer });
  closing.push(served.close);
}

describe('whether a keeper works a run', () => {
  it.each(['ready', 'paused', 'done', 'stopped', 'failed'] as const)(
    'nobody needs to where it is %s',
    async (state) => {
      expect(await kept(state).look()).toEqual({ keeper: 'none', since: null, pid: null });
    },
  );

  it.each(['running', 'deciding', 'verifying', 'waiting'] as const)(
    'a run that is %s without one has lost it',
    async (state) => {
      expect(await kept(state).look()).toEqual({ keeper: 'gone', since: begun, pid: null });
    },
  );

  it('is gone when its process is, since its last heartbeat', async () => {
    const { store, id, look, clock } = kept();
    const child = spawn(process.execPath, ['-e', '']);
    const pid = child.pid ?? 0;
    const pidStart = processStart(pid) ?? '';
    await new Promise((resolve) => child.once('close', resolve));
    await store.acquire(`run:${id}`, { session: 's', pid, pidStart, host: hostname() });
    expect(await look()).toEqual({ keeper: 'gone', since: clock.at(), pid });
  });

  it('is alive when it answers, however old its heartbeat is, and tells what keeps it from writing', async () => {
    const { store, id, look, clock } = kept();
    await store.acquire(`run:${id}`, holderHere('s'));
    await listening(id, () => ({ pid: process.pid, version: '1.2.3', trouble: 'the disk is full' }));
    const now = clock.at() + 10 * hungMs;
    expect(await look(now)).toEqual({
      keeper: 'alive',
      since: now,
      pid: process.pid,
      version: '1.2.3',
      trouble: 'the disk is full',
    });
  });

  it('hangs when its process is there and neither heartbeat nor socket was heard of for a minute', async () => {
    const { store, id, look, clock } = kept();
    await store.acquire(`run:${id}`, holderHere('s'));
    await listening(id, () => new Promise(() => undefined));
    expect(await look(clock.at() + hungMs)).toMatchObject({ keeper: 'alive' });
    expect(await look(clock.at() + hungMs + 1)).toEqual({
      keeper: 'hung',
      since: clock.at(),
      pid: process.pid,
    });
  });
});
