import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/contract/ports.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { openInline, runKey } from '../../src/edge/store/sqlite.ts';
import { sampleEntries, sampleView } from '../../src/testkit/store-samples.ts';

/** Programs of the machine, not of a package. */
const system = { mount: 'mount', unmount: 'umount' };

/** A folder of its own for one test, gone when the test is. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A small disk of its own. Only the superuser of a real machine can have one; null elsewhere. */
export function ownDisk(sizeKiB: number): { folder: string; makeReadOnly(): void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-disk-'));
  const mount = (...args: string[]) => spawnSync(system.mount, args, { stdio: 'ignore' }).status === 0;
  const isMounted = mount('-t', 'tmpfs', '-o', `size=${sizeKiB}k`, 'tmpfs', folder);
  onTestFinished(() => {
    if (isMounted) spawnSync(system.unmount, ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return isMounted ? { folder, makeReadOnly: () => void mount('-o', 'remount,ro', folder) } : null;
}

/** Appends entries 1 to `entries` to a run and gives its lease back. */
export async function writeRun(store: Store, run: string, entries: number): Promise<number> {
  const answer = await store.acquire(runKey(run), holderHere('test'));
  if (!('got' in answer)) throw new Error(`${run} is held`);
  const { epoch } = answer.got;
  await store.append(run, epoch, 1, sampleEntries(run, 1, entries), { view: sampleView(run, entries) });
  return epoch;
}

/** A closed store file with one run of so many entries. */
export async function writtenStore(entries: number, run = 'r1'): Promise<string> {
  const path = join(ownFolder(), 'tireless.db');
  const store = openInline(path);
  await writeRun(store, run, entries);
  await store.close();
  return path;
}

export function opened(path: string, options?: Parameters<typeof openInline>[1]): Store {
  const store = openInline(path, options);
  onTestFinished(() => store.close());
  return store;
}
