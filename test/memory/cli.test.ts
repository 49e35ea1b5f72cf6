import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KeptMemory } from '../../src/contract/memory.ts';
import { type Desk, ownDesk, program, withinMs } from '../cli/kit.ts';

interface Said {
  readonly code: number | null;
  readonly lines: readonly Record<string, unknown>[];
}

/** The program with lines on its stdin, as a script calls it. */
function fed(desk: Desk, args: readonly string[], input: string): Promise<Said> {
  const child = spawn(process.execPath, [program, 'memory', ...args], {
    cwd: desk.workspace,
    env: { ...desk.env },
    stdio: 'pipe',
    timeout: withinMs,
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stdin.end(input);
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      const lines = said.split('\n').filter((line) => line !== '');
      done({ code, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) });
    });
  });
}

const lines = (...values: unknown[]): string =>
  values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');

describe('tireless memory', { timeout: 2 * withinMs }, () => {
  it('remembers, finds, forgets and brings back, in a home where nothing ever ran', async () => {
    const desk = ownDesk();
    const { id } = await desk.json<{ id: string }>(
      'memory',
      'add',
      'Staging is behind the VPN',
      '--type',
      'fact',
    );
    const find = () =>
      desk.json<{ results: { id: string; why: string }[] }>('memory', 'search', 'vpn for staging');
    expect((await find()).results).toMatchObject([{ id, type: 'fact', scope: 'global' }]);
    await desk.json('memory', 'forget', id, '--why', 'it is public now');
    expect((await find()).results).toEqual([]);
    const kept = await desk.json<KeptMemory[]>('memory', 'export');
    expect(kept).toMatchObject([{ id, forgotten: { why: 'it is public now' } }]);
    await desk.json('memory', 'restore', id);
    expect((await find()).results).toHaveLength(1);
    expect(statSync(join(desk.home, 'memory.db')).mode & 0o777).toBe(0o600);
  });

  it('takes many lines, answers a bad one in its place and goes on, and ends with 1', async () => {
    const desk = ownDesk();
    const added = await fed(
      desk,
      ['add', '--jsonl'],
      lines(
        { text: 'The cache lives in Redis', id: 'a', at: '2026-03-01T10:00:00Z' },
        '{"text":',
        { id: 'no text' },
        { text: 'x', type: 'rumour' },
        { text: 'x', at: 'some day' },
        { text: 'The queue lives in Kafka', id: 'b', scope: 'shop', at: 1_772_359_200_000 },
      ),
    );
    expect(added.code).toBe(1);
    expect(added.lines.map((line) => line.id ?? Object.keys(line)[0])).toEqual([
      ...['a', 'error', 'error', 'error', 'error', 'b'],
    ]);
    const found = await fed(
      desk,
      ['search', '--jsonl'],
      lines({ query: 'where is the cache' }, { query: 7 }, { query: 'what lives', scope: 'shop', limit: 1 }),
    );
    expect(found.code).toBe(1);
    expect(found.lines).toMatchObject([
      { results: [{ id: 'a', text: 'The cache lives in Redis', at: Date.parse('2026-03-01T10:00:00Z') }] },
      { error: expect.stringContaining('query') },
      { results: [{ id: 'b', score: expect.any(Number), why: expect.stringContaining('matched') }] },
    ]);
  });

  it('lists what is there, what was forgotten and what was replaced, and prunes only when told', async () => {
    const desk = ownDesk();
    const given = lines(
      { text: 'Staging is on port 8443', id: 'old', source: 'r1/2' },
      { text: 'Staging is on port 9443', id: 'new', supersedes: 'old', type: 'fact' },
      { text: 'It rained', id: 'rain', source: 'r1/3', at: '2020-01-01T00:00:00Z' },
    );
    expect((await fed(desk, ['add', '--jsonl'], given)).code).toBe(0);
    const listed = async (...flags: string[]) =>
      (await desk.json<{ memories: KeptMemory[] }>('memory', 'list', ...flags)).memories.map(({ id }) => id);
    expect(await listed()).toEqual(['new', 'rain']);
    expect(await listed('--replaced')).toEqual(['old']);
    expect(await listed('--type', 'fact')).toEqual(['new']);
    await desk.json('memory', 'prune', '--dry-run');
    expect(await listed('--forgotten')).toEqual([]);
    expect(await desk.json('memory', 'prune')).toMatchObject({ pruned: [{ id: 'rain' }], dryRun: false });
    expect(await listed('--forgotten')).toEqual(['rain']);
    const shown = await desk.tireless(['memory', 'list', '--all']);
    expect(shown.stdout).toMatch(/forgotten \d{4}-\d\d-\d\d: faded[\s\S]*replaced by new/);
    await desk.json('memory', 'restore', 'rain');
    expect(await listed()).toContain('rain');
  });

  it('ends with 0 when every line was good', async () => {
    const desk = ownDesk();
    expect(await fed(desk, ['add', '--jsonl'], lines({ text: 'one', id: 'a' }))).toEqual({
      code: 0,
      lines: [{ id: 'a' }],
    });
  });

  it('keeps secrets of the environment out, and the scope of this folder apart', async () => {
    const desk = ownDesk();
    const secret = 'S3cr3t-Value-For-Deploys-91x';
    const env = { DEPLOY_TOKEN: secret };
    const args = ['memory', 'add', `deploy with ${secret}`, '--scope', 'workspace'];
    expect(await desk.tireless(args, { env })).toMatchObject({ code: 0 });
    const [kept] = await desk.json<KeptMemory[]>('memory', 'export');
    expect(kept?.text).toMatch(/^deploy with ⟦secret:[0-9a-f]{8}⟧$/);
    expect(kept?.scope).toMatch(/^workspace:[0-9a-f]{12}$/);
    const here = await desk.json<{ results: unknown[] }>(
      'memory',
      'search',
      'deploy',
      '--scope',
      'workspace',
    );
    expect(here.results).toHaveLength(1);
    const elsewhere = await desk.tireless(['memory', 'search', 'deploy', '--scope', 'workspace'], {
      cwd: desk.folder,
    });
    expect(elsewhere.stdout).toContain('No memories');
  });

  it('refuses what it cannot do with a word about why, and changes by a supervised agent', async () => {
    const desk = ownDesk();
    for (const args of [
      ['forget', 'nobody'],
      ['restore', 'nobody'],
      ['search'],
      ['search', 'x', '--limit', '0'],
    ])
      expect(await desk.tireless(['memory', ...args]), args.join(' ')).toMatchObject({ code: 2, stdout: '' });
    const inside = await desk.tireless(['memory', 'add', 'x'], { env: { TIRELESS_RUN: 'r1' } });
    expect(inside).toMatchObject({ code: 2, stderr: expect.stringContaining('for people') });
  });
});
