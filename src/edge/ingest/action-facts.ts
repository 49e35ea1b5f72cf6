import { type Dirent, lstatSync, opendirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Action, ActionFacts } from '../../contract/action.ts';
import type { GuardContextInput } from '../../contract/guard.ts';
import { touchesOf } from '../../core/guards/index.ts';
import { below, globMatches, globText, hasGlob, star } from '../../core/guards/marks.ts';
import { processFacts } from './process-facts.ts';

const factsMs = 50;
const matchesMax = 100;
const linksMax = 40;
const pathCharsMax = 4_096;
/** All paths and matches of one action together. */
const factCharsMax = 20_000;

type PathFact = ActionFacts['paths'][number];

export interface FactSite {
  readonly run: string;
  readonly context: GuardContextInput;
  /** How long looking may take before the rest is left out. */
  readonly timeMs?: number;
}

/** Says what the places and processes of an action are on this machine, in bounded time. Undefined where it touches none. */
export function makeFacts({
  run,
  context,
  timeMs = factsMs,
}: FactSite): (action: Action) => ActionFacts | undefined {
  return (action) => {
    const touches = touchesOf(action, context);
    const { paths, globs, pids } = touches;
    if (paths.length + globs.length + pids.length === 0 && !touches.incomplete) return undefined;
    const bounds = makeBounds(performance.now() + timeMs);
    const facts: ActionFacts = {
      paths: bounds.all(paths, pathFact),
      globs: bounds.all(globs, (glob) => globFact(glob, bounds)),
      processes: bounds.all(pids, (pid) => processFacts(pid, run)),
    };
    return touches.incomplete || bounds.isReached() ? { ...facts, incomplete: true } : facts;
  };
}

interface Bounds {
  /** What was found out in time and in little enough text. */
  all<T, F>(items: readonly T[], look: (item: T) => F): F[];
  isOver(): boolean;
  /** Something was left out. */
  reach(): void;
  isReached(): boolean;
}

function makeBounds(deadline: number): Bounds {
  let reached = false;
  let chars = 0;
  const isOver = (): boolean => performance.now() >= deadline;
  return {
    isOver,
    reach: () => {
      reached = true;
    },
    isReached: () => reached,
    all: (items, look) =>
      items.flatMap((item) => {
        const fact = isOver() ? null : look(item);
        if (fact !== null) chars += JSON.stringify(fact).length;
        if (fact !== null && chars <= factCharsMax) return [fact];
        reached = true;
        return [];
      }),
  };
}

function pathFact(path: string): PathFact {
  const found = statOf(path);
  const real = realOf(path, 0);
  const kind = typeof found === 'string' ? found : kindOf(found);
  if (path.length > pathCharsMax || (real?.length ?? 0) > pathCharsMax)
    return { path: path.slice(0, pathCharsMax), real: null, kind: 'unknown' };
  return { path, real, kind: real === null && kind !== 'link' ? 'unknown' : kind };
}

const kindOf = (stats: Stats): PathFact['kind'] =>
  stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'unknown';

function statOf(path: string): Stats | 'missing' | 'unknown' {
  try {
    return lstatSync(path);
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unknown';
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Where a path leads, also where nothing is yet: through the links of what exists, and of a link to nothing. */
function realOf(path: string, links: number): string | null {
  try {
    // The system's own: the other one takes `..` out before it follows links.
    return realpathSync.native(path);
  } catch (error) {
    if (!isMissing(error) || links > linksMax) return null;
  }
  const stats = statOf(path);
  if (stats === 'unknown') return null;
  const parent = realOf(dirname(path), links);
  if (parent === null) return null;
  if (stats === 'missing' || !stats.isSymbolicLink()) return join(parent, basename(path));
  const target = linkOf(path);
  return target === null ? null : realOf(resolve(parent, target), links + 1);
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // gone or not ours to read meanwhile: then where it leads is not known
  }
}

/** What a glob matches now. Hidden names as a shell has it: only where the pattern names the dot, or below `**`. */
function globFact(glob: string, bounds: Bounds): ActionFacts['globs'][number] {
  const matches: string[] = [];
  let more = false;
  const stop = (): boolean => {
    if (matches.length < matchesMax && !bounds.isOver()) return false;
    more = true;
    return true;
  };
  const walk = (folder: string, [part, ...rest]: readonly string[], hidden: boolean): void => {
    if (part === undefined) {
      if (!stop()) matches.push(folder);
      return;
    }
    if (part === below) walk(folder, rest.length === 0 ? [star] : rest, true);
    else if (!hasGlob(part)) {
      const path = join(folder, part);
      if (statOf(path) !== 'missing') walk(path, rest, hidden);
      return;
    }
    const fits = (name: string): boolean => globMatches(part, name) && (hidden || !isHidden(name, part));
    for (const entry of listed(folder, () => {
      more = true;
    })) {
      if (stop()) return;
      const path = join(folder, entry.name);
      // A search does not go through links, and would not come back from some.
      if (part === below) {
        if (entry.isDirectory()) walk(path, [part, ...rest], true);
      } else if (fits(entry.name) && (rest.length === 0 || !entry.isFile())) walk(path, rest, hidden);
    }
  };
  walk('/', glob.split('/').filter(Boolean), false);
  if (more) bounds.reach();
  return { glob: globText(glob), matches: matches.toSorted(), more };
}

const isHidden = (name: string, pattern: string): boolean => name.startsWith('.') && !pattern.startsWith('.');

/** The names in a folder, one after the other: a huge folder is not read whole. */
function* listed(folder: string, unreadable: () => void): Generator<Dirent> {
  const open = () => {
    try {
      return opendirSync(folder);
    } catch (error) {
      if (!isMissing(error)) unreadable();
      return null;
    }
  };
  const found = open();
  if (found === null) return;
  try {
    for (let entry = found.readSync(); entry !== null; entry = found.readSync()) yield entry;
  } finally {
    found.closeSync();
  }
}
