import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  filesOf,
  freshFolder,
  git,
  home,
  open,
  personEnv,
  repoWith,
  snapshot,
  treeOf,
  write,
} from './folders.ts';
import { countsRight } from './sequences.ts';

describe('the tree of a repository', () => {
  it('is the tree of the commit while nothing has changed', async () => {
    const folder = repoWith({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    const workspace = await open(folder);
    expect(await workspace.tree()).toEqual({
      tree: git(folder, 'rev-parse', 'HEAD^{tree}'),
      head: git(folder, 'rev-parse', 'HEAD'),
    });
  });

  it('changes with every edit, new file, deletion, mode and link, and comes back with the files', async () => {
    const folder = repoWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const workspace = await open(folder);
    const seen = [await treeOf(workspace)];
    const seeAfter = async (change: () => void) => {
      change();
      seen.push(await treeOf(workspace));
    };
    await seeAfter(() => write(folder, { 'a.txt': 'A\n' }));
    await seeAfter(() => write(folder, { 'new/c.txt': 'c\n' }));
    await seeAfter(() => unlinkSync(join(folder, 'b.txt')));
    await seeAfter(() => chmodSync(join(folder, 'a.txt'), 0o755));
    await seeAfter(() => symlinkSync('a.txt', join(folder, 'link')));
    expect(new Set(seen).size).toBe(6);
    write(folder, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    chmodSync(join(folder, 'a.txt'), 0o644);
    unlinkSync(join(folder, 'link'));
    rmSync(join(folder, 'new'), { recursive: true });
    expect(await treeOf(workspace)).toBe(seen[0]);
  });

  it('sees edits of the same length that follow each other at once', async () => {
    const folder = repoWith({ 'a.txt': '000\n' });
    const workspace = await open(folder);
    const seen = new Set<string>();
    for (let i = 100; i < 130; i++) {
      write(folder, { 'a.txt': `${i}\n` });
      seen.add(await treeOf(workspace));
    }
    expect(seen.size).toBe(30);
  });

  it('leaves every byte and every time of the repository as they were', async () => {
    const folder = repoWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    git(folder, 'repack', '-adq');
    write(folder, { 'b.txt': 'stashed\n' });
    git(folder, 'stash');
    write(folder, { 'a.txt': 'staged\n', 'c.txt': 'untracked\n' });
    git(folder, 'add', 'a.txt');
    write(folder, { 'a.txt': 'not staged\n' });
    const before = snapshot(join(folder, '.git'));
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    await workspace.savepoint('one', 'a test');
    write(folder, { 'c.txt': 'other\n' });
    const second = await treeOf(workspace);
    await workspace.diff(first, second);
    await workspace.diffText(first, second);
    await workspace.restore('one');
    await workspace.tidy();
    expect(second).not.toBe(first);
    expect(snapshot(join(folder, '.git'))).toEqual(before);
  });

  it('runs nothing that the repository configures: no filter, hook or watcher', async () => {
    const folder = repoWith({
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n*.txt ident text eol=crlf\n',
    });
    const proof = join(freshFolder(), 'ran');
    const run = `touch '${proof}'; cat`;
    for (const [key, value] of [
      ['filter.lfs.clean', run],
      ['filter.lfs.smudge', run],
      ['filter.lfs.process', run],
      ['filter.lfs.required', 'true'],
      ['core.fsmonitor', run],
      ['diff.lfs.textconv', run],
      ['diff.external', run],
    ] as const) {
      git(folder, 'config', key, value);
    }
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
    write(folder, { 'a.bin': pointer, 'a.txt': '$Id$\r\nmixed\n' });
    const files = filesOf(folder);
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    await workspace.savepoint('one', 'a test');
    write(folder, { 'a.bin': 'smudged', 'a.txt': 'other' });
    expect((await workspace.diffText(first, await treeOf(workspace))).text).toContain('+smudged');
    await workspace.restore('one');
    expect(filesOf(folder)).toEqual(files);
    expect(existsSync(proof)).toBe(false);
  });

  it('is not bent by what a hook or shell exports', async () => {
    const folder = repoWith({ 'a.txt': 'a\n' });
    const other = repoWith({ 'x.txt': 'x\n' });
    const env = {
      ...personEnv,
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: '/nowhere',
      GIT_OBJECT_DIRECTORY: '/nowhere',
    };
    const workspace = await open(folder, { env });
    expect(await workspace.tree()).toEqual({
      tree: git(folder, 'rev-parse', 'HEAD^{tree}'),
      head: git(folder, 'rev-parse', 'HEAD'),
    });
  });

  it('has no head before the first commit', async () => {
    const folder = freshFolder();
    git(folder, 'init', '--quiet');
    const workspace = await open(folder);
    expect(await workspace.tree()).toEqual({ tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904', head: null });
    write(folder, { 'a.txt': 'a' });
    expect((await workspace.tree()).tree).not.toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
  });
});

describe('ignored files', () => {
  it('stay out, by .gitignore, by the exclude list and by the person’s own list', async () => {
    const folder = repoWith({ '.gitignore': 'out/\n', 'a.txt': 'a' });
    write(folder, { '.git/info/exclude': 'private.txt\n' });
    write(home, { 'my-ignores': '*.swp\n', '.gitconfig': '[core]\n\texcludesFile = ~/my-ignores\n' });
    try {
      const workspace = await open(folder);
      const before = await treeOf(workspace);
      write(folder, { 'out/x': '1', 'private.txt': '1', 'a.swp': '1' });
      expect(await treeOf(workspace)).toBe(before);
      write(folder, { 'sub/.gitignore': 'y\n', 'sub/y': '1' });
      const { changes } = await workspace.diff(before, await treeOf(workspace));
      expect(changes.map((change) => change.path)).toEqual(['sub/.gitignore']);
    } finally {
      rmSync(join(home, '.gitconfig'));
    }
  });

  it('stay out from the moment the exclude list names them', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { '.git/info/exclude': 'new.txt\n', 'new.txt': '1' });
    expect(await treeOf(workspace)).toBe(first);
  });

  it('leave the tree when a rule begins to ignore them and come back when it ends', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    write(folder, { 'log/x': '1' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { '.gitignore': 'log/\n' });
    const second = await treeOf(workspace);
    const { changes } = await workspace.diff(first, second);
    expect(changes.map((change) => [change.path, change.status])).toEqual([
      ['.gitignore', 'added'],
      ['log/x', 'removed'],
    ]);
    write(folder, { 'log/x': '2' });
    expect(await treeOf(workspace)).toBe(second);
    write(folder, { 'log/x': '1' });
    unlinkSync(join(folder, '.gitignore'));
    expect(await treeOf(workspace)).toBe(first);
  });

  it('belong to the tree when the person tracks them, also after they were away', async () => {
    const folder = repoWith({ '.gitignore': 'gen/\n', 'a.txt': 'a' });
    write(folder, { 'gen/kept.txt': '1', 'gen/other.txt': '1' });
    git(folder, 'add', '--force', 'gen/kept.txt');
    git(folder, 'commit', '--quiet', '-m', 'kept');
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    expect(first).toBe(git(folder, 'rev-parse', 'HEAD^{tree}'));
    write(folder, { 'gen/other.txt': '2' });
    expect(await treeOf(workspace)).toBe(first);
    unlinkSync(join(folder, 'gen/kept.txt'));
    const without = await treeOf(workspace);
    expect(without).not.toBe(first);
    write(folder, { 'gen/kept.txt': '2' });
    expect(new Set([first, without, await treeOf(workspace)]).size).toBe(3);
    write(folder, { 'gen/kept.txt': '1' });
    expect(await treeOf(workspace)).toBe(first);
    git(folder, 'rm', '--quiet', '--cached', 'gen/kept.txt');
    expect(await treeOf(workspace)).toBe(without);
  });
});

describe('repositories of every shape', () => {
  it('are read in a linked worktree', async () => {
    const main = repoWith({ 'a.txt': 'a' });
    const linked = join(freshFolder(), 'linked');
    git(main, 'worktree', 'add', '--quiet', '-b', 'side', linked);
    write(linked, { 'b.txt': 'b' });
    git(linked, 'add', '--all');
    git(linked, 'commit', '--quiet', '-m', 'second');
    const before = snapshot(join(main, '.git'));
    const workspace = await open(linked);
    expect(await workspace.tree()).toEqual({
      tree: git(linked, 'rev-parse', 'HEAD^{tree}'),
      head: git(linked, 'rev-parse', 'side'),
    });
    write(linked, { 'b.txt': 'c' });
    await treeOf(workspace);
    expect(snapshot(join(main, '.git'))).toEqual(before);
  });

  it('are read with their submodules, whose files count like all others', async () => {
    const library = repoWith({ 'lib.txt': 'lib\n', '.gitignore': 'skip\n' });
    const folder = repoWith({ 'a.txt': 'a\n' });
    git(folder, 'submodule', '--quiet', 'add', library, 'deps/lib');
    git(folder, 'commit', '--quiet', '-m', 'with library');
    const workspace = await open(folder);
    const before = snapshot(join(folder, '.git'));
    const first = await treeOf(workspace);
    write(folder, { 'deps/lib/lib.txt': 'edited\n', 'deps/lib/new.txt': 'new\n', 'deps/lib/skip': 'x' });
    const second = await treeOf(workspace);
    const { changes } = await workspace.diff(first, second);
    expect(changes).toEqual([
      { path: 'deps/lib/lib.txt', status: 'changed', added: 1, removed: 1 },
      { path: 'deps/lib/new.txt', status: 'added', added: 1, removed: 0 },
    ]);
    await workspace.restore(first);
    expect(await treeOf(workspace)).toBe(first);
    expect(snapshot(join(folder, '.git'))).toEqual(before);
  });

  it('are read with repositories inside that have no commit, or no file', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    for (const inner of ['empty', 'outer', 'outer/inner']) {
      mkdirSync(join(folder, inner), { recursive: true });
      git(join(folder, inner), 'init', '--quiet');
    }
    expect(await treeOf(workspace)).toBe(first);
    write(folder, { 'outer/inner/deep.txt': '1', 'outer/o.txt': '1' });
    const second = await treeOf(workspace);
    expect((await workspace.diff(first, second)).changes.map((change) => change.path)).toEqual([
      'outer/inner/deep.txt',
      'outer/o.txt',
    ]);
    write(folder, { 'outer/inner/deep.txt': '2' });
    expect(await treeOf(workspace)).not.toBe(second);
  });

  it('are no repository at all: the same, and `git init` halfway changes nothing', async () => {
    const folder = freshFolder();
    write(folder, { 'a.txt': 'a', '.gitignore': 'b\n', b: 'b' });
    const workspace = await open(folder);
    const first = await workspace.tree();
    expect(first.head).toBeNull();
    git(folder, 'init', '--quiet');
    expect(await workspace.tree()).toEqual(first);
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '-m', 'x');
    expect(await workspace.tree()).toEqual({ tree: first.tree, head: git(folder, 'rev-parse', 'HEAD') });
    expect(git(folder, 'rev-parse', 'HEAD^{tree}')).toBe(first.tree);
  });

  it('are read as the folder inside them that the person named, under the rules of the whole', async () => {
    const repo = repoWith({ '.gitignore': '*.log\n', 'pkg/a/x.txt': 'x', 'pkg/b/y.txt': 'y' });
    const workspace = await open(join(repo, 'pkg/a'));
    const first = await workspace.tree();
    expect(first).toEqual({
      tree: git(repo, 'rev-parse', 'HEAD:pkg/a'),
      head: git(repo, 'rev-parse', 'HEAD'),
    });
    write(repo, { 'pkg/b/y.txt': 'other', 'pkg/a/z.log': 'z' });
    expect(await treeOf(workspace)).toBe(first.tree);
    write(repo, { 'pkg/a/x.txt': 'X', 'pkg/a/new.txt': 'n' });
    const second = await treeOf(workspace);
    expect((await workspace.diff(first.tree, second)).changes.map((change) => change.path)).toEqual([
      'new.txt',
      'x.txt',
    ]);
    expect((await workspace.diffText(first.tree, second, { paths: ['x.txt'] })).text).toContain('+X');
    await workspace.restore(first.tree);
    expect(await treeOf(workspace)).toBe(first.tree);
    rmSync(join(repo, 'pkg/a/x.txt'));
    expect(await treeOf(workspace)).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
  });

  it('stand for themselves where an outer repository ignores everything', async () => {
    const outer = repoWith({ '.gitignore': '*\n' });
    write(outer, { 'project/a.txt': 'a' });
    const workspace = await open(join(outer, 'project'));
    const first = await workspace.tree();
    expect(first.head).toBeNull();
    write(outer, { 'project/a.txt': 'b' });
    expect(await treeOf(workspace)).not.toBe(first.tree);
  });
});

describe('files of every shape', () => {
  it('have any name', async () => {
    const folder = repoWith({ 'a.txt': 'a' }, freshFolder('wörk\nplace "here"'));
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    const names = [
      'line\nend',
      'ünïcödé',
      '-f',
      ':(exclude)a.txt',
      '"quoted"',
      'tab\there',
      '*',
      ' ',
      'a\\b',
      '🦀/🦀',
    ];
    for (const name of names) write(folder, { [name]: name });
    const bytes = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe4, 0xff, 0x0a])]);
    writeFileSync(bytes, 'no utf-8');
    const second = await treeOf(workspace);
    const { changes } = await workspace.diff(first, second);
    expect(changes.map((change) => change.path).sort()).toEqual([...names, '��\n'].sort());
    expect(await treeOf(workspace)).toBe(second);
    writeFileSync(bytes, 'other');
    expect(await treeOf(workspace)).not.toBe(second);
    await workspace.restore(second);
    expect(await treeOf(workspace)).toBe(second);
    await workspace.restore(first);
    expect(await treeOf(workspace)).toBe(first);
  });

  it('take each other’s place', async () => {
    const folder = repoWith({ 'd/x': 'x', 'd/y': 'y', f: 'f' });
    const workspace = await open(folder);
    const trees = [await treeOf(workspace)];
    renameSync(join(folder, 'd'), join(folder, 'real'));
    symlinkSync('real', join(folder, 'd'));
    trees.push(await treeOf(workspace));
    unlinkSync(join(folder, 'f'));
    write(folder, { 'f/inside': '1' });
    trees.push(await treeOf(workspace));
    unlinkSync(join(folder, 'd'));
    write(folder, { d: 'file' });
    trees.push(await treeOf(workspace));
    rmSync(join(folder, 'f'), { recursive: true });
    mkdirSync(join(folder, 'f'));
    git(join(folder, 'f'), 'init', '--quiet');
    write(folder, { 'f/repo.txt': '1' });
    trees.push(await treeOf(workspace));
    expect(new Set(trees).size).toBe(5);
    for (const [at, tree] of trees.entries()) {
      if (at === 4) continue;
      rmSync(join(folder, 'f/.git'), { recursive: true, force: true });
      expect((await workspace.restore(tree)).skipped).toEqual([]);
      expect(await treeOf(workspace)).toBe(tree);
    }
  });

  it('are files and links only: pipes and sockets are left out', async () => {
    const folder = repoWith({ 'a.txt': 'a', 'b.txt': 'b' });
    const workspace = await open(folder);
    await treeOf(workspace);
    unlinkSync(join(folder, 'a.txt'));
    execFileSync('sh', ['-c', 'mkfifo a.txt new'], { cwd: folder });
    expect(git(folder, 'ls-tree', '--name-only', 'HEAD')).toBe('a.txt\nb.txt');
    const { changes } = await workspace.diff(
      git(folder, 'rev-parse', 'HEAD^{tree}'),
      await treeOf(workspace),
    );
    expect(changes.map((change) => [change.path, change.status])).toEqual([['a.txt', 'removed']]);
  });

  it('are never mistaken for our note about a file, whatever they hold', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    write(folder, { 'odd.bin': '\0large 60000000 bytes 1700000000000\n' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { 'odd.bin': '2' });
    expect(await workspace.restore(first)).toMatchObject({ written: ['odd.bin'], skipped: [] });
    expect(await treeOf(workspace)).toBe(first);
  });

  it('are known by size and time when they are huge, without being read', async () => {
    const folder = repoWith({ 'a.txt': 'a' });
    const workspace = await open(folder);
    const first = await treeOf(workspace);
    write(folder, { 'huge.bin': '' });
    truncateSync(join(folder, 'huge.bin'), 20_000_000_000);
    utimesSync(join(folder, 'huge.bin'), 1_700_000_000, 1_700_000_000);
    const started = performance.now();
    const second = await treeOf(workspace);
    expect(await treeOf(workspace)).toBe(second);
    expect(performance.now() - started).toBeLessThan(5_000);
    const { changes } = await workspace.diff(first, second);
    expect(changes).toEqual([
      {
        path: 'huge.bin',
        status: 'added',
        added: null,
        removed: null,
        note: 'large 20000000000 bytes 1700000000000',
      },
    ]);
    utimesSync(join(folder, 'huge.bin'), 1_700_000_001, 1_700_000_001);
    const third = await treeOf(workspace);
    expect(third).not.toBe(second);
    expect((await workspace.restore(first)).skipped).toEqual([
      { path: 'huge.bin', because: expect.stringContaining('could not be brought back') },
    ]);
    truncateSync(join(folder, 'huge.bin'), 0);
    const small = await treeOf(workspace);
    expect((await workspace.diff(first, small)).changes).toEqual([
      { path: 'huge.bin', status: 'added', added: 0, removed: 0 },
    ]);
    expect((await workspace.restore(third)).skipped).toEqual([
      { path: 'huge.bin', because: expect.stringContaining('no savepoint holds') },
    ]);
    unlinkSync(join(folder, 'huge.bin'));
    expect(await treeOf(workspace)).toBe(first);
  });

  it('count right through any sequence of changes', () => countsRight(8));
});
