import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Check, CheckResult, Tree } from '../../contract/check.ts';
import type { Clock, Workspace } from '../../contract/ports.ts';
import type { Detection } from '../../core/completion/detect.ts';
import { runCheck } from './checks.ts';
import { findCoverage } from './coverage.ts';
import { detectWorkspaceChecks } from './detect.ts';
import { diffStat, diffTrees, type TreeDiff, type UnifiedDiff, unifiedDiff } from './diff.ts';
import { isSystemError, WorkspaceError } from './errors.ts';
import { openPlace } from './place.ts';
import { type Restored, restoreFiles } from './restore.ts';
import {
  dropSavepoint,
  findSavepoint,
  keepSavepoint,
  listSavepoints,
  type Savepoint,
  tidy,
} from './savepoints.ts';
import { changedPaths, suiteAlterations } from './suite.ts';
import { readTree } from './tree.ts';

export interface WorkspaceOptions {
  readonly path: string;
  /** `$TIRELESS_HOME`: everything we remember about the workspace lies under it. */
  readonly stateDir: string;
  readonly clock: Pick<Clock, 'at'>;
  /** The environment git and checks choose from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables the person lets through to checks. */
  readonly pass?: readonly string[];
  /** Told of the process id of every check that starts. */
  readonly started?: (pid: number) => void;
  /** Longest reading of the tree. */
  readonly treeMs?: number;
}

/** A workspace with everything the commands need besides the port. */
export interface OpenWorkspace extends Workspace {
  /** Where the private trees lie; shown to the person before the first turn. */
  readonly store: string;
  check(check: Check, timeoutMs: number, signal?: AbortSignal): Promise<CheckResult>;
  detect(): Promise<Detection>;
  diff(from: string, to: string, paths?: readonly string[]): Promise<TreeDiff>;
  diffText(
    from: string,
    to: string,
    options?: { paths?: readonly string[]; charsMax?: number },
  ): Promise<UnifiedDiff>;
  /** Keeps a tree under a name: the given one, or the one of now. */
  savepoint(name: string, because: string, tree?: Tree): Promise<Savepoint>;
  savepoints(): Promise<readonly Savepoint[]>;
  dropSavepoint(name: string): Promise<void>;
  /** Brings files back from a savepoint or a tree id; what stood there before is a savepoint itself. */
  restore(from: string, paths?: readonly string[]): Promise<Restored & { readonly before: Savepoint }>;
  tidy(): Promise<void>;
}

/**
 * Opens a folder as a workspace. Fails with a `WorkspaceError` that names the place and the fix when the folder is
 * missing, is none, cannot be written, or when our own folder or git cannot be used.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<OpenWorkspace> {
  await assertUsable(options.path);
  const place = await openPlace(options.path, options.stateDir, options.env).catch(
    stateProblem(options.stateDir),
  );
  const inTurn = oneAtATime();
  const memory = {};
  const tree = () => readTree(place, memory, options.treeMs);
  const known = async (given?: Tree) => {
    const now = given ?? (await tree());
    if (now.tree !== 'unknown') return { tree: now.tree, head: now.head };
    throw new WorkspaceError(
      'unknown-tree',
      place.folder,
      `the files could not be read: ${now.because}`,
      'Try again when the folder is at rest.',
    );
  };
  const savepoint = async (name: string, because: string, given?: Tree) =>
    keepSavepoint(place, { name, because, ...(await known(given)), at: options.clock.at() });
  return {
    path: place.folder,
    store: place.store,
    tree: () => inTurn(tree),
    check: async (check, timeoutMs, signal) => {
      // Compared with file times, which are the machine's own.
      const startedAt = Date.now();
      const result = await runCheck(check, {
        cwd: place.folder,
        timeoutMs,
        env: options.env,
        pass: options.pass,
        started: options.started,
        signal,
      });
      const coverage = await findCoverage(place.folder, resolve(place.folder, check.cwd), startedAt);
      return coverage ? { ...result, coverage } : result;
    },
    diffStat: (from, to) => diffStat(place, from, to),
    changedPaths: (from, to) => changedPaths(place, from, to),
    suiteAlterations: (from, to, checks) => suiteAlterations(place, from, to, checks),
    detect: () => detectWorkspaceChecks(place.folder),
    diff: (from, to, paths) => diffTrees(place, from, to, paths),
    diffText: (from, to, how) => unifiedDiff(place, from, to, how),
    savepoint: (name, because, given) => inTurn(() => savepoint(name, because, given)),
    savepoints: () => listSavepoints(place),
    dropSavepoint: (name) => dropSavepoint(place, name),
    restore: (from, paths) =>
      inTurn(async () => {
        const target = /^[0-9a-f]{40,64}$/.test(from) ? from : (await findSavepoint(place, from)).tree;
        const before = await savepoint(
          `before-restore-${options.clock.at()}`,
          `what stood here before ${from} was restored`,
        );
        return { ...(await restoreFiles(place, before.tree, target, paths)), before };
      }),
    tidy: () => inTurn(() => tidy(place)),
  };
}

async function assertUsable(path: string): Promise<void> {
  const place = resolve(path);
  const stats = await stat(place).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw cannotRead(place, error);
    throw new WorkspaceError(
      'missing',
      place,
      'there is no such folder',
      'Check the path, or make the folder first.',
    );
  });
  if (!stats.isDirectory()) {
    throw new WorkspaceError(
      'not-a-folder',
      place,
      'this is a file, not a folder',
      'Name the folder the work is in.',
    );
  }
  await access(place, constants.R_OK | constants.X_OK).catch((error: unknown) => {
    throw isSystemError(error) ? cannotRead(place, error) : error;
  });
  await access(place, constants.W_OK).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    const why = error.code === 'EROFS' ? 'it is on a read-only file system' : 'it cannot be written';
    throw new WorkspaceError(
      'read-only',
      place,
      `${why}, so no work can be done in it`,
      'Make the folder writable for this user, or work on a copy.',
    );
  });
}

function cannotRead(place: string, error: NodeJS.ErrnoException): WorkspaceError {
  return new WorkspaceError(
    'missing',
    place,
    `it cannot be read (${error.code})`,
    'Give this user the right to read the folder.',
  );
}

/** A failure to write under our own folder is told as such. */
function stateProblem(stateDir: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof WorkspaceError || !isSystemError(error)) throw error;
    const what = `our own folder cannot be used (${error.code}: ${error.message})`;
    throw new WorkspaceError(
      'state',
      resolve(stateDir),
      what,
      'Make it writable, free some space, or set TIRELESS_HOME to another folder.',
    );
  };
}

/** Readings and writings of one workspace follow each other; a failed one does not stop the next. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
