import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from '../../contract/check.ts';
import { bounds } from './bounds.ts';
import { isSystemError, WorkspaceError } from './errors.ts';
import { stampOf } from './files.ts';
import { ignoreChanges, refreshExcludes } from './ignored.ts';
import { listPaths, sortPaths } from './listing.ts';
import type { RawPath } from './paths.ts';
import { type PersonRepo, type Place, readPersonRepo } from './place.ts';
import { type TreeMemory, writeTree } from './private-index.ts';

/**
 * The fingerprint of a workspace: the id of a git tree of all its files that no rule ignores, written into the
 * private store. Equal ids mean equal names, bytes, links and executable bits. Nothing of the person's repository is
 * written. What goes wrong in the world, or takes longer than `timeMs`, gives `unknown` and says why.
 */
export async function readTree(
  place: Place,
  memory: TreeMemory = {},
  timeMs: number = bounds.treeMs,
): Promise<Tree> {
  const signal = AbortSignal.timeout(timeMs);
  let head: string | null = null;
  const heard = (repo: PersonRepo | null) => {
    head = repo && (repo.top === place.top || repo.top === place.folder) ? repo.head : null;
  };
  try {
    const { tree, unread } = await takeTwice(place, memory, signal, heard);
    const because = unread.length > 0 ? `could not look into ${unread.join(', ')}`.slice(0, 500) : undefined;
    return { tree, head, because };
  } catch (error) {
    if (!(error instanceof WorkspaceError) && !isSystemError(error)) throw error;
    const late = error instanceof WorkspaceError && error.fault === 'time';
    const because = late ? `reading the files took longer than ${timeMs} ms` : error.message;
    return { tree: 'unknown', head, because: because.slice(0, 500) };
  }
}

type StampedEvent = (repo: PersonRepo | null) => void;

/** Messages of git about an index, or objects behind it, that are damaged: both are made anew from the files. */
const damaged = /index file|bad signature|invalid object|error building trees|cache entry|unable to read/i;

/** Files change while they are read, and a store can be damaged: a second try, on a fresh index where ours is broken. */
async function takeTwice(place: Place, memory: TreeMemory, signal: AbortSignal, heard: StampedEvent) {
  try {
    return await takeTree(place, memory, signal, heard);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.fault !== 'git') throw error;
    if (damaged.test(error.message)) await rm(join(place.store, 'index'), { force: true });
    return takeTree(place, memory, signal, heard);
  }
}

async function takeTree(place: Place, memory: TreeMemory, signal: AbortSignal, heard: StampedEvent) {
  const listed = stampOf(join(place.store, 'index'));
  // The rules of last time are nearly always those of now: the files are listed while we look.
  const [{ repo, excludes }, early] = await Promise.all([
    readRules(place, signal, heard),
    listPaths(place, signal),
  ]);
  const listing = excludes.changed ? await listPaths(place, signal) : early;
  const rulesMoved = [...listing.changed, ...listing.gone].some(isRuleFile);
  const rules = await ignoreChanges(place, repo, excludes.text, rulesMoved, signal);
  const found = await sortPaths(place, [...listing.changed, ...rules.add], signal);
  const dropped = new Set(rules.drop);
  const changes = {
    take: found.take.filter((path) => !dropped.has(path)),
    drop: [...listing.gone, ...found.drop, ...rules.drop],
    noted: found.noted.filter(({ path }) => !dropped.has(path)),
  };
  const tree = await writeTree(place, changes, memory, listed, signal);
  await rules.remember();
  return { tree, unread: listing.unread };
}

async function readRules(place: Place, signal: AbortSignal, heard: StampedEvent) {
  const repo = await readPersonRepo(place.folder, place.env, signal);
  heard(repo);
  return { repo, excludes: await refreshExcludes(place, repo) };
}

const isRuleFile = (path: RawPath) => path === '.gitignore' || path.endsWith('/.gitignore');
