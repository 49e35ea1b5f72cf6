import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf, freshFolder, git, open, repoWith, snapshot, treeOf, write } from './folders.ts';

describe('a savepoint', () => {
  it('is listed with its name, reason, tree and time', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const tree = await workspace.tree();
    await workspace.savepoint('run-1@2', 'after turn 2', tree);
    write(folder, { 'a.txt': 'b' });
    await workspace.savepoint('vor dem Löschen / "x"', 'line\nend');
    expect(await workspace.savepoints()).toEqual([
      { name: 'run-1@2', because: 'after turn 2', tree: tree.tree, head: tree.head, at: 1_000_000 },
      {
        name: 'vor dem Löschen / "x"',
        because: 'line\nend',
        tree: await treeOf(workspace),
        head: tree.head,
        at: 1_000_001,
      },
    ]);
  });

  it('may be kept twice, but never becomes another one', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const first = await workspace.savepoint('one', 'first');
    expect(await workspace.savepoint('one', 'again')).toEqual(first);
    write(folder, { 'a.txt': 'b' });
    await expect(workspace.savepoint('one', 'other')).rejects.toMatchObject({ fault: 'savepoint-taken' });
    expect(await workspace.savepoints()).toEqual([first]);
  });

  it('has any name, however long', async () => {
    const workspace = await open(repoWith({ 'a.txt': 'a' }));
    const names = ['x'.repeat(5_000), '..', 'a.lock', '@{1}', '-d', 'a/b', 'a'];
    for (const name of names) await workspace.savepoint(name, 'a name');
    expect((await workspace.savepoints()).map((each) => each.name)).toEqual(names);
  });

  it('outlives the repository, the workspace and tidying', async () => {
    const folder = repoWith({ 'a.txt': 'a', 'sub/b.txt': 'b' });
    write(folder, { 'new.txt': 'new' });
    const stateDir = freshFolder('state');
    const workspace = await open(folder, { stateDir });
    const files = filesOf(folder);
    await workspace.savepoint('one', 'before everything goes');
    for (const name of ['.git', 'a.txt', 'sub', 'new.txt']) rmSync(join(folder, name), { recursive: true });
    await workspace.tidy();
    const again = await open(folder, { stateDir });
    const { written } = await again.restore('one');
    expect(written).toEqual(['a.txt', 'new.txt', 'sub/b.txt']);
    expect(filesOf(folder)).toEqual(files);
  });

  it('is forgotten when dropped', async () => {
    const workspace = await open(repoWith({ 'a.txt': 'a' }));
    await workspace.savepoint('one', 'x');
    await workspace.dropSavepoint('one');
    expect(await workspace.savepoints()).toEqual([]);
    await expect(workspace.dropSavepoint('one')).rejects.toMatchObject({ fault: 'unknown-savepoint' });
    await expect(workspace.restore('one')).rejects.toThrow('there is no savepoint `one`');
  });
});

