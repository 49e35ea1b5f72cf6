import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Engine, openEngine } from '../../src/edge/store/engine.ts';
import { asStoreError, guarded } from '../../src/edge/store/faults.ts';
import { performAll } from '../../src/edge/store/group.ts';
import { mountTypeOf, networkFileSystemOf, networkName } from '../../src/edge/store/place.ts';
import type { Request } from '../../src/edge/store/requests.ts';
import { inspectStore, openInline, openThreaded, verifyRun } from '../../src/edge/store/sqlite.ts';
import { workerFile } from '../../src/edge/store/threaded.ts';
import { sampleEntries, sampleEntry, sampleView } from '../../src/testkit/store-samples.ts';
import { opened, ownDisk, ownFolder, writeRun, writtenStore } from './places.ts';

const hosts = [
  ['inline', openInline],
  ['threaded', openThreaded],
] as const;

const big = (name: string, bytes: number) => ({ digest: name.padEnd(64, '0'), text: 'x'.repeat(bytes) });

describe('a full disk', () => {
  it.each(hosts)(
    'refuses what does not fit, keeps the rest, and takes entries again when there is room (%s)',
    async (_, open) => {
      const path = join(ownFolder(), 'tireless.db');
      const store = open(path, { bytesMax: 400_000 });
      const epoch = await writeRun(store, 'r1', 10);
      const view = sampleView('r1', 11);
      const tooBig = store.append('r1', epoch, 11, sampleEntries('r1', 11, 11), {
        view,
        bodies: [big('a', 900_000)],
      });
      await expect(tooBig).rejects.toMatchObject({
        name: 'StoreError',
        fault: 'disk-full',
        message: expect.stringContaining(path),
        fix: expect.stringContaining('Free some space'),
      });
      expect(await store.body(big('a', 0).digest)).toBe(null);
      await store.append('r1', epoch, 11, sampleEntries('r1', 11, 11), { view });
      expect(await verifyRun(store, 'r1')).toMatchObject({ ok: true, entries: 11 });
      await store.close();
    },
  );

  it('that is really full is told as that, and nothing acknowledged is lost', async ({ skip }) => {
    const disk = ownDisk(2_048);
    if (!disk) return skip('mounting a small disk needs the superuser');
    const path = join(disk.folder, 'tireless.db');
    const store = openInline(path);
    const epoch = await writeRun(store, 'r1', 1);
    let last = 1;
    const fill = async () => {
      for (; ; last += 20) {
        const view = sampleView('r1', last + 20);
        await store.append('r1', epoch, last + 1, sampleEntries('r1', last + 1, last + 20), { view });
      }
    };
    await expect(fill()).rejects.toMatchObject({ fault: 'disk-full' });
    expect(last).toBeGreaterThan(100);
    expect(await verifyRun(store, 'r1')).toMatchObject({ ok: true, entries: last });
    await store.close();
    const again = opened(path);
    expect(await verifyRun(again, 'r1')).toMatchObject({ ok: true, entries: last });
  });
});

describe('a place that cannot be written', () => {
  it('is told as that, with the file and the fix', async ({ skip }) => {
    const disk = process.getuid?.() === 0 ? ownDisk(4_096) : { folder: ownFolder(), makeReadOnly: () => {} };
    if (!disk)
      return skip('the superuser may write everywhere but on a read-only disk, and none can be mounted');
    const path = join(disk.folder, 'tireless.db');
    const store = openInline(path);
    await writeRun(store, 'r1', 3);
    await store.close();
    chmodSync(path, 0o400);
    chmodSync(disk.folder, 0o500);
    disk.makeReadOnly();
    for (const [, open] of hosts) {
      const use = async () => {
        const readOnly = open(path);
        await writeRun(readOnly, 'r2', 1);
      };
      await expect(use()).rejects.toMatchObject({
        fault: 'read-only',
        message: expect.stringContaining(path),
        fix: expect.stringContaining('TIRELESS_HOME'),
      });
    }
    expect(() => openInline(join(disk.folder, 'deeper', 'tireless.db'))).toThrow(
      expect.objectContaining({ fault: 'read-only' }),
    );
    if (process.getuid?.() !== 0) chmodSync(disk.folder, 0o700);
  });
});

