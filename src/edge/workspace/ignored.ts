import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { isSystemError } from './errors.ts';
import { parseJson, readTextIfAny, replaceFile, stampOf } from './files.ts';
import { type RawPath, splitPaths, under } from './paths.ts';
import { type PersonRepo, type Place, personGit, privateGit } from './place.ts';

/** What the ignore rules change in the private index: files that must leave it, and files that must be in it. */
export interface IgnoreChanges {
  readonly drop: readonly RawPath[];
  readonly add: readonly RawPath[];
  /** To be called once the changes are in the index. */
  readonly remember: () => Promise<void>;
}

const rememberedSchema = z.object({
  key: z.string(),
  /** Ignored, but tracked by the person: they belong to the project. */
  forced: z.array(z.string()),
  /** Those of them that were not there. */
  absent: z.array(z.string()),
});

/** Brings the person's own exclude list into the private folder, with our own state if that lies inside the workspace. */
export async function refreshExcludes(
  place: Place,
  repo: PersonRepo | null,
): Promise<{ text: string; changed: boolean }> {
  const theirs = repo ? ((await readTextIfAny(repo.excludesFile)) ?? '') : '';
  const ours = relative(place.top, place.store).split(sep).join('/');
  const text = ours.startsWith('../')
    ? theirs
    : `${theirs}\n/${ours.replace(/trees\/[0-9a-f]+$/, 'trees/')}\n`;
  const file = join(place.store, 'info', 'exclude');
  const changed = (await readTextIfAny(file)) !== text;
  if (changed) await replaceFile(file, text);
  return { text, changed };
}

/**
 * A file the person tracks belongs to the tree even where a rule ignores it; any other file leaves the tree as soon
 * as a rule ignores it. Both are asked again only when a rule or the person's index changed.
 */
export async function ignoreChanges(
  place: Place,
  repo: PersonRepo | null,
  excludes: string,
  ruleFileChanged: boolean,
  signal: AbortSignal,
): Promise<IgnoreChanges> {
  const file = join(place.store, 'ignored.json');
  const known = rememberedSchema.safeParse(parseJson(await readTextIfAny(file)));
  const key = await rulesKey(place, repo, excludes);
  if (known.success && known.data.key === key && !ruleFileChanged) {
    const forced = known.data.forced as RawPath[];
    if (forced.length === 0) return { drop: [], add: [], remember: async () => {} };
    const absentNow = forced.filter((path) => !isThere(place, path));
    const wasAbsent = new Set(known.data.absent);
    const isSame = absentNow.length === wasAbsent.size && absentNow.every((path) => wasAbsent.has(path));
    return {
      drop: [],
      add: forced.filter((path) => wasAbsent.has(path) && isThere(place, path)),
      remember: async () => {
        if (!isSame) await replaceFile(file, JSON.stringify({ key, forced, absent: absentNow }));
      },
    };
  }
  const list = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const [ours, theirs] = await Promise.all([
    privateGit(place, list, { signal }),
    repo && repo.top === place.top ? personGit(place, list, signal) : null,
  ]);
  const forced = theirs ? splitPaths(theirs.stdout) : [];
  const keep = new Set(forced);
  const present = forced.filter((path) => isThere(place, path));
  const there = new Set(present);
  return {
    drop: splitPaths(ours.stdout).filter((path) => !keep.has(path)),
    add: present,
    remember: () =>
      replaceFile(file, JSON.stringify({ key, forced, absent: forced.filter((path) => !there.has(path)) })),
  };
}

async function rulesKey(place: Place, repo: PersonRepo | null, excludes: string): Promise<string> {
  const everywhere = place.settings.find((setting) => setting.startsWith('core.excludesFile='))?.slice(18);
  const hash = createHash('sha256').update(excludes).update('\0');
  if (everywhere) hash.update((await readTextIfAny(everywhere)) ?? '');
  return hash.update(`\0${repo ? stampOf(repo.indexFile) : ''}`).digest('hex');
}

function isThere(place: Place, path: RawPath): boolean {
  try {
    return lstatSync(under(place.folder, path), { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}
