import { join } from 'node:path';
import { x } from 'tinyexec';
import { WorkspaceError } from './errors.ts';

const gitMs = 120_000;

/** A worktree of the same repository for a run of its own, outside the person's folders; the branch it starts from stays as it is. */
export async function addWorktree(path: string, run: string, stateDir: string): Promise<string> {
  const folder = join(stateDir, 'worktrees', run);
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
