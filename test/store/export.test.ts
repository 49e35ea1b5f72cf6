import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/contract/entry.ts';
import { policySchema } from '../../src/contract/policy.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { sha256 } from '../../src/edge/store/chain.ts';
import { exportPublic, exportRun, runKey, verifyExport, verifyRun } from '../../src/edge/store/sqlite.ts';
import { memoryStore } from '../../src/testkit/memory-store.ts';
import { sampleEntries, sampleEntry, sampleMessage, sampleView } from '../../src/testkit/store-samples.ts';

const secret = 'SECRET-WORD';
const digest = 'd'.repeat(64);

/** Every place of an entry that can carry somebody's words, filled with a word to look for afterwards. */
function tellingEntries(): Entry[] {
  const of = (seq: number, event: Entry['event'], more: Partial<Entry> = {}) =>
    sampleEntry('r1', seq, { event, ...more });
  return [
    of(1, { ...sampleMessage(`do ${secret}`), by: secret } as Entry['event']),
    of(2, {
      type: 'approval-asked',
      session: secret,
      turn: secret,
      request: secret,
      action: {
        kind: 'command',
        rendered: { text: `rm ${secret}`, body: digest },
        digest,
        cwd: `/${secret}`,
        paths: [secret, secret, secret],
        tool: secret,
      },
    }),
    of(
      3,
      {
        type: 'turn-ended',
        session: secret,
        turn: secret,
        status: 'failed',
        failure: { kind: 'auth', message: secret, raw: secret },
      },
      {
        decision: {
          verdict: 'stop',
          rule: 'unrecoverable',
          because: secret,
          confidence: 1,
          actor: 'rule',
          to: 'failed',
          cause: 'limit:turnsMax',
          summary: {
            turn: 4,
            lastTurn: 'failed',
            failure: secret,
            tree: secret,
            changed: [secret, secret],
            noProgressTurns: 1,
            items: 7,
            failedItems: 0,
            plan: secret,
            tokens: null,
            money: 1.5,
            activeMs: 10,
            openGates: 0,
            denials: 0,
            compactions: 0,
            failuresInRow: 1,
            claim: secret,
            checks: secret,
            recent: [secret],
          },
        },
        effects: [{ type: 'session-close', session: secret, because: secret }],
        cause: secret,
      },
    ),
    of(4, sampleMessage('a'.repeat(40))),
    of(5, sampleMessage('a'.repeat(64))),
  ];
}

async function storeWith(entries: readonly Entry[]) {
  const store = memoryStore({ at: () => 1 }, { hashed: true });
  const answer = await store.acquire(runKey('r1'), holderHere('test'));
  if (!('got' in answer)) throw new Error('held');
  await store.append('r1', answer.got.epoch, 1, entries, { view: sampleView('r1', entries.length) });
  return store;
}

const collect = (lines: AsyncIterable<string>) => Array.fromAsync(lines);

describe('an exported ledger', () => {
  it('has one line per entry, with the stored fields and the hash, and verifies', async () => {
    const store = await storeWith(sampleEntries('r1', 1, 1_200));
    const lines = await collect(exportRun(store, 'r1'));
    expect(lines).toHaveLength(1_200);
    const [row] = await store.read('r1', 700, 1);
    expect(JSON.parse(lines[699] ?? '')).toEqual({ ...JSON.parse(row?.json ?? ''), hash: row?.hash });
    expect(await verifyExport(lines)).toMatchObject({ ok: true, entries: 1_200, head: { seq: 1_200 } });
  });

  it.each<[string, (lines: string[]) => string[], string]>([
    [
      'an edited line',
      (lines) => lines.map((line, n) => (n === 4 ? line.replace('"ok"', '"no"') : line)),
      'edited 5',
    ],
    ['a missing line', (lines) => lines.toSpliced(4, 1), 'missing 5'],
    [
      'a last line cut in the middle',
      (lines) => [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, 90)],
      'cut',
    ],
    ['a last line cut to its hash', (lines) => [...lines.slice(0, -1), '{"hash":"x"}'], 'edited'],
  ])('shows %s', async (_, change, finding) => {
    const lines = await collect(exportRun(await storeWith(sampleEntries('r1', 1, 10)), 'r1'));
    const { ok, damage } = await verifyExport(change(lines));
    expect(ok).toBe(false);
    expect(damage.map(({ kind, seq }) => `${kind} ${seq}`).join(', ')).toContain(finding);
  });

  it('shows lost last lines to whoever knows the end', async () => {
    const lines = await collect(exportRun(await storeWith(sampleEntries('r1', 1, 10)), 'r1'));
    expect((await verifyExport(lines.slice(0, 8))).ok).toBe(true);
    expect((await verifyExport(lines.slice(0, 8), { seq: 10 })).damage).toMatchObject([
      { kind: 'tail-missing' },
    ]);
  });

  it('keeps a damaged row as it is', async () => {
    const store = await storeWith(sampleEntries('r1', 1, 3));
    const rows = (await store.read('r1', 1, 3)).map((row) =>
      row.seq === 2 ? { ...row, json: row.json.slice(0, 50) } : row,
    );
    const lines = await collect(exportRun({ ...store, read: async () => rows }, 'r1'));
    expect(JSON.parse(lines[1] ?? '')).toEqual({ damaged: rows[1] });
    expect((await verifyExport(lines)).damage).toMatchObject([{ seq: 2, kind: 'cut' }]);
  });

  it('of an unknown run is refused', async () => {
    const store = await storeWith(sampleEntries('r1', 1, 1));
    for (const lines of [exportRun(store, 'r2'), exportPublic(store, 'r2')]) {
      await expect(collect(lines)).rejects.toMatchObject({ fault: 'unknown-run' });
    }
  });
});