describe('an error of SQLite', () => {
  it('about a file opened for reading only is told as that', async () => {
    const path = await writtenStore(1);
    const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    const write = () => guarded(path, () => db.exec(`DELETE FROM child`));
    expect(write).toThrow(
      expect.objectContaining({ fault: 'read-only', message: expect.stringContaining(path) }),
    );
    db.close();
  });

  it('that is our own mistake is not dressed as the world', () => {
    expect(asStoreError(new TypeError('ours'), 'x')).toBeInstanceOf(TypeError);
  });
});

describe('a file another process writes to', () => {
  it.each(hosts)('is busy after the time a write waits, and readable meanwhile (%s)', async (_, open) => {
    const path = await writtenStore(3);
    const store = open(path, { busyMs: 50 });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const writes = [store.noteChild('r1', { pid: 1, pidStart: 'a', host: 'h' }), writeRun(store, 'r2', 1)];
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toMatchObject({ reason: { fault: 'busy', message: expect.stringContaining(path) } });
    }
    expect(await store.read('r1', 1, 10)).toHaveLength(3);
    other.exec('ROLLBACK');
    other.close();
    await writeRun(store, 'r2', 1);
    await store.close();
  });
});

describe('a group of requests', () => {
  const appendOf = (
    run: string,
    fromSeq: number,
    bodies: ReturnType<typeof big>[] = [],
    snapshotSeq?: number,
  ): Request => ({
    op: 'append',
    input: {
      run,
      epoch: 1,
      fromSeq,
      entries: [JSON.stringify(sampleEntry(run, fromSeq))],
      causes: [],
      view: JSON.stringify(sampleView(run, fromSeq)),
      bodies,
      snapshot: snapshotSeq ? { seq: snapshotSeq, foldVersion: 1, json: '{}' } : null,
    },
  });
  const acquireOf = (run: string): Request => ({
    op: 'acquire',
    input: { key: `run:${run}`, holder: { session: 's', pid: 1, pidStart: '', host: 'h' }, at: 1 },
  });
  const names = Array.from({ length: 50 }, (_, index) => `r${index}`);
  const faults = (outcomes: ReturnType<typeof performAll>) =>
    outcomes.map((outcome) => ('error' in outcome ? (outcome.error as { fault?: string }).fault : 'none'));

  it('shares one commit, and a refused one leaves the others in it', () => {
    const engine = openEngine(join(ownFolder(), 'tireless.db'));
    performAll(engine, names.map(acquireOf));
    expect(engine.commits).toBe(1);
    // The last but one is refused only after its entry was inserted.
    const refused = [appendOf('r3', 7), appendOf('r3', 2, [], 9)];
    const requests = [...names.map((run) => appendOf(run, 1)), ...refused, appendOf('r3', 2)];
    const expected = [...names.map(() => 'none'), 'not-next', 'not-next', 'none'];
    expect(faults(performAll(engine, requests))).toEqual(expected);
    expect(engine.commits).toBe(2);
    const reads = performAll(engine, [{ op: 'read', input: { run: 'r3', fromSeq: 1, limit: 9 } }]);
    expect(reads).toMatchObject([{ value: [{ seq: 1 }, { seq: 2 }] }]);
    engine.close();
  });

  const onlyTheBigOneFails = (engine: Engine, bytes: number) => {
    performAll(engine, names.map(acquireOf));
    const requests = names.map((run, index) => appendOf(run, 1, index === 20 ? [big('b', bytes)] : []));
    const expected = names.map((_, index) => (index === 20 ? 'disk-full' : 'none'));
    expect(faults(performAll(engine, requests))).toEqual(expected);
    const reads = names.map((run): Request => ({ op: 'read', input: { run, fromSeq: 1, limit: 9 } }));
    const lengths = performAll(engine, reads).map((outcome) => ('value' in outcome ? outcome.value : null));
    expect(lengths.map((rows) => (Array.isArray(rows) ? rows.length : -1))).toEqual(
      names.map((_, index) => (index === 20 ? 0 : 1)),
    );
    engine.close();
  };

  it('loses only the one that is too big for the file', () => {
    onlyTheBigOneFails(openEngine(join(ownFolder(), 'tireless.db'), { bytesMax: 600_000 }), 900_000);
  });

  it('loses only the one that is too big for the disk, though SQLite then drops the whole transaction', ({
    skip,
  }) => {
    const disk = ownDisk(8_192);
    if (!disk) return skip('mounting a small disk needs the superuser');
    onlyTheBigOneFails(openEngine(join(disk.folder, 'tireless.db')), 20_000_000);
  });
});

