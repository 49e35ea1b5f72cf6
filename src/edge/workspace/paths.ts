/**
 * A path as git gives it: bytes, carried in a string with one character per byte. File names on most systems are
 * bytes, not text; decoded as UTF-8 some of them could never be opened again.
 */
export type RawPath = string & { readonly __raw: unique symbol };

/** The paths of a `-z` listing. */
export function splitPaths(output: Buffer): RawPath[] {
  const paths = output.toString('latin1').split('\0') as RawPath[];
  if (paths.at(-1) === '') paths.pop();
  return paths;
}

/** Bytes for git's standard input: each part ends with NUL. */
export function joinPaths(parts: readonly string[]): Buffer {
  return Buffer.from(parts.map((part) => `${part}\0`).join(''), 'latin1');
}

export function rawPath(text: string): RawPath {
  return Buffer.from(text, 'utf8').toString('latin1') as RawPath;
}

/** As people read it; bytes that are no UTF-8 become replacement characters. */
export function shownPath(path: RawPath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** For calls of the file system: the bytes under a folder. */
export function under(folder: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`, 'utf8'), Buffer.from(path, 'latin1')]);
}

export function joinRaw(...parts: readonly string[]): RawPath {
  return parts.join('') as RawPath;
}
