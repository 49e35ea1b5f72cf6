import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { isSystemError } from './errors.ts';

/** The text of a file, or null when there is none. */
export async function readTextIfAny(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** Whole or not at all, for readers in other processes too. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = draftName(file);
  await writeFile(draft, text);
  await rename(draft, file);
}

/** A name beside a file that no other process or thread uses; the pid in it tells who left it behind. */
export function draftName(file: string): string {
  return `${file}-${process.pid}-${randomInt(2 ** 47)}`;
}

/** Null for text that is no JSON: our own files are rebuilt then. */
export function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The stamp of a file that is not there. */
export const noStamp = 'none';

/** Changes whenever a file is written anew. */
export function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : noStamp;
}