describe('the place of a store', () => {
  it.each(hosts)('is made private (%s)', async (_, open) => {
    const path = join(ownFolder(), 'a', 'b', 'tireless.db');
    const store = open(path);
    await writeRun(store, 'r1', 1);
    const folder = join(path, '..');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
    await store.close();
    chmodSync(path, 0o644);
    expect(inspectStore(path).problems).toMatchObject([
      { place: path, fix: expect.stringContaining('chmod 600') },
    ]);
  });

  it.each(hosts)('is refused on a network file system, unless told otherwise (%s)', async (_, open) => {
    const path = join(ownFolder(), 'tireless.db');
    const networkOf = () => 'nfs';
    expect(() => open(path, { networkOf })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('network file system (nfs)'),
        fix: expect.stringContaining('TIRELESS_HOME'),
      }),
    );
    expect(existsSync(path)).toBe(false);
    const store = open(path, { networkOf, allowNetwork: true });
    await writeRun(store, 'r1', 1);
    await store.close();
  });

  it('is known as local here, and as remote by its type elsewhere', () => {
    expect(networkFileSystemOf(ownFolder())).toBe(null);
    expect(
      [0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997].map((type) => networkName(type, null)),
    ).toEqual(['nfs', 'cifs', 'smb2', 'smb', '9p']);
    expect(networkName(0xef53, 'ext4')).toBe(null);
    expect(networkName(0x65735546, 'fuse.sshfs')).toBe('fuse.sshfs');
    expect(networkName(0x65735546, 'fuse.gocryptfs')).toBe(null);
  });

  it('is found in the mount table by the innermost mount', () => {
    const table = [
      '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
      '30 22 0:40 / /home rw shared:1 - ext4 /dev/sdb rw',
      '31 30 0:41 / /home/me/far\\040away rw - fuse.sshfs me@there: rw',
    ].join('\n');
    expect(mountTypeOf('/home/me/far away/state', table)).toBe('fuse.sshfs');
    expect(mountTypeOf('/home/me/far', table)).toBe('ext4');
    expect(mountTypeOf('/home/me/far awayer', table)).toBe('ext4');
  });

  it('tells where the thread of the store begins, from source and from a bundle', () => {
    expect(workerFile('file:///x/src/edge/store/threaded.ts').href).toBe(
      'file:///x/src/edge/store/worker.ts',
    );
    expect(workerFile('file:///x/dist/tireless.js').href).toBe('file:///x/dist/store-worker.js');
  });
});

describe('an open store', () => {
  it('writes ahead and waits for the disk at every commit', () => {
    const { db, close } = openEngine(join(ownFolder(), 'tireless.db'));
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    close();
  });

  it('looks for changes only while somebody follows a run', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = opened(join(ownFolder(), 'tireless.db'));
    expect(vi.getTimerCount()).toBe(0);
    const offs = ['r1', 'r2', 'r1'].map((run) => store.subscribe(run, () => {}));
    expect(vi.getTimerCount()).toBe(1);
    for (const off of offs.slice(1)) off();
    expect(vi.getTimerCount()).toBe(1);
    offs[0]?.();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a closed store', () => {
  it.each(hosts)('refuses every question and says why (%s)', async (_, open) => {
    const path = join(ownFolder(), 'tireless.db');
    const store = open(path);
    await writeRun(store, 'r1', 1);
    const late = store.runs();
    await store.close();
    await store.close();
    expect(await late).toHaveLength(1);
    await expect(store.runs()).rejects.toMatchObject({
      fault: 'io',
      message: expect.stringContaining('is closed'),
    });
    expect(() => store.subscribe('r1', () => {})).toThrow('is closed');
  });
});
