import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryTokensMax } from '../../src/contract/constants.ts';
import type { FoundMemory, NewMemory } from '../../src/contract/memory.ts';
import { withinBudget } from '../../src/core/memory/index.ts';
import { makeRedactor } from '../../src/edge/ingest/redact.ts';
import { type Memories, openMemories } from '../../src/edge/memory/memories.ts';

const nowAt = Date.parse('2026-11-01T18:00:00Z');
const dayMs = 86_400_000;

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'home', 'memory.db');
}

function opened(path = scratchFile(), redact: (text: string) => string = (text) => text): Memories {
  const memories = openMemories(path, { redact, at: () => nowAt });
  onTestFinished(() => memories.close());
  return memories;
}

function holding(...given: NewMemory[]): Memories {
  const memories = opened();
  expect(memories.add(given).filter((one) => 'error' in one)).toEqual([]);
  return memories;
}

const ids = (found: readonly FoundMemory[]): string[] => found.map(({ id }) => id);

describe('remembering', () => {
  it('fills in what is left out, and is there after a restart', () => {
    const path = scratchFile();
    const first = openMemories(path, { redact: (text) => text, at: () => nowAt });
    first.add([{ text: 'Staging listens on port 8443.' }]);
    first.close();
    const [found] = opened(path).search('which port has staging');
    expect(found).toMatchObject({
      type: 'observation',
      scope: 'global',
      importance: 0.5,
      at: nowAt,
      accessed: 0,
    });
  });

  it('never writes a secret, not even into the file', () => {
    const path = scratchFile();
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    const redact = makeRedactor({ env: {}, declared: [], key: new Uint8Array(32) });
    const memories = opened(path, redact);
    memories.add([{ text: `deploy with ${token} please`, source: `run/${token}` }]);
    expect(JSON.stringify([...memories.export()])).toContain('⟦secret:');
    memories.close();
    expect(readFileSync(path, 'latin1')).not.toContain(token);
  });

  it('writes the good ones of a batch and answers the bad ones in their place', () => {
    const memories = opened();
    const added = memories.add([
      { id: 'a', text: 'one' },
      { id: 'b', text: '' },
      { id: 'c', text: 'three', importance: 2 },
      { id: 'a', text: 'another' },
      { id: 'd', text: 'four' },
    ]);
    expect(added.map((one) => 'error' in one)).toEqual([false, true, true, true, false]);
    expect([...memories.export()].map(({ id }) => id)).toEqual(['a', 'd']);
  });

  it('takes the same memory twice as once', () => {
    const memories = holding({ id: 'a', text: 'the cache is cold' });
    expect(memories.add([{ id: 'a', text: 'the cache is cold' }])).toEqual([{ id: 'a' }]);
    expect([...memories.export()]).toHaveLength(1);
  });

  it('is shared by two that have it open', () => {
    const path = scratchFile();
    const [one, other] = [opened(path), opened(path)];
    one.add([{ id: 'a', text: 'the gateway speaks gRPC' }]);
    expect(ids(other.search('gateway'))).toEqual(['a']);
    one.add([{ id: 'b', text: 'the gateway is written in Go' }]);
    expect(ids(other.search('gateway')).sort()).toEqual(['a', 'b']);
  });
});

