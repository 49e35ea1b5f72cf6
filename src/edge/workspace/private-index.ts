import { copyFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { bounds } from './bounds.ts';
import { isSystemError, WorkspaceError } from './errors.ts';
import { draftName, noStamp, stampOf } from './files.ts';
import type { Changes } from './listing.ts';
import { noteMode, writeNotes } from './notes.ts';
import { joinPaths, type RawPath } from './paths.ts';
import { type Place, privateGit } from './place.ts';

/** The tree without any file. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The tree that an index of this stamp makes: an unchanged index is not asked again. */
export interface TreeMemory {
  stamp?: string;
  tree?: string;
}

/**
 * Changes a copy of the index and puts it in place when done, so that processes never wait for each other. A copy
 * that was cut short is still true as far as it goes: it is kept, and the next reading goes on from there.
 */
export async function writeTree(
  place: Place,
  changes: Changes,
  memory: TreeMemory,
  listed: string,
  signal: AbortSignal,
): Promise<string> {
  const index = join(place.store, 'index');
  if (changes.take.length + changes.drop.length + changes.noted.length === 0) {
    return unchangedTree(place, index, memory, listed, signal);
  }
  const draft: Draft = { index: draftName(index), settings: writingSettings(changes), signal };
  try {
    await copyIndex(index, draft.index);
    await changeEntries(place, draft, changes);
    for (let at = 0; at < changes.take.length; at += bounds.batchPathsMax) {
      await takeFiles(place, draft, changes.take.slice(at, at + bounds.batchPathsMax));
    }
    const tree = await treeOfIndex(place, draft);
    Object.assign(memory, { tree, stamp: stampOf(draft.index) });
    return tree;
  } finally {
    await rm(`${draft.index}.lock`, { force: true });
    await rename(draft.index, index).catch((error: unknown) => {
      // Nothing was written yet.
      if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
    });
  }
}

/** An index that is worked on, and how git is to write it. */
interface Draft {
  readonly index: string;
  readonly settings: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * A few changes are written beside the large part of the index, which stays as it is: half the time for 50,000
 * files. Many are written as one, since each would make a new large part; their contents go into one pack.
 */
function writingSettings(changes: Changes): string[] {
  const isFew = changes.take.length + changes.drop.length + changes.noted.length < bounds.packPathsMin;
  const settings = [
    'core.compression=1',
    `core.splitIndex=${isFew}`,
    ...(isFew ? [] : ['core.bigFileThreshold=1']),
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** `listed` is the stamp of the index that the folder was compared with: one that vanished since makes no tree. */
async function unchangedTree(
  place: Place,
  index: string,
  memory: TreeMemory,
  listed: string,
  signal: AbortSignal,
): Promise<string> {
  const stamp = stampOf(index);
  if (memory.tree !== undefined && memory.stamp === stamp) return memory.tree;
  const tree = await treeOfIndex(place, { index, settings: [], signal });
  if (stampOf(index) === noStamp && listed !== noStamp) {
    throw new WorkspaceError(
      'git',
      place.folder,
      'the private index vanished while it was read',
      'Read the tree again.',
    );
  }
  Object.assign(memory, { tree, stamp });
  return tree;
}

/** The copy is dated no later than the original: git trusts a file's times only when they are older than the index. */
async function copyIndex(index: string, draft: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(index);
    await copyFile(index, draft);
    const seconds = Math.floor(mtimeMs - 1) / 1_000;
    await utimes(draft, seconds, seconds);
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
  }
}

async function changeEntries(
  place: Place,
  { index, settings, signal }: Draft,
  changes: Changes,
): Promise<void> {
  if (changes.drop.length + changes.noted.length === 0) return;
  const notes = changes.noted.map(({ note }) => note);
  const oids = await writeNotes(place, notes, signal);
  const lines = [
    ...changes.drop.map((path) => `0 ${'0'.repeat(40)}\t${place.prefix}${path}`),
    ...changes.noted.map(({ path }, at) => `${noteMode} ${oids[at]} 0\t${place.prefix}${path}`),
  ];
  const update = [...settings, 'update-index', '-z', '--index-info'];
  await privateGit(place, update, { stdin: joinPaths(lines), index, signal });
}

async function takeFiles(
  place: Place,
  { index, settings, signal }: Draft,
  paths: readonly RawPath[],
): Promise<void> {
  const update = [...settings, 'update-index', '--add', '--remove', '-z', '--stdin'];
  await privateGit(place, update, { stdin: joinPaths(paths), index, signal });
}

async function treeOfIndex(place: Place, { index, settings, signal }: Draft): Promise<string> {
  const only =
    place.prefix === '' ? [] : [`--prefix=${Buffer.from(place.prefix, 'latin1').toString('utf8')}`];
  const { stdout, stderr, code } = await privateGit(place, [...settings, 'write-tree', ...only], {
    index,
    signal,
    alsoFine: [128],
  });
  if (code === 0) return stdout.toString('latin1').trim();
  if (/prefix .* not found/s.test(stderr)) return emptyTree;
  throw new WorkspaceError(
    'git',
    place.folder,
    `git write-tree: ${stderr.trim()}`,
    'Remove the private tree store; it is built anew.',
  );
}
