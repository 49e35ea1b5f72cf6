import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../contract/errors.ts';
import type { StoreFault } from '../../contract/ports.ts';

const cannotOpen = 14;
/** The shared memory beside the log could not be made larger: how a full disk shows when the store is opened. */
const cannotGrow = 4_874;

/** Primary result codes of SQLite; the extended code carries them in its low byte. */
const faultOfCode: Record<number, StoreFault> = {
  3: 'read-only', // PERM
  5: 'busy',
  6: 'busy', // LOCKED
  8: 'read-only',
  10: 'io',
  11: 'corrupt',
  13: 'disk-full',
  [cannotOpen]: 'io',
  26: 'corrupt', // NOTADB
};

const faultOfErrno: Record<string, StoreFault> = {
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
};

/** How a failure of the world reads: what is wrong with which file, and what to do about it. */
const words: Record<
  'disk-full' | 'read-only' | 'corrupt' | 'busy' | 'io',
  { wrong: (path: string) => string; fix: string }
> = {
  'disk-full': {
    wrong: (path) => `the disk is full: ${path} could not be written`,
    fix: 'Free some space, then resume. Nothing that was acknowledged is lost.',
  },
  'read-only': {
    wrong: (path) => `${path} or its folder cannot be written`,
    fix: 'Make the file and its folder writable, or set TIRELESS_HOME to another folder.',
  },
  corrupt: {
    wrong: (path) => `${path} is damaged`,
    fix: 'Nothing was changed or deleted. Copy the file with its -wal and -shm files to a safe place; `tireless doctor` shows what is still readable.',
  },
  busy: {
    wrong: (path) => `${path} is locked by another process`,
    fix: 'Try again. If it stays locked, find the process that has it open (`fuser` or `lsof`) and let it finish.',
  },
  io: {
    wrong: (path) => `${path} could not be read or written`,
    fix: 'Check the disk, or set TIRELESS_HOME to a folder on another local disk.',
  },
};

/** Whatever SQLite or the file system threw, as a `StoreError` naming the file. A bug of ours comes back as it was. */
export function asStoreError(error: unknown, path: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (code === 'ERR_SQLITE_ERROR') {
    const primary = (errcode ?? 0) & 0xff;
    // "Cannot open" is said of a folder we may not write to as well: the log beside the file cannot be made there.
    const shut = primary === cannotOpen && !isWritable(dirname(path));
    const fault = errcode === cannotGrow ? 'disk-full' : (faultOfCode[primary] ?? 'io');
    return worldFault(shut ? 'read-only' : fault, path, error.message);
  }
  if (code !== undefined && 'errno' in error) {
    return worldFault(faultOfErrno[code] ?? 'io', path, error.message);
  }
  return error;
}

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function worldFault(fault: StoreFault, path: string, detail: string): StoreError {
  const { wrong, fix } = words[fault as keyof typeof words] ?? words.io;
  return new StoreError(fault, `${wrong(path)} (${detail})`, fix);
}

/** Runs `work`; what the world throws leaves as a `StoreError`. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreError(error, path);
  }
}

/** An error as it crosses from the store's thread. */
export interface WireError {
  readonly fault: StoreFault | null;
  readonly message: string;
  readonly fix: string;
}

export function toWire(error: unknown): WireError {
  if (error instanceof StoreError) return { fault: error.fault, message: error.message, fix: error.fix };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { fault: null, message, fix: '' };
}

export function fromWire({ fault, message, fix }: WireError): Error {
  return fault === null ? new Error(message) : new StoreError(fault, message, fix);
}
