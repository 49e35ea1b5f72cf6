import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';
import type { TestProject } from 'vitest/node';
import { program } from '../tsdown.config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program as it is shipped, built once for all tests of a run. */
    readonly tirelessProgram: string;
  }
}

const root = resolve(import.meta.dirname, '..');
export const source = (path: string): string => resolve(root, 'src', path);

type Options = Pick<NonNullable<Parameters<typeof build>[0]>, 'plugins' | 'entry'>;

/** Bundles programs the way the command line is shipped: that itself, or other entries. */
export async function bundle(folder: string, options: Options = {}): Promise<void> {
  await build({
    ...program,
    config: false,
    cwd: root,
    logLevel: 'error',
    report: false,
    outDir: folder,
    ...options,
  });
  // As in the published package; without it Node reads every file twice to find out.
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
}

/** Bundles the command line; gives the path of the program. */
export async function bundleProgram(folder: string, plugins: Options['plugins'] = []): Promise<string> {
  await bundle(folder, { plugins });
  return join(folder, 'tireless.js');
}

/**
 * Built, the program starts in half the time its sources take, and tests start it hundreds of times. A mutant lives
 * in the sources alone, and no suite that hunts one starts the program often enough to pay for a build.
 */
export default async function buildOnce(project: TestProject): Promise<() => void> {
  if (process.env.MUTANT !== undefined) {
    project.provide('tirelessProgram', source('app/cli/main.ts'));
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tireless-program-'));
  project.provide('tirelessProgram', await bundleProgram(folder));
  return () => rmSync(folder, { recursive: true, force: true });
}