describe('what is replaced or forgotten', () => {
  const old = { id: 'old', text: 'The orders API listens on port 8443.', at: nowAt - 90 * dayMs };
  const fresh = { id: 'new', text: 'The orders API listens on port 9443.', supersedes: 'old' };

  it('is never an answer, whichever came first', () => {
    expect(ids(holding(old, fresh).search('orders api port'))).toEqual(['new']);
    expect(ids(holding(fresh, old).search('orders api port'))).toEqual(['new']);
  });

  it('stays visible in the export with when and why, and comes back', () => {
    const memories = holding(old);
    expect(memories.forget('old', 'moved')).toEqual({ ok: true });
    expect(memories.search('orders api port')).toEqual([]);
    expect([...memories.export()]).toMatchObject([{ id: 'old', forgotten: { at: nowAt, why: 'moved' } }]);
    expect(memories.restore('old')).toEqual({ ok: true });
    expect(ids(memories.search('orders api port'))).toEqual(['old']);
  });

  it('cannot be forgotten or brought back twice, nor when it never was', () => {
    const memories = holding(old, fresh);
    expect(memories.forget('nobody', '')).toHaveProperty('error');
    expect(memories.restore('new')).toHaveProperty('error');
    expect(memories.restore('old')).toHaveProperty('error');
    memories.forget('new', 'wrong');
    expect(memories.forget('new', 'wrong')).toHaveProperty('error');
    expect(memories.restore('old')).toEqual({ ok: true });
    expect(ids(memories.search('orders api port'))).toEqual(['old']);
  });
});

