import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statfsSync,
} from 'node:fs';
import { dirname, sep } from 'node:path';
import { StoreError } from '../../contract/errors.ts';
import { isWritable, worldFault } from './faults.ts';
import { applicationId } from './schema.ts';

/** File systems on which SQLite's locks or shared memory do not hold between machines, by `statfs` type. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x5346414f, 'afs'],
  [0x6b414653, 'afs'],
  [0x73757245, 'coda'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x20030528, 'orangefs'],
  [0x786f4256, 'vboxsf'],
]);
const fuseType = 0x65735546;
/** Everything behind FUSE has one type; only the mount table tells a remote one from a local one. */
const networkFuse =
  /^fuse\.(sshfs|rclone|s3fs|gcsfuse|glusterfs|ceph|davfs|curlftpfs|smbnetfs|juicefs|goofys|blobfuse2?|hdfs|afpfs)$/;

const headerBytes = 100;

export interface PlaceOptions {
  /** Opens the store on a network file system all the same. Default: `TIRELESS_ALLOW_NETWORK_STORE=1` is set. */
  readonly allowNetwork?: boolean;
  /** Names the network file system a folder lies on, null when it is local. Default: asks this machine. */
  readonly networkOf?: (folder: string) => string | null;
}

/** Makes the folder (0700) and the file (0600) if they are missing, and refuses what must not be opened, untouched. */
export function preparePlace(path: string, newest: number, options: PlaceOptions = {}): void {
  const folder = dirname(path);
  createFolder(path, folder);
  const network = (options.networkOf ?? networkFileSystemOf)(folder);
  const allowNetwork = options.allowNetwork ?? process.env.TIRELESS_ALLOW_NETWORK_STORE === '1';
  if (network !== null && !allowNetwork) {
    throw new StoreError(
      'io',
      `${folder} lies on a network file system (${network}), where two machines can damage the ledger without noticing`,
      'Set TIRELESS_HOME to a folder on a local disk. If only one machine ever uses it, TIRELESS_ALLOW_NETWORK_STORE=1 opens it anyway.',
    );
  }
  createPrivately(path);
  refuseForeign(path, newest);
}

export function networkFileSystemOf(folder: string): string | null {
  if (folder.startsWith('\\\\')) return 'a Windows share';
  // Elsewhere the numbers mean other things; only Linux has this table.
  if (process.platform !== 'linux') return null;
  const type = statfsSync(folder).type;
  const mountType = type === fuseType ? mountTypeOf(realpathSync(folder), readMounts()) : null;
  return networkName(type, mountType);
}

/** The name of a network file system by its `statfs` type and, for FUSE, the type in the mount table; else null. */
export function networkName(type: number, mountType: string | null): string | null {
  if (type === fuseType) return mountType !== null && networkFuse.test(mountType) ? mountType : null;
  return networkTypes.get(type) ?? null;
}

/** The type of the innermost mount that holds `folder`, from the text of `/proc/self/mountinfo`. */
export function mountTypeOf(folder: string, mountinfo: string): string | null {
  let best = { length: -1, type: null as string | null };
  for (const line of mountinfo.split('\n')) {
    const [before, after] = line.split(' - ');
    const point = before
      ?.split(' ')[4]
      ?.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    if (point === undefined || after === undefined) continue;
    const holds = folder === point || folder.startsWith(point.endsWith(sep) ? point : point + sep);
    if (holds && point.length >= best.length)
      best = { length: point.length, type: after.split(' ')[0] ?? null };
  }
  return best.type;
}

function readMounts(): string {
  return readFileSync('/proc/self/mountinfo', 'utf8');
}

function createFolder(path: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // On a read-only disk a missing folder is reported as "no such file", which sends people looking elsewhere.
    if (isWritable(nearestExisting(folder))) throw error;
    throw worldFault('read-only', path, (error as Error).message);
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Reads the file's own header, so that a file which is not ours or is newer is refused before SQLite touches it. */
function refuseForeign(path: string, newest: number): void {
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  let length: number;
  try {
    length = readSync(file, header, 0, headerBytes, 0);
  } finally {
    closeSync(file);
  }
  if (length === 0) return;
  if (length < headerBytes || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw worldFault('corrupt', path, 'it does not begin like a database');
  }
  refuseVersion(path, header.readUInt32BE(60), header.readUInt32BE(68), newest);
}

/** Refuses a schema newer than `newest` and a database of another program. Both zero: not filled yet. */
export function refuseVersion(path: string, version: number, application: number, newest: number): void {
  if (application !== applicationId && (application !== 0 || version !== 0)) {
    throw new StoreError(
      'corrupt',
      `${path} is a database of another program`,
      'Nothing was changed. Set TIRELESS_HOME to another folder.',
    );
  }
  if (version > newest) {
    throw new StoreError(
      'newer',
      `${path} was written by a newer Tireless (schema ${version}, this one knows ${newest})`,
      'Upgrade Tireless. The file was left as it is.',
    );
  }
}
