import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { touchesOf } from '../../src/core/guards/index.ts';
import { makeFacts } from '../../src/edge/ingest/action-facts.ts';
import { makeIngest } from '../../src/edge/ingest/ingest.ts';
import { makeRedactor } from '../../src/edge/ingest/redact.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-facts-')));
const workspace = join(root, 'work');
const outside = join(root, 'outside');
const home = join(root, 'home');
for (const folder of [
  workspace,
  join(workspace, 'src'),
  join(outside, 'deep'),
  join(workspace, 'many'),
  home,
])
  mkdirSync(folder, { recursive: true });
for (const file of ['a.log', 'b.log', '.hidden.log', 'src/c.log', '[id].ts'])
  writeFileSync(join(workspace, file), '');
writeFileSync(join(outside, 'secret'), '');
symlinkSync(join(outside, 'deep'), join(workspace, 'out'));
symlinkSync(join(outside, 'not-yet'), join(workspace, 'dangling'));
symlinkSync('loop', join(workspace, 'loop'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const context = { workspace, home, tirelessHome: join(home, '.tireless'), temp: [] };
const command = (text: string): Action => ({ kind: 'command', rendered: { text }, digest: '0'.repeat(64) });
const look = (text: string, timeMs = 5_000) => makeFacts({ run: 'r1', context, timeMs })(command(text));
const at = (...parts: string[]): string => join(workspace, ...parts);

describe('what an action touches', () => {
  it('is named by the guard: paths, globs and processes, each once', () => {
    expect(
      touchesOf(command('cat a.log a.log ~/x > b.txt; rm src/*.log; kill -9 41 42 -43'), context),
    ).toEqual({
      paths: [at('b.txt'), at('a.log'), join(home, 'x')],
      globs: [at('src/\u0002.log')],
      pids: [41, 42, -43],
      incomplete: false,
    });
  });

  it('is bounded, and says when there is more', () => {
    const names = Array.from({ length: 70 }, (_, index) => `f${index}`);
    const touches = touchesOf(command(`rm ${names.join(' ')}`), context);
    expect([touches.paths.length, touches.incomplete]).toEqual([64, true]);
  });

  it.each(['rm "$X"', 'rm $(cat list)', 'pkill node', 'kill $(pgrep node)', 'eval "$X"'])(
    'is incomplete where it cannot be told: %s',
    (text) => {
      expect(touchesOf(command(text), context).incomplete).toBe(true);
    },
  );

  it('of an edit are its files', () => {
    const edit: Action = { ...command('+x'), kind: 'edit', paths: ['src/c.log', '/etc/hosts'] };
    expect(touchesOf(edit, context).paths).toEqual([at('src/c.log'), '/etc/hosts']);
  });
});

describe('the facts about it', () => {
  it('follow a link out of the workspace, also to what does not exist yet', () => {
    expect(look('cat a.log out/x/y out dangling loop missing/z src')?.paths).toEqual([
      { path: at('a.log'), real: at('a.log'), kind: 'file' },
      { path: at('out/x/y'), real: join(outside, 'deep/x/y'), kind: 'missing' },
      { path: at('out'), real: join(outside, 'deep'), kind: 'link' },
      { path: at('dangling'), real: join(outside, 'not-yet'), kind: 'link' },
      { path: at('loop'), real: null, kind: 'link' },
      { path: at('missing/z'), real: at('missing/z'), kind: 'missing' },
      { path: at('src'), real: at('src'), kind: 'folder' },
    ]);
  });

  it('take `..` after a link as the system does', () => {
    expect(look('cat out/../secret src/../a.log ../outside/secret')?.paths).toEqual([
      { path: `${workspace}/out/../secret`, real: join(outside, 'secret'), kind: 'file' },
      { path: `${workspace}/src/../a.log`, real: at('a.log'), kind: 'file' },
      { path: join(outside, 'secret'), real: join(outside, 'secret'), kind: 'file' },
    ]);
  });

  it('call what cannot be looked at unknown', () => {
    const path = at('n'.repeat(300));
    expect(look(`cat ${path}`)?.paths).toEqual([{ path, real: null, kind: 'unknown' }]);
  });

  it('list what a glob matches, as a shell does, and below it what a search finds', () => {
    expect(look("rm *.log; find . -name '*.log' -delete; rm '[id].ts'")).toMatchObject({
      globs: [
        { glob: at('*.log'), matches: [at('a.log'), at('b.log')], more: false },
        {
          glob: at('**/*.log'),
          matches: [at('.hidden.log'), at('a.log'), at('b.log'), at('src/c.log')],
          more: false,
        },
      ],
      paths: expect.arrayContaining([{ path: at('[id].ts'), real: at('[id].ts'), kind: 'file' }]),
    });
  });

  it('of 10,000 matches are the first hundred, and say so', () => {
    for (let index = 0; index < 10_000; index++) writeFileSync(at('many', `${index}`), '');
    const facts = look('rm many/*');
    expect(facts?.globs[0]?.matches).toHaveLength(100);
    expect(facts).toMatchObject({ globs: [{ more: true }], incomplete: true });
  });

  it.skipIf(process.getuid?.() === 0)('of a folder nobody may read are incomplete', () => {
    mkdirSync(at('closed'));
    chmodSync(at('closed'), 0);
    expect(look('rm closed/*')).toMatchObject({ globs: [{ matches: [], more: true }], incomplete: true });
  });

  it('end with the time they were given', () => {
    expect(look('rm a.log *.log; kill 41', 0)).toEqual({
      paths: [],
      globs: [],
      processes: [],
      incomplete: true,
    });
  });

  it('tell a process the agent started from a stranger', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const marked = spawn('sh', ['-c', 'sleep 60 & echo $!'], { env: { ...process.env, TIRELESS_RUN: 'r1' } });
    const [orphan] = await once(marked.stdout, 'data');
    await once(marked, 'exit');
    const orphanId = Number(String(orphan));
    try {
      expect(look(`kill ${child.pid} ${orphanId} ${process.pid} ${process.ppid} -1`)?.processes).toEqual([
        { pid: child.pid, own: true, command: 'sleep 60' },
        { pid: orphanId, own: process.platform === 'linux', command: 'sleep 60' },
        { pid: process.pid, own: false, command: expect.stringContaining('node') },
        { pid: process.ppid, own: false, command: expect.any(String) },
        { pid: -1, own: false, command: '' },
      ]);
    } finally {
      child.kill();
      process.kill(orphanId);
    }
  });

  it('are recorded with the request, without secrets; the digest stays', () => {
    const secret = 'hunter2hunter2';
    const redact = makeRedactor({ env: { A_TOKEN: secret }, declared: [], key: new Uint8Array(32) });
    const clock = { at: () => 1, mono: () => 1 };
    const ask = { type: 'approval-asked', session: 's', turn: 't', request: 'r' } as const;
    const factsOf = makeFacts({ run: 'r1', context });
    const ingest = makeIngest({ clock, redact, factsOf });
    const { event } = ingest({ ...ask, action: command(`cat ${secret}`) }).stamped;
    expect(event).toMatchObject({
      action: { digest: '0'.repeat(64), facts: { paths: [{ path: at(redact(secret)), kind: 'missing' }] } },
    });
    expect(JSON.stringify(event)).not.toContain(secret);
    const failing = makeIngest({
      clock,
      redact,
      factsOf: () => {
        throw new Error('no');
      },
    });
    expect(failing({ ...ask, action: command('ls') }).stamped.event).toMatchObject({
      type: 'approval-asked',
    });
  });
});
