import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findHome } from '../../src/edge/home.ts';
import { connectSocket, type SocketClient } from '../../src/edge/sockets/connect.ts';
import { findSockets, openSockets, type SocketAddress } from '../../src/edge/sockets/place.ts';
import { type ServedSocket, serveSocket, type Verb } from '../../src/edge/sockets/serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'tl-sock-'));
const open: (ServedSocket | SocketClient)[] = [];
let made = 0;

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const address = (): SocketAddress => ({ path: join(folder, `s${++made}`), token: 'a'.repeat(64) });
const within = { withinMs: 5_000 };
const echo: Verb = (params) => params;

async function served(verbs: Record<string, Verb>, at = address()): Promise<SocketAddress> {
  open.push(await serveSocket(at, verbs));
  return at;
}

async function client(at: SocketAddress, onPush?: (message: unknown) => void): Promise<SocketClient> {
  const one = await connectSocket(at, onPush);
  open.push(one);
  return one;
}

/** Everything the server says to these bytes until it hangs up. */
const spoken = ({ path }: SocketAddress, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let said = '';
    const socket = createConnection(path, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      said += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(said));
  });

describe('a socket of a run', () => {
  it('answers a request with the result or the error of its verb', async () => {
    const one = await client(
      await served({
        echo,
        fail: () => {
          throw new Error('not today');
        },
      }),
    );
    await expect(one.request('echo', { n: 1 }, within)).resolves.toEqual({ n: 1 });
    await expect(one.request('fail', null, within)).rejects.toThrow('not today');
    await expect(one.request('approve', null, within)).rejects.toThrow(
      'unknown verb "approve"; known: echo, fail',
    );
    await expect(one.request('constructor', null, within)).rejects.toThrow('unknown verb');
  });

  it('is for its owner alone', async () => {
    const { path } = await served({ echo });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a wrong token', { token: 'b'.repeat(64) }],
    ['a short token', { token: 'a' }],
    ['no token', { id: 1, verb: 'echo' }],
  ])('refuses %s and hangs up', async (_what, hello) => {
    const at = await served({ echo });
    const said = await spoken(at, `${JSON.stringify(hello)}\n{"id":1,"verb":"echo","params":1}\n`);
    expect(said).toBe('{"error":"wrong token"}\n');
  });

  it('refuses garbage in place of a token, and survives garbage after it', async () => {
    const at = await served({ echo });
    expect(await spoken(at, '\u0000\u0001 not json\n')).toBe('{"error":"wrong token"}\n');
    const socket = createConnection(at.path);
    const said: string[] = [];
    const seen = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        said.push(...String(chunk).trim().split('\n'));
        if (said.length >= 5) resolve();
      });
    });
    socket.write(
      `${JSON.stringify({ token: at.token })}\n{oops\n[]\n"x"\n{"id":7,"verb":"echo","params":"still here"}\n`,
    );
    await seen;
    socket.destroy();
    expect(said[0]).toBe('{"ready":true}');
    expect(said.at(-1)).toBe('{"id":7,"result":"still here"}');
    expect(said.filter((line) => line.includes('"error"'))).toHaveLength(3);
  });

  it('drops a line over its bound and goes on', async () => {
    const one = await client(await served({ echo }));
    await expect(one.request('echo', 'x'.repeat(1_100_000), { withinMs: 500 })).rejects.toThrow(
      'no answer within',
    );
    await expect(one.request('echo', 'short', within)).resolves.toBe('short');
  });

  it('tells a verb that its caller has gone', async () => {
    const gone = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const at = await served({
      wait: (_params, { signal }) => {
        begun.resolve();
        signal.addEventListener('abort', () => gone.resolve());
        return new Promise(() => undefined);
      },
    });
    const one = await client(at);
    void one.request('wait', null, within).catch(() => undefined);
    await begun.promise;
    one.close();
    await gone.promise;
  });

  it('tells a verb that its answer is no longer wanted, when it is called off or late', async () => {
    const cancelled: string[] = [];
    const at = await served({
      wait: (name, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            cancelled.push(String(name));
            resolve(null);
          });
        }),
    });
    const one = await client(at);
    const off = new AbortController();
    const first = one.request('wait', 'off', { ...within, signal: off.signal });
    off.abort();
    await expect(first).rejects.toThrow('wait: cancelled');
    await expect(one.request('wait', 'late', { withinMs: 20 })).rejects.toThrow('no answer within 20 ms');
    await expect.poll(() => cancelled).toEqual(['off', 'late']);
  });

  it('rejects what is under way when the keeper goes in the middle of an answer', async () => {
    const begun = Promise.withResolvers<void>();
    const at = address();
    const server = await serveSocket(at, {
      wait: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    const one = await client(at);
    const waiting = one.request('wait', null, within);
    await begun.promise;
    await server.close();
    await expect(waiting).rejects.toThrow('the connection ended');
    await one.closed;
    await expect(one.request('wait', null, within)).rejects.toThrow('no keeper answers');
  });

  it('says that no keeper answers where nobody listens', async () => {
    await expect(connectSocket(address())).rejects.toMatchObject({
      message: 'no keeper answers for this run (ENOENT)',
      fix: 'wake it with: tireless resume',
    });
  });

  it('pushes what nobody asked for', async () => {
    const pushed = Promise.withResolvers<unknown>();
    const one = await client(
      await served({
        live: (_params, { push }) => {
          push({ text: 'now' });
          return true;
        },
      }),
      pushed.resolve,
    );
    await one.request('live', null, within);
    await expect(pushed.promise).resolves.toEqual({ text: 'now' });
  });

  it('bears a thousand clients at once and turns the next one away politely', async () => {
    const at = await served({ echo });
    const all = await Promise.all(Array.from({ length: 1_000 }, () => client(at)));
    const answers = await Promise.all(all.map((one, n) => one.request('echo', n, { withinMs: 30_000 })));
    expect(answers).toEqual(all.map((_one, n) => n));
    await expect(connectSocket(at)).rejects.toThrow('at most 1000 clients');
    all[0]?.close();
    await all[0]?.closed;
    await expect.poll(async () => (await client(at)).request('echo', 'in', within)).toBe('in');
  });

  it('frees the place of a client that never speaks and never hangs up', { timeout: 60_000 }, async () => {
    const at = await served({ echo });
    const silent = Array.from({ length: 1_000 }, () =>
      createConnection({ path: at.path, allowHalfOpen: true }),
    );
    for (const socket of silent) socket.on('error', () => undefined).resume();
    open.push({ close: async () => silent.forEach((socket) => void socket.destroy()) });
    await expect
      .poll(async () => (await client(at).catch(() => null))?.request('echo', 'in', within), {
        timeout: 30_000,
      })
      .toBe('in');
  });

  it('bounds the requests of one client', async () => {
    const release = Promise.withResolvers<void>();
    const one = await client(await served({ wait: () => release.promise }));
    const under = Array.from({ length: 64 }, () => one.request('wait', null, within));
    await expect(one.request('wait', null, within)).rejects.toThrow('at most 64 requests');
    release.resolve();
    await Promise.all(under);
  });

  it('drops a client that does not read', async () => {
    const pushes = Promise.withResolvers<(message: unknown) => void>();
    const gone = Promise.withResolvers<void>();
    const at = await served({
      live: (_params, { push, gone: left }) => {
        left.addEventListener('abort', () => gone.resolve());
        pushes.resolve(push);
      },
    });
    const socket = createConnection(at.path);
    open.push({ close: async () => void socket.destroy() });
    socket.pause();
    socket.write(`${JSON.stringify({ token: at.token })}\n{"id":1,"verb":"live","params":null}\n`);
    const push = await pushes.promise;
    for (let n = 0; n < 100; n++) push('x'.repeat(100_000));
    await gone.promise;
  });

  it('is taken over by a later keeper, whom the earlier one leaves alone', async () => {
    const at = address();
    const earlier = await serveSocket(at, { who: () => 'earlier' });
    await served({ who: () => 'later' }, at);
    await earlier.close();
    await expect((await client(at)).request('who', null, within)).resolves.toBe('later');
  });
});

