/**
 * What can be wrong with a workspace or our notes about it.
 * `missing`, `not-a-folder`, `read-only`: the folder itself · `state`: our own folder · `no-git`: no usable git ·
 * `git`, `time`: a git call failed or took too long · `unknown-tree`, `unknown-savepoint`, `savepoint-taken`: a
 * name that means nothing here, or something else.
 */
export type WorkspaceFault =
  | 'missing'
  | 'not-a-folder'
  | 'read-only'
  | 'state'
  | 'no-git'
  | 'git'
  | 'time'
  | 'unknown-tree'
  | 'unknown-savepoint'
  | 'savepoint-taken';

/** A failure of the workspace, with the place in its message and the fix beside it. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly fault: WorkspaceFault;
  readonly place: string;
  readonly fix: string;
  constructor(fault: WorkspaceFault, place: string, what: string, fix: string) {
    super(`${place}: ${what}`);
    this.fault = fault;
    this.place = place;
    this.fix = fix;
  }
}

/** True for what the operating system refused, as opposed to a bug of ours. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
