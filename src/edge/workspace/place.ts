import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { isSystemError } from './errors.ts';
import { parseJson, readTextIfAny, replaceFile } from './files.ts';
import { type GitAnswer, gitEnvironment, runGit } from './git.ts';
import { type RawPath, rawPath } from './paths.ts';

/** A workspace and the private git folder we keep about it. */
export interface Place {
  /** Real path of the workspace. */
  readonly folder: string;
  /** The private git folder: index, objects and refs of our own; nothing is shared with the person's. */
  readonly store: string;
  /** Where the ignore rules start: the top of the person's working tree, or the folder itself. */
  readonly top: string;
  /** The folder as seen from `top`: empty, or ending in a slash. */
  readonly prefix: RawPath;
  readonly env: Readonly<Record<string, string>>;
  /** Settings of the person that change what a file is: passed to every private call. */
  readonly settings: readonly string[];
}

/** What the person's own repository says right now; null outside of one. */
export interface PersonRepo {
  readonly top: string;
  readonly head: string | null;
  readonly excludesFile: string;
  readonly indexFile: string;
}

export interface PrivateCall {
  readonly stdin?: Buffer;
  readonly signal?: AbortSignal;
  readonly index?: string;
  readonly alsoFine?: readonly number[];
  readonly cutAtBytes?: number;
  /** A folder inside the workspace to look at instead of it, as a working tree of its own. */
  readonly workTree?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const placeSchema = z.object({ folder: z.string(), top: z.string() });

/** Every byte counts as it is: no line-end conversion, no clean or smudge filter (LFS), no re-encoding. */
const attributes = '* -text -filter -ident -working-tree-encoding\n';

/** Opens the private git folder of a workspace, making it on first use. */
export async function openPlace(
  path: string,
  stateDir: string,
  base: Readonly<Record<string, string | undefined>>,
): Promise<Place> {
  const folder = await realpath(path);
  const digest = createHash('sha256').update(folder).digest('hex');
  const store = join(resolve(stateDir), 'trees', digest);
  const env = gitEnvironment(base);
  await makeStore(store);
  await removeLeftovers(store);
  const top = await rememberedTop(folder, store, env);
  const prefix = relative(top, folder).split(sep).join('/');
  return {
    folder,
    store,
    top,
    prefix: rawPath(prefix === '' ? '' : `${prefix}/`),
    env,
    settings: await personSettings(folder, env),
  };
}

/** A git call on the private folder with the workspace as its working tree. */
export function privateGit(
  place: Place,
  args: readonly string[],
  call: PrivateCall = {},
): Promise<GitAnswer> {
  const { workTree, index, env, ...rest } = call;
  return runGit({
    ...rest,
    args: ['-c', 'core.bare=false', '-c', 'index.version=4', ...place.settings, ...args],
    cwd: workTree ?? place.folder,
    env: {
      ...privateEnvironment(place.env),
      GIT_DIR: place.store,
      GIT_WORK_TREE: workTree ?? place.top,
      GIT_INDEX_FILE: index ?? join(place.store, 'index'),
      GIT_LITERAL_PATHSPECS: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      ...env,
    },
  });
}

/**
 * Reads the person's repository. Only questions that run nothing are asked: a file watcher, hook or filter that its
 * configuration names is never started.
 */
export async function readPersonRepo(
  folder: string,
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<PersonRepo | null> {
  const asked = [
    '--is-inside-work-tree',
    '--show-cdup',
    '--git-path',
    'info/exclude',
    '--git-path',
    'index',
    'HEAD^{commit}',
  ];
  const answer = await runGit({
    args: [...harmless, 'rev-parse', ...asked],
    cwd: folder,
    env,
    signal,
    alsoFine: [128],
  });
  const lines = answer.stdout.toString('utf8').trimEnd().split('\n');
  if (lines[0] !== 'true') return null;
  const head = /^[0-9a-f]{40,64}$/.exec(lines.at(-1) ?? '')?.[0] ?? null;
  // A path may itself contain line ends; both have the same number of them.
  const paths = lines.slice(2, -1);
  const half = paths.length / 2;
  return {
    top: resolve(folder, lines[1] ?? ''),
    head,
    excludesFile: resolve(folder, paths.slice(0, half).join('\n')),
    indexFile: resolve(folder, paths.slice(half).join('\n')),
  };
}

/** A question to the person's repository. */
export function personGit(place: Place, args: readonly string[], signal?: AbortSignal): Promise<GitAnswer> {
  return runGit({ args: [...harmless, ...args], cwd: place.folder, env: place.env, signal });
}

/** The person told us to work here, whoever owns the folder; and nothing the folder configures is run. */
const harmless = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${devNull}`];

function privateEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return { ...env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_ATTR_NOSYSTEM: '1' };
}

/** The few files that make a folder a git folder; any number of processes may make them at once. */
async function makeStore(store: string): Promise<void> {
  await mkdir(store, { recursive: true, mode: 0o700 });
  for (const name of ['objects', 'refs', 'info']) await mkdir(join(store, name), { recursive: true });
  const files = {
    HEAD: 'ref: refs/heads/none\n',
    config: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
    'info/attributes': attributes,
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(store, name);
    if ((await readTextIfAny(file)) !== text) await replaceFile(file, text);
  }
}

/**
 * The top is decided once and remembered: an agent that runs `git init` halfway must not make the same files look
 * like others. A folder that an outer repository ignores stands for itself.
 */
async function rememberedTop(
  folder: string,
  store: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const file = join(store, 'place.json');
  const known = placeSchema.safeParse(parseJson(await readTextIfAny(file)));
  if (known.success && known.data.folder === folder) return known.data.top;
  const repo = await readPersonRepo(folder, env);
  const top = repo && repo.top !== folder && !(await isIgnored(folder, env)) ? repo.top : folder;
  await replaceFile(file, `${JSON.stringify({ folder, top })}\n`);
  return top;
}

async function isIgnored(folder: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const { code } = await runGit({
    args: [...harmless, 'check-ignore', '--quiet', '.'],
    cwd: folder,
    env,
    alsoFine: [1],
  });
  return code === 0;
}

/** Which files are ignored everywhere, and what the file system can express. */
async function personSettings(folder: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const get = async (...args: string[]) => {
    const { stdout } = await runGit({
      args: [...harmless, 'config', ...args],
      cwd: folder,
      env,
      alsoFine: [1, 128],
    });
    return stdout.toString('utf8');
  };
  const [excludes, flags] = await Promise.all([
    get('--type=path', '--null', '--get', 'core.excludesFile'),
    get('--type=bool', '--get-regexp', '^core\\.(filemode|symlinks|ignorecase|precomposeunicode)$'),
  ]);
  const settings: string[] = [];
  if (excludes !== '') settings.push('-c', `core.excludesFile=${excludes.replace(/\0$/, '')}`);
  for (const [, name, value] of flags.matchAll(/^(core\.\w+) (true|false)$/gm))
    settings.push('-c', `${name}=${value}`);
  return settings;
}

/** What processes that died at work left behind. */
async function removeLeftovers(store: string): Promise<void> {
  for (const name of await readdir(store)) {
    const pid = /-(\d+)-\d+(?:\.lock)?$/.exec(name)?.[1];
    if (pid && Number(pid) !== process.pid && !isAlive(Number(pid)))
      await rm(join(store, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM';
  }
}
