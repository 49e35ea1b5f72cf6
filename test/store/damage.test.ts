import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { keep } from '../../src/app/keeper.ts';
import type { StoredEntry } from '../../src/contract/entry.ts';
import { findHome } from '../../src/edge/home.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { sha256 } from '../../src/edge/store/chain.ts';
import {
  exportRun,
  inspectStore,
  runKey,
  verifyChain,
  verifyExport,
  verifyRun,
} from '../../src/edge/store/sqlite.ts';
import { sampleEntries, sampleMessage, sampleView } from '../../src/testkit/store-samples.ts';
import { opened, ownFolder, writeRun, writtenStore } from './places.ts';

/** What somebody with an editor for databases does. */
function tamper(path: string, sql: string, ...values: (string | number | null)[]): void {
  const db = new DatabaseSync(path);
  db.exec('DROP TRIGGER IF EXISTS entry_never_changes; DROP TRIGGER IF EXISTS entry_never_goes');
  db.prepare(sql).run(...values);
  db.close();
}

const kinds = (report: { damage: readonly { seq: number; kind: string }[] }) =>
  report.damage.map(({ seq, kind }) => `${kind} ${seq}`);

describe('a ledger of ten rows', () => {
  const tampered = async (sql: string, ...values: string[]) => {
    const path = await writtenStore(10);
    tamper(path, sql, ...values);
    const report = await verifyRun(opened(path), 'r1');
    expect(inspectStore(path).ok).toBe(false);
    return { path, report };
  };

  it('verifies when nobody touched it', async () => {
    const path = await writtenStore(10);
    const report = await verifyRun(opened(path), 'r1');
    expect(report).toMatchObject({ ok: true, entries: 10, head: { seq: 10 }, damage: [] });
    expect(inspectStore(path)).toMatchObject({
      ok: true,
      version: 1,
      problems: [],
      runs: [{ run: 'r1', entries: 10 }],
    });
  });

  it('shows an edited row', async () => {
    const { report } = await tampered(`UPDATE entry SET json = replace(json, '"ok"', '"no"') WHERE seq = 4`);
    expect(kinds(report)).toEqual(['edited 4']);
    expect(report.damage[0]?.because).toContain('row 4');
  });

  it('shows an edited row whose hash was made to fit', async () => {
    const path = await writtenStore(10);
    const [row] = await opened(path).read('r1', 4, 1);
    const json = row?.json.replace('"ok"', '"failed"') ?? '';
    tamper(path, 'UPDATE entry SET json = ?, hash = ? WHERE seq = 4', json, sha256(json));
    expect(kinds(await verifyRun(opened(path), 'r1'))).toEqual(['unchained 5']);
  });

  it('shows a last row that was replaced together with its hash', async () => {
    const path = await writtenStore(10);
    const [row] = await opened(path).read('r1', 10, 1);
    const json = row?.json.replace('"ok"', '"failed"') ?? '';
    tamper(path, 'UPDATE entry SET json = ?, hash = ? WHERE seq = 10', json, sha256(json));
    expect(inspectStore(path).problems.map(({ what }) => what)).toEqual([
      'row 10 is not the row the chain ended with',
    ]);
  });

  it('shows a missing row', async () => {
    const { report } = await tampered('DELETE FROM entry WHERE seq = 6');
    expect(kinds(report)).toEqual(['missing 6']);
  });

  it('shows missing rows at its beginning', async () => {
    const { report } = await tampered('DELETE FROM entry WHERE seq <= 3');
    expect(report.damage).toEqual([{ seq: 1, kind: 'missing', because: 'rows 1 to 3 are missing' }]);
  });

  it('shows rows lost from its end', async () => {
    const { report } = await tampered('DELETE FROM entry WHERE seq >= 9');
    expect(kinds(report)).toEqual(['tail-missing 9']);
  });

  it('shows a last row that was cut in the middle', async () => {
    const { report } = await tampered('UPDATE entry SET json = substr(json, 1, 200) WHERE seq = 10');
    expect(kinds(report)).toEqual(['cut 10']);
  });

  it('shows two rows that changed places', async () => {
    const path = await writtenStore(10);
    const [four, five] = (await opened(path).read('r1', 4, 2)) as [StoredEntry, StoredEntry];
    tamper(path, 'UPDATE entry SET json = ?, hash = ? WHERE seq = 4', five.json, five.hash);
    tamper(path, 'UPDATE entry SET json = ?, hash = ? WHERE seq = 5', four.json, four.hash);
    expect(kinds(await verifyRun(opened(path), 'r1'))).toEqual(['moved 4', 'moved 5', 'unchained 6']);
  });

  it('shows rows that come in another order', async () => {
    const rows = await opened(await writtenStore(4)).read('r1', 1, 10);
    const order = [0, 2, 1, 3].map((index) => rows[index] as StoredEntry);
    expect(kinds(await verifyChain(order))).toEqual(['missing 2', 'moved 2', 'missing 3']);
  });

  it('is not written to any more once its end is lost', async () => {
    const { path } = await tampered('DELETE FROM entry WHERE seq >= 9');
    const store = opened(path);
    const append = store.append('r1', 1, 9, sampleEntries('r1', 9, 9), { view: sampleView('r1', 9) });
    await expect(append).rejects.toMatchObject({ fault: 'corrupt', message: expect.stringContaining(path) });
  });

  it('is not worked by a keeper once a row was edited', async () => {
    const { path } = await tampered(`UPDATE entry SET json = replace(json, '"ok"', '"no"') WHERE seq = 4`);
    const env = { TIRELESS_HOME: dirname(path) };
    await expect(keep({ home: findHome(env), env, run: 'r1' })).rejects.toMatchObject({
      fault: 'corrupt',
      message: expect.stringMatching(/^the ledger of run r1 is damaged: .*row 4/),
      fix: expect.stringContaining('tireless replay r1'),
    });
  });

  it('refuses changes and deletions through SQL', async () => {
    const db = new DatabaseSync(await writtenStore(2));
    expect(() => db.exec('DELETE FROM entry')).toThrow('append-only');
    expect(() => db.exec(`UPDATE entry SET json = '{}'`)).toThrow('append-only');
    db.close();
  });
});

