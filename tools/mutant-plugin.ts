import { readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';

interface Mutant {
  /** Relative to the repository's root. */
  file: string;
  /** Must occur exactly once in the file, so that a mutant never silently changes nothing or too much. */
  find: string;
  replace: string;
}

const root = resolve(import.meta.dirname, '..');

/**
 * Breaks one place of the code in memory, as told by the MUTANT environment variable (JSON), so that a test run can
 * prove that some test notices. The working tree stays untouched. Only modules loaded by vitest are reached: a worker
 * or child process that runs a source file by itself sees the real one.
 */
export function mutantPlugin(json = process.env.MUTANT): Plugin | undefined {
  if (!json) return undefined;
  const { file, find, replace } = JSON.parse(json) as Mutant;
  const target = resolve(root, file);
  // Checked before any test runs: a stale mutant must not look like one that was caught.
  mutate(readFileSync(target, 'utf8'), { file, find, replace });
  return {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      const path = id.split('?')[0]?.replaceAll('/', sep);
      return path === target ? { code: mutate(code, { file, find, replace }), map: null } : undefined;
    },
  };
}

function mutate(code: string, { file, find, replace }: Mutant): string {
  const pieces = code.split(find);
  if (pieces.length !== 2) {
    throw new Error(
      `mutant: ${JSON.stringify(find)} occurs ${pieces.length - 1} times in ${file}, wanted once`,
    );
  }
  return pieces.join(replace);
}