describe('what fades', () => {
  const old = nowAt - 400 * dayMs;
  const seen = { text: 'The build was slow', source: 'r1/4', at: old, importance: 0.3 };

  it('is forgotten with a trace, and only what a run observed and nobody needed', () => {
    const memories = holding(
      { id: 'seen', ...seen },
      { id: 'wish', ...seen, type: 'preference' },
      { id: 'mistake', ...seen, type: 'mistake' },
      { id: 'important', ...seen, importance: 0.9 },
      { id: 'recent', ...seen, at: nowAt - 30 * dayMs },
      { id: 'used', ...seen },
      { id: 'mine', text: 'The build was slow', at: old },
    );
    memories.touch(['used']);
    memories.touch(['used']);
    expect(memories.prune({ isDry: true }).map(({ id }) => id)).toEqual(['seen']);
    expect(memories.list({ which: 'forgotten' })).toEqual([]);
    expect(memories.prune()).toMatchObject([{ id: 'seen', why: expect.stringContaining('400 days') }]);
    expect(memories.list({ which: 'forgotten' })).toMatchObject([
      { id: 'seen', forgotten: { at: nowAt, why: expect.stringContaining('faded') } },
    ]);
    expect(memories.list({ limit: 100 }).map(({ id }) => id)).not.toContain('seen');
    expect(memories.restore('seen')).toEqual({ ok: true });
    expect(memories.list({ which: 'forgotten' })).toEqual([]);
  });

  it('is listed by scope and type, the newest first, and what was replaced with by what', () => {
    const memories = holding(
      { id: 'a', text: 'one', scope: 'shop', at: 1 },
      { id: 'b', text: 'two', scope: 'shop', at: 2, type: 'fact' },
      { id: 'c', text: 'three', at: 3, supersedes: 'a' },
    );
    expect(memories.list({ which: 'all' }).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(memories.list({ which: 'all', scope: 'shop', type: 'fact' }).map(({ id }) => id)).toEqual(['b']);
    expect(memories.list({ which: 'replaced' })).toMatchObject([{ id: 'a', supersededBy: 'c' }]);
    expect(memories.list({ limit: 1 }).map(({ id }) => id)).toEqual(['c']);
  });
});

describe('an answer', () => {
  it('keeps to the scopes asked for', () => {
    const memories = holding(
      { id: 'a', text: 'deploys go through Argo', scope: 'shop' },
      { id: 'b', text: 'deploys go through Spinnaker', scope: 'bank "OR" x' },
    );
    expect(ids(memories.search('deploys', { scopes: ['shop'] }))).toEqual(['a']);
    expect(ids(memories.search('deploys', { scopes: ['bank "OR" x'] }))).toEqual(['b']);
    expect(memories.search('deploys', { scopes: ['nowhere'] })).toEqual([]);
    expect(memories.search('deploys', { scopes: ['shop', 'bank "OR" x'] })).toHaveLength(2);
  });

  it('says for every memory what counted', () => {
    const memories = holding({
      id: 'a',
      text: 'The db password rotates monthly.',
      type: 'procedure',
      importance: 1,
    });
    const [found] = memories.search('database rotation');
    expect(found?.why).toMatch(/database~db \d.*rotation \d.*covers \d+%.*fresh \(procedure\).*importance/);
    expect(found?.score).toBeGreaterThan(0);
  });

  it('holds the best match however old, rare and unimportant it is', () => {
    const noise = Array.from({ length: 40 }, (_, n) => ({
      id: `n${n}`,
      text: `The checkout build number ${n} went through.`,
      importance: 1,
    }));
    const memories = holding(...noise, {
      id: 'best',
      text: 'The checkout build hangs when the NDK is missing.',
      importance: 0,
      at: nowAt - 3_000 * dayMs,
    });
    expect(memories.search('why does the checkout build hang without NDK', { limit: 3 })[0]?.id).toBe('best');
    expect(ids(memories.search('NDK checkout build today', { limit: 2 }))).toContain('best');
  });

  it('shows near-identical memories once, the newest, and tells different numbers apart', () => {
    const memories = holding(
      { id: 'a', text: 'CI was red because the mirror was down', at: nowAt - dayMs },
      { id: 'b', text: 'CI was red, because the mirror was down.', at: nowAt },
      { id: 'c', text: 'Port of alpha is 4001' },
      { id: 'd', text: 'Port of alpha is 4002' },
    );
    expect(ids(memories.search('why was CI red'))).toEqual(['b']);
    expect(ids(memories.search('port of alpha')).sort()).toEqual(['c', 'd']);
  });

  it('never takes long texts for the same when a number differs', () => {
    const long = (port: number) =>
      `The ingress of the northern warehouse forwards every encrypted parcel request from partner scanners through the audited relay towards backend listeners bound on port ${port}, logs each handshake, rejects stale clocks and keeps traces overnight`;
    const memories = holding({ id: 'a', text: long(4001) }, { id: 'b', text: long(4002) });
    expect(memories.search('ingress of the northern warehouse')).toHaveLength(2);
  });

  it('puts the newer of two that contradict one another first, also when the older was called important', () => {
    const about = (rate: number) => `The limiter allows ${rate} requests per minute`;
    const memories = holding(
      { id: 'old', text: about(100), type: 'fact', at: nowAt - 300 * dayMs, importance: 1 },
      { id: 'new', text: about(250), type: 'fact', at: nowAt - 200 * dayMs, importance: 0 },
    );
    const found = memories.search('requests per minute of the limiter');
    expect(ids(found)).toEqual(['new', 'old']);
    expect(found[0]?.why).toContain('newer of two alike');
  });

  it('keeps the most relevant one among few, when the named time speaks for all the others', () => {
    const words = 'north south east west upper lower'.split(' ');
    const memories = holding(
      { id: 'best', text: 'Backup drill went badly.', at: nowAt - 400 * dayMs },
      ...words.map((word) => ({
        id: word,
        text: `Backup drill at the ${word} site ended early.`,
        at: nowAt - dayMs,
      })),
    );
    const found = ids(memories.search('backup drill yesterday', { limit: 3 }));
    expect(found).toHaveLength(3);
    expect(found.indexOf('best')).toBe(2);
  });

  it('lets an observation fade before a mistake, and a preference never', () => {
    const about = 'the importer drops empty rows';
    const at = nowAt - 200 * dayMs;
    const scoreOf = (type: NewMemory['type']) =>
      holding({ id: 'a', text: about, type, at }).search('importer')[0]?.score ?? 0;
    expect(scoreOf('preference')).toBeGreaterThan(scoreOf('mistake'));
    expect(scoreOf('mistake')).toBeGreaterThan(scoreOf('observation'));
  });

  it('prefers the time a question names, without insisting on it', () => {
    const memories = holding(
      { id: 'march', text: 'The nightly backup failed', at: Date.parse('2026-03-10') },
      { id: 'june', text: 'The nightly backup has failed', at: Date.parse('2026-06-10') },
    );
    expect(memories.search('backup failure in March')[0]?.id).toBe('march');
    expect(memories.search('backup failure in June')[0]?.id).toBe('june');
  });

  it('answers a question that names nothing but a time, in the scopes asked for', () => {
    const at = (day: string) => Date.parse(`2026-${day}T12:00:00Z`);
    const memories = holding(
      { id: 'then', text: 'The lift was stuck', at: at('06-10'), scope: 'shop' },
      { id: 'there', text: 'Rain came through the roof', at: at('06-10'), scope: 'bank' },
      { id: 'later', text: 'The kettle broke', at: at('08-10'), scope: 'shop' },
    );
    const found = memories.search('what happened on June 10', { scopes: ['shop'] });
    expect(ids(found)).toEqual(['then']);
    expect(found[0]?.why).toMatch(/no word matched.*of that time \d/);
    memories.forget('then', '');
    expect(memories.search('what happened on June 10', { scopes: ['shop'] })).toEqual([]);
  });

  it('takes a month without a year for the last one of which anything is known', () => {
    const memories = holding(
      { id: 'may', text: 'Sold the boat', at: Date.parse('2023-05-20') },
      { id: 'june', text: 'Sold the caravan', at: Date.parse('2023-06-20') },
    );
    expect(memories.search('what was sold in May')[0]?.id).toBe('may');
    expect(memories.search('what was sold in June')[0]?.id).toBe('june');
    expect(memories.search('what happened in May 2025')).toEqual([]);
  });

  it('finds what was said in reply, though the words of the question stand in the line before', () => {
    const lines = [
      'Ines: I was at the dentist.',
      'Ines: Did you water the orchids while I was away?',
      'Tariq: Twice, and the ferns as well.',
    ];
    const filler = Array.from({ length: 30 }, (_, n) => `Ines: Number ${n} is nice.`);
    const talk = (day: number, texts: readonly string[]) =>
      texts.map((text, n) => ({ id: `${day}.${n}`, text, at: nowAt - day * dayMs }));
    const memories = holding(...talk(9, lines), ...talk(4, filler));
    const found = memories.search('Who watered the orchids?', { limit: 3 });
    expect(ids(found).slice(0, 2)).toEqual(['9.1', '9.2']);
    expect(found[1]?.why).toContain('said beside it');
  });

  it('completes and corrects words nobody wrote down', () => {
    const memories = holding({ id: 'a', text: 'Kubernetes evicts the pod' });
    expect(ids(memories.search('kuberntes'))).toEqual(['a']);
    expect(ids(memories.search('kuber'))).toEqual(['a']);
  });

  it.each(['', '   ', 'the of and', '"', 'a OR b AND (', 'NEAR(x', '*', 'terms: x', '😀', '-'])(
    'survives the question %j',
    (query) => {
      expect(holding({ text: 'plain words' }).search(query)).toEqual([]);
    },
  );
});

describe('the memories a cycle begins with', () => {
  const found = (text: string, n: number): FoundMemory => ({
    id: String(n),
    text,
    type: 'fact',
    scope: 'global',
    importance: 0.5,
    at: 0,
    accessed: 0,
    score: 1,
    why: '',
  });

  it('are at most 25, and the rest is counted', () => {
    const { memories, leftOut, text } = withinBudget(Array.from({ length: 30 }, (_, n) => found('short', n)));
    expect([memories.length, leftOut]).toEqual([25, 5]);
    expect(text).toMatch(/\(5 more memories left out\)$/);
  });

  it('never take more than their tokens, and a long one does not keep out the short ones behind it', () => {
    const long = 'x'.repeat(memoryTokensMax * 4);
    const { memories, text } = withinBudget([found('first', 1), found(long, 2), found('third', 3)]);
    expect(memories.map(({ id }) => id)).toEqual(['1', '3']);
    expect(text.length / 4).toBeLessThanOrEqual(memoryTokensMax);
  });
});
