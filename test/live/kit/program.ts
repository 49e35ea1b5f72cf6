import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program as it is shipped, built once for all live tests. */
    readonly tirelessProgram: string;
  }
}

const root = resolve(import.meta.dirname, '../../..');
const source = (path: string): string => resolve(root, 'src', path);

/** Builds the command line as it is shipped: it starts in a fraction of the time the sources take. */
export default async function buildProgram(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-program-'));
  await build({
    ...{ config: false, cwd: root, logLevel: 'error', report: false, outDir: folder, dts: false },
    ...{ format: 'esm', platform: 'node', target: 'node24', fixedExtension: false },
    entry: { tireless: source('app/cli/main.ts'), 'store-worker': source('edge/store/worker.ts') },
    deps: { alwaysBundle: [/^(?!node:)/], onlyBundle: false },
  });
  // As in the published package; without it Node reads every file twice to find out.
  writeFileSync(join(folder, 'package.json'), '{"name":"tireless","version":"0.0.0","type":"module"}');
  project.provide('tirelessProgram', join(folder, 'tireless.js'));
  return () => rmSync(folder, { recursive: true, force: true });
}