describe('a damaged file', () => {
  it('with a garbled page says so, names the file, and loses nothing more', async () => {
    const path = await writtenStore(400);
    const bytes = readFileSync(path);
    for (let at = bytes.length - 5 * 8_192; at < bytes.length - 2 * 8_192; at++) bytes[at] = 0xa5;
    writeFileSync(path, bytes);
    const store = opened(path);
    await expect(verifyRun(store, 'r1')).rejects.toMatchObject({
      name: 'StoreError',
      fault: 'corrupt',
      message: expect.stringContaining(path),
      fix: expect.stringContaining('Copy the file'),
    });
    expect(await store.read('r1', 1, 3)).toHaveLength(3);
    const lines = await Array.fromAsync(exportRun(store, 'r1'));
    expect(lines).toHaveLength(400);
    const unreadable = lines.filter((line) => line.startsWith('{"unreadable"')).length;
    expect(unreadable).toBeGreaterThan(0);
    expect(unreadable).toBeLessThan(100);
    expect((await verifyExport(lines)).ok).toBe(false);
    const inspection = inspectStore(path);
    expect(inspection.ok).toBe(false);
    expect(inspection.problems.map(({ place }) => place)).toContain('run r1');
    await store.close();
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('with one changed letter inside a row is told by the chain', async () => {
    const path = await writtenStore(50);
    const bytes = readFileSync(path);
    const at = bytes.indexOf('(attempt 33)');
    bytes.write('(attempt 34)', at);
    writeFileSync(path, bytes);
    expect(kinds(await verifyRun(opened(path), 'r1'))).toEqual(['edited 33']);
  });

  it.each([
    ['an empty header', Buffer.alloc(8_192)],
    ['a text', Buffer.from('not a database at all')],
    ['half a header', Buffer.from('SQLite format 3\0')],
  ])('with %s is refused and kept', async (_, bytes) => {
    const path = await writtenStore(1);
    writeFileSync(path, bytes);
    expect(() => opened(path)).toThrow(
      expect.objectContaining({ fault: 'corrupt', message: expect.stringContaining(path) }),
    );
    expect(inspectStore(path)).toMatchObject({ ok: false, version: null });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('of another program is refused and kept', async () => {
    const path = await writtenStore(1);
    tamper(path, 'PRAGMA application_id = 77');
    const bytes = readFileSync(path);
    expect(() => opened(path)).toThrow('database of another program');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('that is not there is not made by inspecting it', () => {
    expect(inspectStore('/nowhere/tireless.db')).toMatchObject({ exists: false, ok: true });
  });
});

describe('a store of a newer version', () => {
  it('is refused and kept to the byte', async () => {
    const path = await writtenStore(3);
    tamper(path, 'PRAGMA user_version = 2');
    const bytes = readFileSync(path);
    expect(() => opened(path)).toThrow(
      expect.objectContaining({
        fault: 'newer',
        message: expect.stringContaining(path),
        fix: expect.stringContaining('Upgrade'),
      }),
    );
    expect(inspectStore(path)).toMatchObject({ ok: false, version: 2 });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('is refused and kept while its version still stands in the log only', async () => {
    const path = await writtenStore(3);
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 2');
    // As it lies there after a crash: nobody has it open, the log was never carried over.
    const left = join(ownFolder(), 'tireless.db');
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end);
    newer.close();
    const bytes = () => [readFileSync(left), readFileSync(`${left}-wal`)];
    const before = bytes();
    expect(before[0]?.readUInt32BE(60)).toBe(1);
    expect(() => opened(left)).toThrow(expect.objectContaining({ fault: 'newer' }));
    expect(bytes()).toEqual(before);
  });
});

describe('damage beside the ledger', () => {
  it('in a snapshot drops the snapshot', async () => {
    const path = await writtenStore(3);
    const store = opened(path);
    await store.append('r1', 1, 4, sampleEntries('r1', 4, 4), {
      view: sampleView('r1', 4),
      snapshot: { seq: 4, foldVersion: 1, json: '{"turns":4}' },
    });
    expect(await store.snapshot('r1')).not.toBe(null);
    tamper(path, `UPDATE snapshot SET json = '{"turns":1}'`);
    expect(await store.snapshot('r1')).toBe(null);
    tamper(path, `UPDATE snapshot SET json = '{"turns":4}', hash = ?`, 'f'.repeat(64));
    expect(await store.snapshot('r1')).toBe(null);
  });

  it.each(['{"id":"r1"', '{"id":"r1","state":"flying"}'])(
    'in a view (%s) shows the run all the same',
    async (view) => {
      const path = await writtenStore(3);
      tamper(path, 'UPDATE run SET view = ?', view);
      const store = opened(path);
      expect(await store.view('r1')).toMatchObject({
        id: 'r1',
        because: expect.stringContaining('cannot be read'),
      });
      expect(await store.runs()).toHaveLength(1);
    },
  );

  it.each(['not json', '{"type":"dance"}', '{"type":"person-asked","ask":"fly","by":"me"}', '7'])(
    'in a message (%s) is heard as unreadable, in its turn, and consumed',
    async (text) => {
      const path = await writtenStore(1);
      const store = opened(path);
      const first = await store.post('r1', sampleMessage('before'));
      const bad = await store.post('r1', sampleMessage('bad'));
      tamper(path, 'UPDATE inbox SET event = ? WHERE id = ?', text, bad);
      const rows = await store.inbox('r1');
      expect(rows.map(({ id, event }) => [id, event.type])).toEqual([
        [first, 'steer-given'],
        [bad, 'unreadable'],
      ]);
      expect(rows[1]?.event).toMatchObject({
        source: 'inbox',
        sample: text,
        because: expect.stringContaining(bad),
      });
      expect(inspectStore(path).problems).toHaveLength(1);
      const [entry] = sampleEntries('r1', 2, 2);
      await store.append('r1', 1, 2, entry ? [{ ...entry, cause: bad }] : [], { view: sampleView('r1', 2) });
      expect((await store.inbox('r1')).map(({ id }) => id)).toEqual([first]);
    },
  );

  it.each([
    ['everything', `epoch = 'x', session = 5, pid = 'y', pid_start = NULL, host = 1.5, heartbeat_at = 'z'`],
    ['the epoch', `epoch = NULL`],
    ['a negative epoch', `epoch = -3`],
    ['the process', `pid = 'seven'`],
  ])('in a lease (%s) is repaired by the next who asks, past every old epoch', async (_, set) => {
    const path = await writtenStore(1);
    tamper(path, `UPDATE lease SET ${set}`);
    tamper(path, `UPDATE lease SET pid_start = 'gone' WHERE pid_start IS NOT NULL`);
    const store = opened(path, { clock: { at: () => 1_800_000_000_000 } });
    const answer = await store.acquire(runKey('r1'), holderHere('next'));
    if (!('got' in answer)) throw new Error('held');
    expect(answer.got.epoch).toBeGreaterThan(1);
    await store.append('r1', answer.got.epoch, 2, sampleEntries('r1', 2, 2), { view: sampleView('r1', 2) });
    expect(await store.renew(answer.got)).toBe(true);
  });

  it.each(['NULL', `'soon'`, '9e15'])(
    'in the heartbeat (%s) of a living holder does not rob him',
    async (heartbeat) => {
      const path = await writtenStore(1);
      tamper(path, `UPDATE lease SET heartbeat_at = ${heartbeat}`);
      let now = 1_800_000_000_000;
      const store = opened(path, { clock: { at: () => now } });
      const told = await store.acquire(runKey('r1'), holderHere('next'));
      expect(told).toMatchObject({ heldBy: { session: 'test' }, heartbeatAt: now });
      now += 30 * 60 * 1_000 + 1;
      expect('got' in (await store.acquire(runKey('r1'), holderHere('next')))).toBe(true);
    },
  );

  it('in a list of runs is told by the inspection', async () => {
    const path = await writtenStore(2);
    const store = opened(path);
    await writeRun(store, 'r2', 2);
    tamper(path, `DELETE FROM run WHERE id = 'r1'`);
    expect(inspectStore(path).problems).toMatchObject([
      { place: 'run r1', what: 'it has entries but is not listed' },
    ]);
  });
});
