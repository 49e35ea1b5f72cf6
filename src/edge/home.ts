import { chmodSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** Where everything of ours is kept, outside every workspace. */
export interface Home {
  readonly dir: string;
  readonly store: string;
  /** Keys the digests that stand in for secrets. */
  readonly key: string;
  readonly trust: string;
  runFolder(run: string): string;
  stateFile(run: string): string;
}

/** The home cannot be used as it is; the message names the folder, `fix` what to do. */
export class HomeError extends Error {
  override readonly name = 'HomeError';
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(`${message} ${fix}`);
    this.fix = fix;
  }
}

const homeMode = 0o700;

/** The paths, without touching the disk: `$TIRELESS_HOME`, else `tireless` in `$XDG_STATE_HOME` or `~/.local/state`. */
export function findHome(env: Env): Home {
  const chosen = env.TIRELESS_HOME;
  if (chosen && !isAbsolute(chosen)) {
    throw new HomeError(
      `TIRELESS_HOME must be an absolute path, not "${chosen}".`,
      'Set it to one that starts with a slash.',
    );
  }
  const dir = chosen ? resolve(chosen) : join(xdgFolder(env, 'XDG_STATE_HOME', '.local/state'), 'tireless');
  const runFolder = (run: string) => join(dir, 'runs', safeName(run));
  return {
    dir,
    store: join(dir, 'tireless.db'),
    key: join(dir, 'key'),
    trust: join(dir, 'trust.json'),
    runFolder,
    stateFile: (run) => join(runFolder(run), 'state.json'),
  };
}

/** The person's own config file: `tireless/config.yaml` in `$XDG_CONFIG_HOME` or `~/.config`. */
export function userConfigFile(env: Env): string {
  return join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'tireless', 'config.yaml');
}

/** Makes the home, for its owner only. Refuses one that lies inside `workspace`, where the agent writes. */
export function openHome(home: Home, workspace: string): Home {
  const inside = relative(realPath(workspace), realPath(home.dir));
  if (!(inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))) {
    throw new HomeError(
      `The records in ${home.dir} lie inside the workspace ${workspace}, where the agent could change them.`,
      'Run in another folder, or set TIRELESS_HOME to a folder outside the workspace.',
    );
  }
  try {
    mkdirSync(join(home.dir, 'runs'), { recursive: true, mode: homeMode });
    // mkdir leaves an existing folder as it was.
    if ((statSync(home.dir).mode & 0o777) !== homeMode && process.platform !== 'win32')
      chmodSync(home.dir, homeMode);
  } catch (error) {
    throw new HomeError(
      `Cannot write records to ${home.dir}: ${error instanceof Error ? error.message : error}.`,
      'Make that folder writable, or set TIRELESS_HOME to another one.',
    );
  }
  return home;
}

/** XDG says that a relative path in these variables counts as unset. */
function xdgFolder(env: Env, name: string, fallback: string): string {
  const set = env[name];
  return set && isAbsolute(set) ? set : join(env.HOME || homedir(), fallback);
}

/** The real path, also of something that does not exist yet. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    if (parent === absolute) throw error;
    return join(realPath(parent), basename(absolute));
  }
}

function safeName(run: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(run)) return run;
  throw new HomeError(
    `"${run.slice(0, 60)}" is not a valid run id.`,
    'Ids look like 20310501-073000-a1b2c3; `tireless runs` lists them.',
  );
}
