import { accessSync, constants, type Stats } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bounds } from './bounds.ts';
import { isSystemError } from './errors.ts';
import { draftName } from './files.ts';
import { type Place, privateGit } from './place.ts';

/**
 * A file that is in the tree without its content. The note stands there as a symbolic link whose target starts with
 * NUL, which no real link can, so that it is never mistaken for content. An entry without times looks changed at each
 * reading, and is then judged by the file's size and time alone.
 */
export const noteMode = '120000';

/** The note of a file whose content is not taken; null for one that is. */
export function noteOf(file: Buffer, stats: Stats): string | null {
  if (stats.size > bounds.hashedBytesMax) return `\0large ${stats.size} bytes ${stats.mtimeMs}\n`;
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch (error) {
    if (isSystemError(error) && (error.code === 'EACCES' || error.code === 'EPERM')) {
      return `\0unreadable ${stats.size} bytes ${stats.mtimeMs}\n`;
    }
    // It vanished meanwhile: git sees the same and removes it.
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** Writes notes as blobs and gives their ids, in order. */
export async function writeNotes(
  place: Place,
  notes: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (notes.length === 0) return [];
  const folder = draftName(join(place.store, 'notes'));
  await mkdir(folder);
  try {
    for (const [at, note] of notes.entries()) await writeFile(join(folder, String(at)), note);
    const list = Buffer.from(notes.map((_, at) => `${folderless(folder)}/${at}\n`).join(''));
    const { stdout } = await privateGit(place, ['hash-object', '-w', '--no-filters', '--stdin-paths'], {
      stdin: list,
      workTree: place.store,
      signal,
    });
    return stdout.toString('latin1').trimEnd().split('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const folderless = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Which of these blobs, each the target of a link, are notes; with what the note says. */
export async function readNotes(
  place: Place,
  oids: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (oids.length === 0) return found;
  const stdin = Buffer.from(oids.map((oid) => `${oid}\n`).join(''));
  const { stdout } = await privateGit(place, ['cat-file', '--batch'], { stdin, signal });
  let at = 0;
  while (at < stdout.length) {
    const lineEnd = stdout.indexOf(0x0a, at);
    const [oid = '', type, size] = stdout.toString('latin1', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (type !== 'blob') continue;
    const body = stdout.subarray(at, at + Number(size));
    if (body[0] === 0) found.set(oid, body.toString('utf8', 1).trim());
    at += Number(size) + 1;
  }
  return found;
}
