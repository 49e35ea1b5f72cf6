import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { x } from 'tinyexec';
import { WorkspaceError } from './errors.ts';

const gitMs = 120_000;

/** Beside our own folder, never inside it: there the guard lets no agent write. */
const folderOf = (run: string, stateDir: string): string => join(`${stateDir}-worktrees`, run);

/** A worktree of the same repository for a run of its own, outside the person's folders; the branch it starts from stays as it is. */
export async function addWorktree(path: string, run: string, stateDir: string): Promise<string> {
  const folder = folderOf(run, stateDir);
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const { exitCode, stderr } = await x('git', ['-C', path, 'worktree', 'add', '--detach', folder], {
    timeout: gitMs,
  });
  if (exitCode !== 0)
    throw new WorkspaceError(
      'git',
      path,
      `a worktree could not be made: ${stderr.trim()}`,
      'A worktree needs a git repository with at least one commit.',
    );
  return folder;
}

/** Takes back a worktree nobody has worked in. One that was never made is not there to take back. */
export async function removeWorktree(path: string, run: string, stateDir: string): Promise<void> {
  await x('git', ['-C', path, 'worktree', 'remove', '--force', folderOf(run, stateDir)], { timeout: gitMs });
}
