import type { Alteration } from '../../contract/index.ts';
import {
  alterationsOf,
  type FileChange,
  isManifest,
  suitePart,
  testingPart,
} from '../../core/completion/altered.ts';
import { bounds } from './bounds.ts';
import { isAbsent, type RawChange, rawChanges } from './diff.ts';
import { shownPath } from './paths.ts';
import { type Place, privateGit } from './place.ts';

const manifestBytesMax = 1_000_000;

/** How the proof itself differs between two trees: tests, how they are run, CI. */
export async function suiteAlterations(
  place: Place,
  from: string,
  to: string,
): Promise<readonly Alteration[]> {
  const signal = AbortSignal.timeout(bounds.gitMs);
  const changed = (await rawChanges(place, from, to, signal)).filter(
    (c) => suitePart(shownPath(c.path)) !== null,
  );
  return alterationsOf(await Promise.all(changed.map((change) => withParts(place, change, signal))));
}

/** What the checks wrote: the paths that differ between the tree before and the tree after them. */
export async function changedPaths(place: Place, from: string, to: string): Promise<readonly string[]> {
  const changes = await rawChanges(place, from, to, AbortSignal.timeout(bounds.gitMs));
  return changes.map(({ path }) => shownPath(path));
}

async function withParts(place: Place, change: RawChange, signal: AbortSignal): Promise<FileChange> {
  const path = shownPath(change.path);
  const status = isAbsent(change.fromMode) ? 'added' : isAbsent(change.toMode) ? 'removed' : 'changed';
  if (status !== 'changed' || !isManifest(path)) return { path, status };
  const part = async (id: string): Promise<string> => {
    const { stdout } = await privateGit(place, ['cat-file', 'blob', id], {
      signal,
      cutAtBytes: manifestBytesMax,
    });
    return testingPart(path, stdout.toString('utf8'));
  };
  return { path, status, before: await part(change.fromId), after: await part(change.toId) };
}
