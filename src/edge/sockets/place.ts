import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { replaceFile } from '../atomic-file.ts';
import type { Env, Home } from '../home.ts';

/** Longest path of a Unix socket the system takes, in bytes. */
const socketPathBytesMax = process.platform === 'darwin' ? 103 : 107;

/** A socket cannot be opened or reached; the message names the place, `fix` what to do. */
export class SocketError extends Error {
  override readonly name = 'SocketError';
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** Where one side of a run is reached, and the token that opens it. */
export interface SocketAddress {
  readonly path: string;
  readonly token: string;
}

/** A run's two sockets: one for its agent, one for the person's commands. Both outlive a keeper. */
export interface RunSockets {
  readonly agent: SocketAddress;
  readonly person: SocketAddress;
}

const addressFile = (home: Home, run: string): string => join(home.runFolder(run), 'sockets.json');

/** The addresses a keeper of the run has written down; null where none has, or they cannot be read. */
export function findSockets(home: Home, run: string): RunSockets | null {
  try {
    const { agent, person } = JSON.parse(readFileSync(addressFile(home, run), 'utf8')) as RunSockets;
    const isAddress = ({ path, token }: SocketAddress): boolean => isAbsolute(path) && token.length === 64;
    return isAddress(agent) && isAddress(person) ? { agent, person } : null;
  } catch {
    return null; // no keeper yet, or a damaged file: the next keeper writes it anew
  }
}

/** The addresses of a run, made and written down on first use. Only the holder of the run's lease may ask. */
export async function openSockets(home: Home, run: string, env: Env): Promise<RunSockets> {
  const known = findSockets(home, run);
  const folder = runtimeFolder(env);
  const stem = createHash('sha256').update(`${home.dir}\0${run}`).digest('hex').slice(0, 12);
  const address = (side: 'agent' | 'person'): SocketAddress => ({
    path: join(folder, `${stem}.${side === 'agent' ? 'a' : 'p'}`),
    token: known?.[side].token ?? randomBytes(32).toString('hex'),
  });
  const sockets = { agent: address('agent'), person: address('person') };
  if (JSON.stringify(sockets) !== JSON.stringify(known)) {
    mkdirSync(home.runFolder(run), { recursive: true, mode: 0o700 });
    await replaceFile(addressFile(home, run), `${JSON.stringify(sockets)}\n`);
  }
  return sockets;
}

/** A socket is bound under a name that is this much longer than the one it gets. */
const boundSuffixBytes = 5;
const nameBytes = '/0123456789ab.a'.length;

/**
 * A folder of this user's alone whose path leaves room for a socket's name: in `$XDG_RUNTIME_DIR` where that can be
 * used, else in a temporary folder.
 */
function runtimeFolder(env: Env): string {
  const own = `tireless-${userId()}`;
  const given = [env.XDG_RUNTIME_DIR, env.TMPDIR].map((folder) =>
    folder && isAbsolute(folder) ? folder : null,
  );
  const places = [
    ...(given[0] ? [join(given[0], 'tireless')] : []),
    ...(given[1] ? [join(given[1], own)] : []),
    join(tmpdir(), own),
  ];
  const problems: SocketError[] = [];
  for (const place of places) {
    try {
      return ownFolder(fitting(place));
    } catch (error) {
      if (!(error instanceof SocketError)) throw error;
      problems.push(error); // set for another user, gone with the login, too long: the next one may serve
    }
  }
  throw problems[0] ?? new SocketError('there is no folder for sockets', 'set XDG_RUNTIME_DIR');
}

const fitting = (folder: string): string => {
  const bytes = Buffer.byteLength(folder) + nameBytes + boundSuffixBytes;
  if (bytes <= socketPathBytesMax) return folder;
  throw new SocketError(
    `a socket in ${folder} would have a path of ${bytes} bytes; the system takes at most ${socketPathBytesMax}`,
    'set XDG_RUNTIME_DIR or TMPDIR to a shorter folder',
  );
};

const userId = (): string => String(process.getuid?.() ?? userInfo().username);

function ownFolder(path: string): string {
  try {
    // Not with its parents: they are the system's, and in some places making them never ends.
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new SocketError(
        `cannot make ${path}: ${(error as Error).message}`,
        'set XDG_RUNTIME_DIR to a folder of yours',
      );
  }
  const found = lstatSync(path);
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new SocketError(
      `${path} is not a folder of yours`,
      'remove it, or set XDG_RUNTIME_DIR to a folder of yours',
    );
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}