describe('a public export', () => {
  it('holds no text anybody wrote', async () => {
    const lines = await collect(exportPublic(await storeWith(tellingEntries()), 'r1'));
    expect(lines.join('\n')).not.toContain(secret);
    expect(lines.join('\n')).not.toContain('a'.repeat(40));
  });

  it('keeps types, rules, verdicts, counts and digests', async () => {
    const lines = await collect(exportPublic(await storeWith(tellingEntries()), 'r1'));
    const [, , asked, ended] = lines.map((line) => JSON.parse(line));
    expect(asked.event).toEqual({
      type: 'approval-asked',
      action: { kind: 'command', rendered: { body: digest }, digest, paths: 3 },
    });
    expect(ended.event).toEqual({ type: 'turn-ended', status: 'failed', failure: { kind: 'auth' } });
    expect(ended.decision).toMatchObject({
      verdict: 'stop',
      rule: 'unrecoverable',
      cause: 'limit:turnsMax',
      to: 'failed',
      summary: { turn: 4, items: 7, changed: 2, money: 1.5 },
    });
    expect(ended.effects).toEqual([{ type: 'session-close' }]);
  });

  it('names the head of the original first, is a chain of its own, and shows lines lost from its end', async () => {
    const store = await storeWith(sampleEntries('r1', 1, 30));
    const lines = await collect(exportPublic(store, 'r1'));
    const { head } = await verifyRun(store, 'r1');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      public: 1,
      run: 'r1',
      entries: 30,
      original: head.hash,
    });
    expect(await verifyExport(lines)).toMatchObject({ ok: true, entries: 31 });
    expect((await verifyExport(lines.slice(0, -1))).damage).toMatchObject([
      { seq: 30, kind: 'tail-missing' },
    ]);
    expect((await verifyExport(lines.slice(1))).damage).toMatchObject([{ seq: 1, kind: 'unchained' }]);
    expect((await verifyExport(lines.with(3, lines[3]?.replace('"ok"', '"no"') ?? ''))).ok).toBe(false);
    const full = await collect(exportRun(store, 'r1'));
    expect(lines.join('').length).toBeLessThan(full.join('').length);
  });

  it('of a damaged ledger is refused', async () => {
    const store = await storeWith(sampleEntries('r1', 1, 3));
    const rows = (await store.read('r1', 1, 3)).map((row) => ({
      ...row,
      json: row.json.replace('"ok"', '"no"'),
    }));
    await expect(collect(exportPublic({ ...store, read: async () => rows }, 'r1'))).rejects.toMatchObject({
      fault: 'corrupt',
    });
  });

  it('shows the mission as a digest', async () => {
    const created = sampleEntry('r1', 1, {
      event: {
        type: 'run-created',
        mission: { text: secret },
        workspace: `/${secret}`,
        agent: {
          name: 'codex',
          door: 'app-server',
          version: secret,
          sees: 'every-action',
          usage: 'tokens',
          finds: true,
          steers: true,
          resumes: true,
          login: secret,
        },
        policyVersion: 1,
        policy: policySchema.parse({}),
        configDigest: digest,
        checks: [{ name: secret, command: secret, cwd: '.', source: secret }],
        mode: 'once',
        setup: { [secret]: secret },
        by: secret,
      },
    });
    const [, line] = await collect(exportPublic(await storeWith([created]), 'r1'));
    expect(line).not.toContain(secret);
    const shown = JSON.parse(line ?? '');
    expect(shown.mission).toBe(sha256(secret));
    expect(shown.event).toMatchObject({
      agent: { name: 'codex', door: 'app-server', finds: true },
      checks: 1,
      mode: 'once',
    });
  });
});
