import { type DiffStat, diffStatPathCharsMax, diffStatPathsMax } from '../../contract/turn-facts.ts';
import { bounds } from './bounds.ts';
import { WorkspaceError } from './errors.ts';
import { noteMode, readNotes } from './notes.ts';
import { type RawPath, shownPath } from './paths.ts';
import { type Place, privateGit } from './place.ts';

/** One path that differs between two trees. `added` and `removed` count lines; null where there are none to count. */
interface PathChange {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  readonly added: number | null;
  readonly removed: number | null;
  /** What is not in the tree: a large or unreadable file, known by size and time. */
  readonly note?: string;
}

export interface TreeDiff {
  readonly changes: readonly PathChange[];
  /** How many paths differ, also where `changes` is cut. */
  readonly paths: number;
}

export interface UnifiedDiff {
  readonly text: string;
  readonly cut: boolean;
}

/** One path that differs, in bytes: what restoring works on. Modes and ids are zeros on the side without the path. */
export interface RawChange {
  readonly path: RawPath;
  readonly fromMode: string;
  readonly toMode: string;
  readonly fromId: string;
  readonly toId: string;
  readonly added: number | null;
  readonly removed: number | null;
}

const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];

/** Which paths differ between two trees of this workspace, and by how many lines. */
export async function diffTrees(
  place: Place,
  from: string,
  to: string,
  paths?: readonly string[],
): Promise<TreeDiff> {
  const signal = AbortSignal.timeout(bounds.gitMs);
  const all = (await rawChanges(place, from, to, signal)).filter(within(paths));
  const kept = all.slice(0, bounds.diffPathsMax);
  const notes = await notesOf(place, kept, signal);
  const changes = kept.map((change): PathChange => {
    const note = notes.get(change.toId) ?? notes.get(change.fromId);
    return {
      path: shownPath(change.path),
      status: isAbsent(change.fromMode) ? 'added' : isAbsent(change.toMode) ? 'removed' : 'changed',
      added: change.added,
      removed: change.removed,
      note,
    };
  });
  return { changes, paths: all.length };
}

/** The same in numbers, with the first few paths. */
export async function diffStat(place: Place, from: string, to: string): Promise<DiffStat> {
  const all = await rawChanges(place, from, to, AbortSignal.timeout(bounds.gitMs));
  const sum = (counts: readonly (number | null)[]): number =>
    counts.reduce<number>((a, b) => a + (b ?? 0), 0);
  return {
    files: all.length,
    added: sum(all.map(({ added }) => added)),
    removed: sum(all.map(({ removed }) => removed)),
    paths: all.slice(0, diffStatPathsMax).map(({ path }) => shownPath(path).slice(0, diffStatPathCharsMax)),
  };
}

/** The same as text a person reads, cut at `charsMax`. */
export async function unifiedDiff(
  place: Place,
  from: string,
  to: string,
  options: { readonly paths?: readonly string[]; readonly charsMax?: number } = {},
): Promise<UnifiedDiff> {
  const args = ['diff-tree', '-p', '-r', ...plain, tree(from), tree(to), '--', ...(options.paths ?? [])];
  const { stdout, cut } = await askAboutTrees(place, args, {
    signal: AbortSignal.timeout(bounds.gitMs),
    cutAtBytes: options.charsMax ?? bounds.diffCharsMax,
    // Paths count from the tree's own top, which for a folder inside a repository is not the working tree's.
    workTree: place.folder,
  });
  const text = stdout.toString('utf8');
  return { text: cut ? text.slice(0, text.lastIndexOf('\n') + 1) : text, cut };
}

/** Every path that differs, in bytes. */
export async function rawChanges(
  place: Place,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<RawChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', '--no-abbrev', ...plain, tree(from), tree(to)];
  const { stdout } = await askAboutTrees(place, args, { signal, workTree: place.folder });
  const fields = stdout.toString('latin1').split('\0');
  const found = new Map<string, Omit<RawChange, 'added' | 'removed'>>();
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    const raw = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/.exec(field);
    const path = fields[at + 1];
    if (raw && path !== undefined) {
      const [, fromMode = '', toMode = '', fromId = '', toId = ''] = raw;
      found.set(path, { path: path as RawPath, fromMode, toMode, fromId, toId });
      at++;
      continue;
    }
    const lines = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field);
    const change = lines ? found.get(lines[3] ?? '') : undefined;
    if (lines && change)
      changes.push({ ...change, added: lineCount(lines[1]), removed: lineCount(lines[2]) });
  }
  return changes;
}

/** The notes among the changed links, by id. */
export function notesOf(
  place: Place,
  changes: readonly RawChange[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const links = changes.flatMap((change) => [
    ...(change.fromMode === noteMode ? [change.fromId] : []),
    ...(change.toMode === noteMode ? [change.toId] : []),
  ]);
  return readNotes(place, [...new Set(links)], signal);
}

export const isAbsent = (mode: string) => /^0+$/.test(mode);

/** True for a path that is named, or lies in a folder that is; for every path when none is named. */
export function within(
  paths: readonly string[] | undefined,
): (change: { readonly path: RawPath }) => boolean {
  if (!paths || paths.length === 0) return () => true;
  const named = paths.map((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''));
  return ({ path }) => {
    const shown = shownPath(path);
    return named.some(
      (name) => name === '' || name === '.' || shown === name || shown.startsWith(`${name}/`),
    );
  };
}

async function askAboutTrees(place: Place, args: readonly string[], call: Parameters<typeof privateGit>[2]) {
  try {
    return await privateGit(place, args, call);
  } catch (error) {
    if (
      error instanceof WorkspaceError &&
      /bad object|not a tree|unable to read|could not get|bad tree/i.test(error.message)
    ) {
      throw new WorkspaceError(
        'unknown-tree',
        place.folder,
        `a tree is not known here any more (${error.message})`,
        'Compare trees of this workspace that a savepoint keeps.',
      );
    }
    throw error;
  }
}

/** Only an id: anything else would be read as an option or a name. */
function tree(id: string): string {
  if (/^[0-9a-f]{40,64}$/.test(id)) return id;
  const fix =
    id === 'unknown' ? 'Take the tree again; this one could not be read in time.' : 'Give the id of a tree.';
  throw new WorkspaceError('unknown-tree', 'tree', `\`${id.slice(0, 100)}\` is no tree`, fix);
}

function lineCount(text: string | undefined): number | null {
  return text === undefined || text === '-' ? null : Number(text);
}
