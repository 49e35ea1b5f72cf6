import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freshFolder, git, open, personEnv, repoWith, treeOf, write } from './folders.ts';

const script = fileURLToPath(new URL('./read-tree.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** Root may read everything, so these tests step down; where that user cannot read the sources, they cannot run. */
const canStepDown = !isRoot || spawnSync('cat', [script], { uid: nobody, gid: nobody }).status === 0;

/** The answer of a process of an ordinary user about this folder. */
function asOrdinaryUser(folder: string, state = freshFolder('state')): Record<string, unknown> {
  const own = freshFolder('home');
  if (isRoot)
    for (const each of [folder, dirname(folder), state, dirname(state), own, dirname(own)])
      chownSync(each, nobody, nobody);
  const who = isRoot ? { uid: nobody, gid: nobody } : {};
  const { stdout, stderr } = spawnSync(process.execPath, [script, folder, state], {
    ...who,
    encoding: 'utf8',
    env: { ...personEnv, HOME: own },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('opening a workspace', () => {
  it.each([
    ['missing', '/nowhere/at/all', 'there is no such folder'],
    ['not-a-folder', script, 'a file, not a folder'],
    ['missing', join(script, 'below'), 'there is no such folder'],
  ])('says %s for %s, with the place and the fix', async (fault, path, what) => {
    const refused = open(path);
    await expect(refused).rejects.toMatchObject({ name: 'WorkspaceError', fault, place: path });
    await expect(refused).rejects.toThrow(path);
    await expect(refused).rejects.toThrow(what);
    await expect(refused).rejects.toMatchObject({ fix: expect.stringMatching(/\.$/) });
  });

  it('says so when our own folder cannot be used', async () => {
    const folder = freshFolder();
    write(folder, { taken: 'a file' });
    await expect(open(folder, { stateDir: join(folder, 'taken') })).rejects.toMatchObject({
      fault: 'state',
      fix: expect.stringContaining('TIRELESS_HOME'),
    });
  });

  it('says so when there is no git', async () => {
    await expect(open(freshFolder(), { env: { PATH: '/nowhere' } })).rejects.toMatchObject({
      fault: 'no-git',
    });
  });

  it.skipIf(!canStepDown)('says read-only for a folder this user cannot write', () => {
    const folder = freshFolder();
    chmodSync(folder, 0o555);
    expect(asOrdinaryUser(folder)).toMatchObject({
      fault: 'read-only',
      message: expect.stringContaining(folder),
    });
  });
});

describe('a tree that cannot be read', () => {
  it('is unknown when time is up, and says why', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder, { treeMs: 1 });
    expect(await workspace.tree()).toMatchObject({
      tree: 'unknown',
      because: 'reading the files took longer than 1 ms',
    });
    await expect(workspace.savepoint('x', 'y')).rejects.toMatchObject({ fault: 'unknown-tree' });
  });

  it('is read on from where time was up, at the next reading', async () => {
    const folder = freshFolder();
    for (let at = 0; at < 12_000; at++) {
      if (at % 100 === 0) mkdirSync(join(folder, `d${at / 100}`));
      writeFileSync(join(folder, `d${Math.floor(at / 100)}`, `f${at}`), `${at}`);
    }
    const bin = freshFolder('bin');
    const calls = () => readFileSync(join(bin, 'calls'), 'utf8').length;
    const real = spawnSync('sh', ['-c', 'command -v git'], {
      encoding: 'utf8',
      env: personEnv,
    }).stdout.trim();
    // A git that hangs in its second batch of files while the file `hang` is there.
    const script = [
      '#!/bin/sh',
      `case " $* " in *" update-index "*) printf x >> '${bin}/calls';`,
      `  if [ -e '${bin}/hang' ] && [ "$(wc -c < '${bin}/calls')" -gt 1 ]; then exec sleep 60; fi;; esac`,
      `exec '${real}' "$@"`,
    ];
    write(bin, { git: script.join('\n'), hang: '', calls: '' });
    chmodSync(join(bin, 'git'), 0o755);
    const workspace = await open(folder, {
      env: { ...personEnv, PATH: `${bin}:${personEnv.PATH}` },
      treeMs: 8_000,
    });
    expect(await workspace.tree()).toMatchObject({
      tree: 'unknown',
      because: 'reading the files took longer than 8000 ms',
    });
    expect(calls()).toBe(2);
    rmSync(join(bin, 'hang'));
    write(bin, { calls: '' });
    expect((await workspace.tree()).tree).not.toBe('unknown');
    expect(calls()).toBe(2);
  });

  it('is unknown when the folder is gone', async () => {
    const folder = freshFolder();
    const workspace = await open(folder);
    rmSync(folder, { recursive: true });
    expect(await workspace.tree()).toMatchObject({
      tree: 'unknown',
      head: null,
      because: expect.stringContaining('gone'),
    });
  });

  it.skipIf(!canStepDown)(
    'is known without the content of files this user cannot read, and says which folders',
    () => {
      const folder = freshFolder();
      write(folder, { 'open.txt': '1', 'shut.txt': '1', 'closed/x': '1' });
      chmodSync(join(folder, 'shut.txt'), 0o000);
      chmodSync(join(folder, 'closed'), 0o700);
      if (!isRoot) chmodSync(join(folder, 'closed'), 0o000);
      const first = asOrdinaryUser(folder);
      expect(first).toMatchObject({
        tree: expect.stringMatching(/^[0-9a-f]{40}$/),
        because: 'could not look into closed',
      });
      chmodSync(join(folder, 'shut.txt'), 0o644);
      expect(asOrdinaryUser(folder).tree).not.toBe(first.tree);
      chmodSync(join(folder, 'closed'), 0o755);
    },
  );
});

describe('a damaged store', () => {
  const indexOf = (workspace: { store: string }) => join(workspace.store, 'index');

  it.each([
    ['cut short', (file: string) => truncateSync(file, 40)],
    ['empty', (file: string) => truncateSync(file, 0)],
    ['nonsense', (file: string) => writeFileSync(file, 'x'.repeat(500))],
    ['gone', (file: string) => rmSync(file)],
  ])('is built anew when its index is %s', async (_what, damage) => {
    const folder = repoWith({ 'a.txt': 'a', 'b.txt': 'b' });
    const workspace = await open(folder);
    const tree = await treeOf(workspace);
    damage(indexOf(workspace));
    expect(await treeOf(workspace)).toBe(tree);
  });

  it('is built anew when the large part of its index is gone', async () => {
    const folder = repoWith({ 'a.txt': 'a', 'b.txt': 'b' });
    const workspace = await open(folder);
    await treeOf(workspace);
    write(folder, { 'a.txt': '2' });
    const tree = await treeOf(workspace);
    const parts = readdirSync(workspace.store).filter((name) => name.startsWith('sharedindex.'));
    expect(parts).not.toEqual([]);
    for (const name of parts) rmSync(join(workspace.store, name));
    expect(await treeOf(workspace)).toBe(tree);
  });

  it('does not grow for ever: tidying removes old parts of the index, never the one in use', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    await treeOf(workspace);
    write(folder, { 'a.txt': 'b' });
    await treeOf(workspace);
    const parts = () => readdirSync(workspace.store).filter((name) => name.startsWith('sharedindex'));
    const inUse = parts();
    write(workspace.store, {
      [`sharedindex.${'0'.repeat(40)}`]: 'old',
      sharedindex_XyZ123: 'left by a killed git',
    });
    for (const name of parts()) utimesSync(join(workspace.store, name), 1_700_000_000, 1_700_000_000);
    const tree = await treeOf(workspace);
    await workspace.tidy();
    expect(parts()).toEqual(inUse);
    expect(inUse).toHaveLength(1);
    expect(await treeOf(workspace)).toBe(tree);
  });

  it('is filled anew when its objects are lost', async () => {
    const folder = repoWith({ 'a.txt': 'a', 'b/c.txt': 'c' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    for (const name of readdirSync(join(workspace.store, 'objects')))
      if (/^[0-9a-f]{2}$/.test(name)) rmSync(join(workspace.store, 'objects', name), { recursive: true });
    write(folder, { 'b/d.txt': 'd' });
    const second = await treeOf(workspace);
    expect((await workspace.diff(second, second)).paths).toBe(0);
    expect((await workspace.diffText('4b825dc642cb6eb9a060e54bf8d69288fbee4904', second)).text).toContain(
      'b/c.txt',
    );
    expect(second).not.toBe(first);
  });

  it('is not stopped by a lock that a killed git left behind', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    writeFileSync(`${indexOf(workspace)}.lock`, '');
    write(folder, { 'a.txt': 'b' });
    expect(await treeOf(workspace)).not.toBe(first);
  });

  it('forgets what a dead process left behind', async () => {
    const stateDir = freshFolder('state');
    const folder = repoWith({ 'a.txt': 'a' });
    const { store } = await open(folder, { stateDir });
    writeFileSync(join(store, 'index-999999999-1'), '');
    writeFileSync(join(store, `index-${process.pid}-1`), '');
    await open(folder, { stateDir });
    expect(readdirSync(store).filter((name) => name.startsWith('index-'))).toEqual([
      `index-${process.pid}-1`,
    ]);
  });

  it('inside the workspace is no part of the tree', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder, { stateDir: join(folder, '.state') });
    const tree = await treeOf(workspace);
    expect(tree).toBe(git(folder, 'rev-parse', 'HEAD^{tree}'));
    expect(await treeOf(workspace)).toBe(tree);
  });
});

describe('several readers', () => {
  it('of one workspace, in this and in other processes, agree', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const stateDir = freshFolder('state');
    for (let at = 0; at < 300; at++) write(folder, { [`d/${at}`]: `${at}` });
    const workspaces = await Promise.all([open(folder, { stateDir }), open(folder, { stateDir })]);
    const elsewhere = [1, 2, 3].map(
      () =>
        new Promise<string>((done) => {
          const child = spawn(process.execPath, [script, folder, stateDir], {
            env: personEnv,
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          let text = '';
          child.stdout.on('data', (chunk) => {
            text += chunk;
          });
          child.on('close', () => done(JSON.parse(text).tree));
        }),
    );
    const here = workspaces.flatMap((workspace) => [treeOf(workspace), treeOf(workspace), treeOf(workspace)]);
    const trees = await Promise.all([...elsewhere, ...here]);
    expect(new Set(trees).size).toBe(1);
    expect(readdirSync(join(workspaces[0].store)).filter((name) => name.startsWith('index-'))).toEqual([]);
    git(folder, 'add', '--all');
    expect(git(folder, 'write-tree')).toBe(trees[0]);
  });

  it('each see what another one has read meanwhile', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const stateDir = freshFolder('state');
    const [one, other] = [await open(folder, { stateDir }), await open(folder, { stateDir })];
    const first = await treeOf(one);
    expect(await treeOf(one)).toBe(first);
    write(folder, { 'a.txt': 'b' });
    const second = await treeOf(other);
    expect(second).not.toBe(first);
    expect(await treeOf(one)).toBe(second);
  });

  it('see no half-written note of ours', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    await treeOf(workspace);
    const place = JSON.parse(readFileSync(join(workspace.store, 'place.json'), 'utf8'));
    expect(place).toEqual({ folder, top: folder });
  });
});
