import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { bounds } from './bounds.ts';
import { isSystemError, WorkspaceError } from './errors.ts';
import { noteOf } from './notes.ts';
import { joinRaw, type RawPath, splitPaths, under } from './paths.ts';
import { type Place, privateGit } from './place.ts';

/** What has to happen to the index to make it agree with the folder. */
export interface Changes {
  /** Files to take as they are now; one that vanished is removed. */
  readonly take: RawPath[];
  /** Paths that hold no file any more, or an ignored one. */
  readonly drop: RawPath[];
  readonly noted: { path: RawPath; note: string }[];
}

/** How the folder differs from the private index. */
export interface Listing {
  /** Files that are new or look changed. */
  readonly changed: readonly RawPath[];
  readonly gone: readonly RawPath[];
  /** Folders that could not be looked into. */
  readonly unread: readonly string[];
}

/** Two looks at once: at the files the index knows, and for those it does not. */
export async function listPaths(place: Place, signal: AbortSignal): Promise<Listing> {
  const [known, others] = await Promise.all([
    privateGit(place, ['diff-files', '-z', '--name-status', '--relative'], { signal }),
    privateGit(place, ['ls-files', '-z', '--others', '--exclude-standard'], { signal }),
  ]);
  const { changed, gone } = byStatus(splitPaths(known.stdout));
  const found = await openNested(place, splitPaths(others.stdout), signal);
  return { changed: [...changed, ...found], gone, unread: unreadFolders(others.stderr) };
}

/** Gone is also what now lies behind a link: the path still opens, but the link is what stands there. */
function byStatus(fields: readonly RawPath[]): { changed: RawPath[]; gone: RawPath[] } {
  const found: { changed: RawPath[]; gone: RawPath[] } = { changed: [], gone: [] };
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1];
    if (path !== undefined) (fields[at] === 'D' ? found.gone : found.changed).push(path);
  }
  return found;
}

/**
 * A repository inside the workspace (a submodule, a clone) is listed as one name. Its files are taken like all
 * others, so that an edit inside it is a change, is shown, and can be restored.
 */
async function openNested(
  place: Place,
  listed: readonly RawPath[],
  signal: AbortSignal,
  deep = 0,
): Promise<RawPath[]> {
  const repos = listed.filter((path) => path.endsWith('/'));
  if (repos.length === 0) return [...listed];
  if (deep >= bounds.nestedDeepMax || repos.length > bounds.nestedReposMax) {
    throw new WorkspaceError(
      'git',
      place.folder,
      'too many repositories inside each other',
      'Ignore the folder that holds them in .gitignore.',
    );
  }
  const files = listed.filter((path) => !path.endsWith('/'));
  for (const repo of repos) {
    const inside = await privateGit(place, ['ls-files', '-z', '--others', '--exclude-standard'], {
      workTree: under(place.folder, repo).toString('utf8').replace(/\/$/, ''),
      index: join(place.store, 'no-index'),
      signal,
    });
    const found = splitPaths(inside.stdout).map((path) => joinRaw(repo, path));
    files.push(...(await openNested(place, found, signal, deep + 1)));
  }
  return files;
}

/** Looks at each path and says what is to be done about it. */
export async function sortPaths(
  place: Place,
  paths: readonly RawPath[],
  signal: AbortSignal,
): Promise<Changes> {
  const changes: Changes = { take: [], drop: [], noted: [] };
  for (const [at, path] of paths.entries()) {
    if (at % 1_000 === 999) await breathe();
    if (signal.aborted)
      throw new WorkspaceError(
        'time',
        place.folder,
        'looking at the files took too long',
        'Ignore large generated folders in .gitignore.',
      );
    const file = under(place.folder, path);
    const stats = statsOf(file);
    if (stats === 'unreachable') continue;
    if (stats === null || stats.isSymbolicLink()) changes.take.push(path);
    else if (!stats.isFile()) changes.drop.push(path);
    else {
      const note = noteOf(file, stats);
      if (note === null) changes.take.push(path);
      else changes.noted.push({ path, note });
    }
  }
  return changes;
}

/** Null for a file that is gone; a file in a folder that cannot be entered stays as it was known. */
function statsOf(file: Buffer): Stats | null | 'unreachable' {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOTDIR') return null;
    if (isSystemError(error) && error.code === 'EACCES') return 'unreachable';
    throw error;
  }
}

function unreadFolders(stderr: string): string[] {
  return [...stderr.matchAll(/could not open directory '(.+?)\/?': /g)].map((match) => match[1] ?? '');
}
