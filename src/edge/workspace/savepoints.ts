import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { bounds } from './bounds.ts';
import { WorkspaceError } from './errors.ts';
import { parseJson } from './files.ts';
import { type Place, privateGit } from './place.ts';

const namespace = 'refs/tireless/savepoints/';
/** A ref is a file name. */
const refCharsMax = 200;

const savepointSchema = z.object({
  name: z.string(),
  tree: z.string(),
  /** The commit the person's HEAD pointed to. */
  head: z.string().nullable(),
  because: z.string(),
  at: z.number(),
});

/** A tree that is kept under a name, whatever happens to the workspace and its repository. */
export type Savepoint = z.infer<typeof savepointSchema>;

/**
 * Keeps a tree. The same name with the same tree is the same savepoint, so that a repeated call does no harm; with
 * another tree it is refused, since a savepoint is never overwritten.
 */
export async function keepSavepoint(place: Place, savepoint: Savepoint): Promise<Savepoint> {
  const signal = AbortSignal.timeout(bounds.gitMs);
  const known = (await listSavepoints(place)).find((each) => each.name === savepoint.name);
  if (known) {
    if (known.tree === savepoint.tree) return known;
    throw new WorkspaceError(
      'savepoint-taken',
      place.folder,
      `the savepoint \`${savepoint.name}\` holds another tree`,
      'Give this one another name.',
    );
  }
  const date = `@${Math.floor(savepoint.at / 1_000)} +0000`;
  const who = { NAME: 'tireless', EMAIL: 'tireless@localhost', DATE: date };
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([part, value]) =>
      [`GIT_AUTHOR_${part}`, `GIT_COMMITTER_${part}`].map((name) => [name, value]),
    ),
  );
  const commit = await privateGit(place, ['commit-tree', savepoint.tree], {
    stdin: Buffer.from(JSON.stringify(savepoint)),
    env,
    signal,
  });
  const id = commit.stdout.toString('latin1').trim();
  await privateGit(place, ['update-ref', refOf(savepoint.name), id, '0'.repeat(40)], { signal });
  return savepoint;
}

/** All savepoints, oldest first. */
export async function listSavepoints(place: Place): Promise<Savepoint[]> {
  const { stdout } = await privateGit(place, ['for-each-ref', '--format=%(contents)', namespace], {
    signal: AbortSignal.timeout(bounds.gitMs),
  });
  return stdout
    .toString('utf8')
    .split('\n')
    .map((line) => savepointSchema.safeParse(parseJson(line)))
    .flatMap((read) => (read.success ? [read.data] : []))
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
}

export async function findSavepoint(place: Place, name: string): Promise<Savepoint> {
  const all = await listSavepoints(place);
  const found = all.find((each) => each.name === name);
  if (found) return found;
  const newest = all.slice(-3).map((each) => each.name);
  const fix = newest.length > 0 ? `The newest ones are: ${newest.join(', ')}.` : 'There are none yet.';
  throw new WorkspaceError('unknown-savepoint', place.folder, `there is no savepoint \`${name}\``, fix);
}

/** Forgets a savepoint; its files go with the next tidying unless another one keeps them. */
export async function dropSavepoint(place: Place, name: string): Promise<void> {
  await findSavepoint(place, name);
  await privateGit(place, ['update-ref', '-d', refOf(name)], { signal: AbortSignal.timeout(bounds.gitMs) });
}

/**
 * Makes the private store small again: what no savepoint and no current file needs goes, unless it is newer than
 * two hours, which another process may be using.
 */
export async function tidy(place: Place): Promise<void> {
  const signal = AbortSignal.timeout(bounds.tidyMs);
  await privateGit(place, ['-c', 'gc.auto=0', 'gc', '--quiet', '--prune=2.hours.ago'], { signal });
  const { stdout } = await privateGit(place, ['rev-parse', '--shared-index-path'], { signal });
  const inUse = basename(stdout.toString('utf8').trim());
  for (const name of await readdir(place.store)) {
    const file = join(place.store, name);
    if (!name.startsWith('sharedindex') || name === inUse) continue;
    if ((await stat(file)).mtimeMs < Date.now() - bounds.leftoverMs) await rm(file, { force: true });
  }
}

/** Any name becomes a legal ref: characters beyond letters, digits, `_` and `-` by their bytes, a long name by digest. */
function refOf(name: string): string {
  const characters = [...Buffer.from(name, 'utf8').toString('latin1')];
  const spelled = characters
    .map((each) => (/[\w-]/.test(each) ? each : `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`))
    .join('');
  const isUsable = spelled.length > 0 && spelled.length <= refCharsMax;
  return namespace + (isUsable ? spelled : `sha256-${createHash('sha256').update(name).digest('hex')}`);
}