describe('restoring', () => {
  it('brings back what was edited, deleted and made, and leaves index, branch and stash alone', async () => {
    const folder = repoWith({ 'a.txt': 'a', 'b/c.txt': 'c', 'run.sh': '#!/bin/sh\n' });
    git(folder, 'update-index', '--chmod=+x', 'run.sh');
    symlinkSync('a.txt', join(folder, 'link'));
    const workspace = await open(folder);
    const files = filesOf(folder);
    const first = await treeOf(workspace);
    const before = snapshot(join(folder, '.git'));
    write(folder, { 'a.txt': 'edited', 'made/by/agent.txt': 'x', 'b/c.txt': 'x' });
    unlinkSync(join(folder, 'b/c.txt'));
    unlinkSync(join(folder, 'link'));
    const restored = await workspace.restore(first);
    expect(restored).toMatchObject({
      written: ['a.txt', 'b/c.txt', 'link'],
      removed: ['made/by/agent.txt'],
      skipped: [],
    });
    expect(filesOf(folder)).toEqual(files);
    expect(existsSync(join(folder, 'made'))).toBe(false);
    expect(snapshot(join(folder, '.git'))).toEqual(before);
  });

  it('can itself be undone', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { 'a.txt': 'work of hours', 'b.txt': 'more of it' });
    const files = filesOf(folder);
    const { before } = await workspace.restore(first);
    await workspace.restore(before.name);
    expect(filesOf(folder)).toEqual(files);
  });

  it('touches only the paths that are named', async () => {
    const folder = repoWith({ 'a.txt': 'a', 'b/c.txt': 'c', 'bc.txt': 'x' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { 'a.txt': '2', 'b/c.txt': '2', 'b/d.txt': '2', 'bc.txt': '2' });
    expect(await workspace.restore(first, ['./b/'])).toMatchObject({
      written: ['b/c.txt'],
      removed: ['b/d.txt'],
    });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('2');
    expect(readFileSync(join(folder, 'bc.txt'), 'utf8')).toBe('2');
  });

  it('never deletes an ignored file to make room, and says so', async () => {
    const folder = repoWith({ a: 'a', 'b/c': 'c', 'd.txt': 'd' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    for (const name of ['a', 'b', 'd.txt']) rmSync(join(folder, name), { recursive: true });
    write(folder, {
      '.git/info/exclude': 'secret\n/b\n/d.txt\n',
      'a/secret': 'mine',
      b: 'mine',
      'd.txt': 'mine',
    });
    git(folder, 'rm', '--quiet', '-r', '--cached', '.');
    const { skipped } = await workspace.restore(first);
    expect(skipped).toEqual([
      { path: 'a', because: 'a folder with ignored files stands there' },
      { path: 'b/c', because: 'b is no folder any more' },
      { path: 'd.txt', because: 'an ignored file stands there' },
    ]);
    for (const path of ['a/secret', 'b', 'd.txt'])
      expect(readFileSync(join(folder, path), 'utf8')).toBe('mine');
  });

  it('does not follow a link out of the workspace', async () => {
    const outside = freshFolder('outside');
    write(outside, { 'x.txt': 'theirs' });
    const folder = repoWith({ 'd/x.txt': 'ours' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    rmSync(join(folder, 'd'), { recursive: true });
    symlinkSync(outside, join(folder, 'd'));
    await workspace.restore(first);
    expect(readFileSync(join(outside, 'x.txt'), 'utf8')).toBe('theirs');
    expect(readFileSync(join(folder, 'd/x.txt'), 'utf8')).toBe('ours');
  });
});

describe('the difference of two trees', () => {
  it('is told by path, status and lines, and as text', async () => {
    const folder = repoWith({ 'a.txt': '1\n2\n3\n', 'gone.txt': 'x\n', bin: '\0\0' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { 'a.txt': '1\ntwo\n3\n4\n', 'new.txt': 'n\n', bin: '\0\x01' });
    unlinkSync(join(folder, 'gone.txt'));
    const second = await treeOf(workspace);
    expect(await workspace.diff(first, second)).toEqual({
      paths: 4,
      changes: [
        { path: 'a.txt', status: 'changed', added: 2, removed: 1 },
        { path: 'bin', status: 'changed', added: null, removed: null },
        { path: 'gone.txt', status: 'removed', added: 0, removed: 1 },
        { path: 'new.txt', status: 'added', added: 1, removed: 0 },
      ],
    });
    const { text, cut } = await workspace.diffText(first, second);
    expect(text).toContain('-2\n+two\n');
    expect(cut).toBe(false);
    expect((await workspace.diff(first, second, ['new.txt'])).paths).toBe(1);
  });

  it('is cut at its bound, at the end of a line', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { 'long.txt': 'a line\n'.repeat(100_000) });
    const { text, cut } = await workspace.diffText(first, await treeOf(workspace), { charsMax: 5_000 });
    expect(cut).toBe(true);
    expect(text.length).toBeLessThanOrEqual(5_000);
    expect(text.endsWith('+a line\n')).toBe(true);
  });

  it('is refused for what is no tree here', async () => {
    const workspace = await open(repoWith({ 'a.txt': 'a' }));
    const tree = await treeOf(workspace);
    for (const id of ['unknown', '--output=/tmp/x', 'HEAD', 'f'.repeat(40)]) {
      await expect(workspace.diff(tree, id), id).rejects.toMatchObject({
        name: 'WorkspaceError',
        fault: 'unknown-tree',
      });
      await expect(workspace.diffText(id, tree), id).rejects.toMatchObject({ fault: 'unknown-tree' });
    }
    mkdirSync(join(workspace.path, 'empty'));
    expect(await workspace.diff(tree, await treeOf(workspace))).toEqual({ paths: 0, changes: [] });
  });
});

describe('the numbers of a diff', () => {
  it('count files and lines, with the first few paths', async () => {
    const folder = repoWith({ 'a.txt': 'one\ntwo\n', 'gone.txt': 'x\n' });
    const workspace = await open(folder);
    const from = await treeOf(workspace);
    write(folder, { 'a.txt': 'one\n2\nthree\n', ...Object.fromEntries(many) });
    unlinkSync(join(folder, 'gone.txt'));
    const stat = await workspace.diffStat?.(from, await treeOf(workspace));
    expect(stat).toMatchObject({ files: 32, added: 32, removed: 2 });
    expect(stat?.paths).toHaveLength(20);
    expect(stat?.paths[0]).toBe('a.txt');
    expect(await workspace.diffStat?.(from, from)).toEqual({ files: 0, added: 0, removed: 0, paths: [] });
  });
});

const many = Array.from({ length: 30 }, (_, n) => [`n/${n}.txt`, 'new\n'] as const);
