import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from '../../src/edge/workspace/index.ts';

/** Real processes on a machine that may be busy. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is gone after the tests of the file. */
export function freshFolder(name = 'work'): string {
  const parent = mkdtempSync(join(realpathSync(tmpdir()), 'tireless-workspace-'));
  made.push(parent);
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

/** The person's environment in these tests: a home without any git configuration. */
export const home = freshFolder('home');
export const personEnv: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  GIT_AUTHOR_NAME: 'A Person',
  GIT_AUTHOR_EMAIL: 'person@example.com',
  GIT_COMMITTER_NAME: 'A Person',
  GIT_COMMITTER_EMAIL: 'person@example.com',
};

/** What the person does with git. */
export function git(folder: string, ...args: string[]): string {
  const safe = ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...safe, ...args], {
    cwd: folder,
    env: personEnv,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

export function write(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A repository with these files in its first commit. */
export function repoWith(files: Readonly<Record<string, string>>, folder = freshFolder()): string {
  write(folder, files);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  return folder;
}

export function open(path: string, options: Partial<WorkspaceOptions> = {}): Promise<OpenWorkspace> {
  let at = 1_000_000;
  return openWorkspace({
    path,
    stateDir: freshFolder('state'),
    clock: { at: () => at++ },
    env: personEnv,
    ...options,
  });
}

/** The tree id, which must be known. */
export async function treeOf(workspace: OpenWorkspace): Promise<string> {
  const { tree, because } = await workspace.tree();
  if (tree === 'unknown') throw new Error(`unknown: ${because}`);
  return tree;
}

/** Every file under a folder with content, mode and time of last change: equal only if nothing was touched. */
export function snapshot(folder: string, withTimes = true): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (at: string) => {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = join(at, entry.name);
      const full = join(folder, path);
      const stats = lstatSync(full, { bigint: true });
      const time = withTimes ? ` ${stats.mtimeNs}` : '';
      if (entry.isDirectory()) {
        found[`${path}/`] = `${stats.mode}${time}`;
        walk(path);
      } else {
        const content = entry.isSymbolicLink()
          ? readlinkSync(full)
          : entry.isFile()
            ? readFileSync(full)
            : '';
        found[path] = `${stats.mode} ${createHash('sha256').update(content).digest('hex')}${time}`;
      }
    }
  };
  walk('');
  return found;
}

/** The files of a workspace without its repository, for comparing before and after. */
export function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snapshot(folder, false)).filter(
      ([path]) => !path.endsWith('/') && !/(?:^|\/)\.git(?:\/|$)/.test(path),
    ),
  );
}
