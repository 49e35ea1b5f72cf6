import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { configFileBytesMax } from '../../contract/constants.ts';
import type { Problem } from './problems.ts';

export type ReadText = { readonly text: string } | { readonly absent: true } | { readonly problem: Problem };

/** Reads a config file without ever hanging on a pipe or swallowing a huge or binary file. */
export function readConfigText(file: string): ReadText {
  let fd: number;
  try {
    // Without O_NONBLOCK opening a named pipe waits for its writer.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT') return { problem: unreadable(file, code) };
    // A link to nowhere is a config somebody meant us to read.
    const link = lstatSync(file, { throwIfNoEntry: false });
    return link ? { problem: notAFile(file, 'a link to a file that does not exist') } : { absent: true };
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile())
      return { problem: notAFile(file, stat.isDirectory() ? 'a folder' : 'not a regular file') };
    const bytes = readAtMost(fd, configFileBytesMax + 1);
    if (bytes.length > configFileBytesMax) return { problem: tooLarge(file) };
    return decode(file, bytes);
  } catch (error) {
    return { problem: unreadable(file, codeOf(error)) };
  } finally {
    closeSync(fd);
  }
}

function readAtMost(fd: number, bytesMax: number): Buffer {
  const buffer = Buffer.alloc(bytesMax);
  let length = 0;
  for (;;) {
    const read = readSync(fd, buffer, length, bytesMax - length, null);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
  }
}

function decode(file: string, bytes: Buffer): ReadText {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!bytes.includes(0) && Buffer.from(text, 'utf8').equals(withoutMark(bytes))) return { text };
  return {
    problem: {
      file,
      message: 'is not UTF-8 text',
      fix: 'Save it as UTF-8, or remove it if it is not a config file.',
    },
  };
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

const unreadable = (file: string, code: string): Problem => ({
  file,
  message: `cannot be read (${code})`,
  fix: code === 'EACCES' ? `Make it readable: chmod u+r ${file}.` : 'Check the file and the folder it is in.',
});
const notAFile = (file: string, what: string): Problem => ({
  file,
  message: `is ${what}, expected a YAML file`,
  fix: 'Replace it with a YAML file of that name.',
});
const tooLarge = (file: string): Problem => ({
  file,
  message: `is larger than ${configFileBytesMax / 1024} KB`,
  fix: 'Check that this is the right file.',
});

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
