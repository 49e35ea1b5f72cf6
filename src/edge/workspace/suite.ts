import type { Alteration, Check } from '../../contract/index.ts';
import {
  alterationsOf,
  type FileChange,
  manifestOf,
  suitePart,
  testingPart,
} from '../../core/completion/altered.ts';
import { namesFile } from '../../core/completion/names-file.ts';
import { bounds } from './bounds.ts';
import { isAbsent, type RawChange, rawChanges } from './diff.ts';
import { type RawPath, shownPath, splitPaths } from './paths.ts';
import { type Place, privateGit } from './place.ts';

/** Manifests of one tree that are read for what their test commands run. */
const manifestsMax = 100;

type CommandIn = Pick<Check, 'command' | 'cwd'>;

/** How the proof itself differs between two trees: tests, how they are run, what the checks run, CI. */
export async function suiteAlterations(
  place: Place,
  from: string,
  to: string,
  checks: readonly CommandIn[] = [],
): Promise<readonly Alteration[]> {
  const signal = AbortSignal.timeout(bounds.gitMs);
  const all = await rawChanges(place, from, to, signal);
  const isOfSuite = ({ path }: RawChange): boolean => suitePart(shownPath(path)) !== null;
  const others = all.filter((change) => !isOfSuite(change) && !isAbsent(change.fromMode));
  const commands = others.length === 0 ? [] : [...checks, ...(await commandsIn(place, from, signal))];
  const run = others.filter(({ path }) =>
    commands.some(({ command, cwd }) => namesFile(command, cwd, shownPath(path))),
  );
  const ofSuite = await Promise.all(all.filter(isOfSuite).map((change) => withParts(place, change, signal)));
  return alterationsOf([...ofSuite, ...run.map((change) => ({ ...plainly(change), isRun: true }))]);
}

/** What the checks wrote: the paths that differ between the tree before and the tree after them. */
export async function changedPaths(place: Place, from: string, to: string): Promise<readonly string[]> {
  const changes = await rawChanges(place, from, to, AbortSignal.timeout(bounds.gitMs));
  return changes.map(({ path }) => shownPath(path));
}

/** The test commands of the manifests in a tree, each with the folder it runs in. */
async function commandsIn(place: Place, tree: string, signal: AbortSignal): Promise<readonly CommandIn[]> {
  const { stdout } = await privateGit(place, ['ls-tree', '-r', '-z', '--full-tree', tree], { signal });
  const manifests = splitPaths(stdout)
    .map((line) => /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line))
    .map((fields) => ({ id: fields?.[1] ?? '', path: shownPath((fields?.[2] ?? '') as RawPath) }))
    .filter(({ path }) => manifestOf(path))
    .slice(0, manifestsMax);
  const found = await Promise.all(
    manifests.map(async ({ id, path }) => {
      const commands = manifestOf(path)?.commands;
      if (commands === undefined) return [];
      const cwd = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
      return commands(await blobText(place, id, signal)).map((command) => ({ command, cwd }));
    }),
  );
  return found.flat();
}

async function blobText(place: Place, blob: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await privateGit(place, ['cat-file', 'blob', blob], {
    signal,
    cutAtBytes: bounds.manifestBytesMax,
  });
  return stdout.toString('utf8');
}

function plainly(change: RawChange): FileChange {
  const status = isAbsent(change.fromMode) ? 'added' : isAbsent(change.toMode) ? 'removed' : 'changed';
  return { path: shownPath(change.path), status, now: change.toId };
}

async function withParts(place: Place, change: RawChange, signal: AbortSignal): Promise<FileChange> {
  const plain = plainly(change);
  if (plain.status !== 'changed' || !manifestOf(plain.path)) return plain;
  const part = async (id: string): Promise<string> =>
    testingPart(plain.path, await blobText(place, id, signal));
  return { ...plain, before: await part(change.fromId), after: await part(change.toId) };
}
