import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const fileMode = 0o600;

/**
 * Puts a whole new content in the place of `path`: after a crash at any moment the file holds the old content or the
 * new one, never a part. Durable once it resolves.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const fresh = await writeBeside(path, content);
  try {
    await rename(fresh, path);
  } catch (error) {
    await unlink(fresh);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Creates `path` with its whole content, or leaves it alone when it exists. Of several creators one wins. Says whether it was us. */
export async function createFileOnce(path: string, content: string | Uint8Array): Promise<boolean> {
  const fresh = await writeBeside(path, content);
  try {
    await link(fresh, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(fresh);
    await syncFolder(dirname(path));
  }
}

async function writeBeside(path: string, content: string | Uint8Array): Promise<string> {
  const fresh = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(fresh, 'wx', fileMode);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await file.close();
    await unlink(fresh);
    throw error;
  }
  await file.close();
  return fresh;
}

/** Without this a crash may forget the new name although the content is on disk. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its rename is written through with the file system's journal.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
