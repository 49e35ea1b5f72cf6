import { lstatSync } from 'node:fs';
import { rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { bounds } from './bounds.ts';
import { isAbsent, notesOf, type RawChange, rawChanges, within } from './diff.ts';
import { isSystemError, WorkspaceError } from './errors.ts';
import { draftName } from './files.ts';
import { joinPaths, type RawPath, shownPath, under } from './paths.ts';
import { type Place, privateGit } from './place.ts';

export interface Restored {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** What was left as it is, and why. */
  readonly skipped: readonly { readonly path: string; readonly because: string }[];
}

interface Plan {
  /** `isNew`: the current tree has no such path, so whatever stands there is ignored. */
  readonly write: { path: RawPath; isNew: boolean }[];
  readonly remove: RawPath[];
  readonly skipped: { path: string; because: string }[];
}

/**
 * Makes the files of the workspace, or the named ones, those of `target` again. `current` is the tree of the
 * workspace right now; the caller keeps it as a savepoint first. Ignored files, the person's index, branch and stash
 * stay untouched. Nothing is overwritten that `current` does not hold whole.
 */
export async function restoreFiles(
  place: Place,
  current: string,
  target: string,
  paths?: readonly string[],
): Promise<Restored> {
  const signal = AbortSignal.timeout(bounds.gitMs);
  const changes = (await rawChanges(place, current, target, signal)).filter(within(paths));
  if (changes.length > bounds.restoredPathsMax) {
    throw new WorkspaceError(
      'git',
      place.folder,
      `${changes.length} files differ`,
      `Name the ones to restore, at most ${bounds.restoredPathsMax}.`,
    );
  }
  const plan = await planOf(place, changes, signal);
  for (const path of plan.remove) await removeFile(place, path);
  const write: RawPath[] = [];
  for (const { path, isNew } of plan.write) {
    const obstacle = obstacleOf(place, path, isNew);
    if (obstacle) plan.skipped.push({ path: shownPath(path), because: obstacle });
    else write.push(path);
  }
  await writeFiles(place, target, write, signal);
  return { written: write.map(shownPath), removed: plan.remove.map(shownPath), skipped: plan.skipped };
}

async function planOf(place: Place, changes: readonly RawChange[], signal: AbortSignal): Promise<Plan> {
  const notes = await notesOf(place, changes, signal);
  const plan: Plan = { write: [], remove: [], skipped: [] };
  for (const change of changes) {
    const path = shownPath(change.path);
    if (notes.has(change.toId))
      plan.skipped.push({ path, because: `no savepoint holds its content: ${notes.get(change.toId)}` });
    else if (notes.has(change.fromId))
      plan.skipped.push({
        path,
        because: `what stands there now could not be brought back: ${notes.get(change.fromId)}`,
      });
    else if (isAbsent(change.toMode)) plan.remove.push(change.path);
    else plan.write.push({ path: change.path, isNew: isAbsent(change.fromMode) });
  }
  return plan;
}

/** Removes a file and the folders that are empty without it. */
async function removeFile(place: Place, path: RawPath): Promise<void> {
  await unlink(under(place.folder, path)).catch(unless('ENOENT', 'ENOTDIR'));
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const isGone = await rmdir(under(place.folder, path.slice(0, at) as RawPath)).then(
      () => true,
      (error: unknown) => {
        unless('ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'EBUSY', 'EACCES', 'EPERM')(error);
        return false;
      },
    );
    if (!isGone) break;
  }
}

function unless(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!isSystemError(error) || !codes.includes(error.code ?? '')) throw error;
  };
}

/** What git would delete to make room: something ignored, since all else is in the tree and was removed before. */
function obstacleOf(place: Place, path: RawPath, isNew: boolean): string | null {
  const kind = kindAt(place, path);
  if (kind === 'folder') return 'a folder with ignored files stands there';
  if (kind === 'file' && isNew) return 'an ignored file stands there';
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const parent = path.slice(0, at) as RawPath;
    if (kindAt(place, parent) === 'file') return `${shownPath(parent)} is no folder any more`;
  }
  return null;
}

function kindAt(place: Place, path: RawPath): 'folder' | 'file' | null {
  try {
    const stats = lstatSync(under(place.folder, path), { throwIfNoEntry: false });
    return stats ? (stats.isDirectory() ? 'folder' : 'file') : null;
  } catch (error) {
    unless('ENOTDIR')(error);
    return null;
  }
}

async function writeFiles(
  place: Place,
  target: string,
  paths: readonly RawPath[],
  signal: AbortSignal,
): Promise<void> {
  if (paths.length === 0) return;
  const index = draftName(join(place.store, 'index'));
  try {
    const at =
      place.prefix === '' ? [] : [`--prefix=${Buffer.from(place.prefix, 'latin1').toString('utf8')}`];
    await privateGit(place, ['read-tree', ...at, target], { index, signal });
    await privateGit(place, ['checkout-index', '--force', '-z', '--stdin'], {
      index,
      signal,
      stdin: joinPaths(paths),
    });
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