describe('the addresses of a run', () => {
  const home = findHome({ TIRELESS_HOME: join(folder, 'home') });

  it('are short, stable and outlive a keeper', async () => {
    const env = { XDG_RUNTIME_DIR: join(folder, 'runtime') };
    mkdirSync(env.XDG_RUNTIME_DIR);
    const first = await openSockets(home, 'r1', env);
    expect(await openSockets(home, 'r1', env)).toEqual(first);
    expect(findSockets(home, 'r1')).toEqual(first);
    expect((await openSockets(home, 'r2', env)).agent.path).not.toBe(first.agent.path);
    expect(first.agent.token).not.toBe(first.person.token);
    expect(statSync(join(home.runFolder('r1'), 'sockets.json')).mode & 0o777).toBe(0o600);
  });

  it('lie elsewhere where a path does not fit, and are refused with the fix where none does', async () => {
    const long = join(folder, 'x'.repeat(120));
    mkdirSync(long);
    const [short] = [mkdtempSync(join(folder, 's'))];
    const { agent } = await openSockets(home, 'r5', { XDG_RUNTIME_DIR: long, TMPDIR: short });
    expect(agent.path.startsWith(short)).toBe(true);
  });

  it.each(['/proc/1', '/dev/null', '/nowhere/at/all', 'relative'])(
    'lie in the temporary folder where the runtime folder is %s',
    async (given) => {
      const { agent } = await openSockets(home, 'r6', { XDG_RUNTIME_DIR: given, TMPDIR: folder });
      expect(agent.path.startsWith(join(folder, 'tireless-'))).toBe(true);
    },
  );

  it('lie in the temporary folder where the runtime folder cannot be used', async () => {
    const env = { XDG_RUNTIME_DIR: join(folder, 'a-file'), TMPDIR: folder };
    writeFileSync(env.XDG_RUNTIME_DIR, '');
    expect((await openSockets(home, 'r3', env)).agent.path.startsWith(join(folder, 'tireless-'))).toBe(true);
  });

  it('are closed to others: a folder left open is closed, one that is no folder is passed over', async () => {
    const temp = mkdtempSync(join(folder, 't'));
    const name = `tireless-${process.getuid?.()}`;
    mkdirSync(join(temp, name));
    chmodSync(join(temp, name), 0o777);
    await openSockets(home, 'r4', { TMPDIR: temp });
    expect(statSync(join(temp, name)).mode & 0o777).toBe(0o700);
    rmSync(join(temp, name), { recursive: true });
    writeFileSync(join(temp, name), '');
    const { agent } = await openSockets(home, 'r4', { TMPDIR: temp });
    expect(agent.path.startsWith(temp)).toBe(false);
  });

  it('are none where nobody kept the run, or the file is damaged', () => {
    expect(findSockets(home, 'r9')).toBeNull();
    mkdirSync(home.runFolder('r9'), { recursive: true });
    writeFileSync(join(home.runFolder('r9'), 'sockets.json'), '{"agent":{"path":"x"}}');
    expect(findSockets(home, 'r9')).toBeNull();
  });
});
