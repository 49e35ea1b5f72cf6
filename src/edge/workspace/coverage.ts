import { readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Coverage } from '../../contract/check.ts';
import { readCoverage } from '../../core/completion/coverage.ts';
import { bounds } from './bounds.ts';
import { isSystemError } from './errors.ts';

/** Where tools leave their reports, the exact ones first. */
const usualPlaces: readonly (readonly [Coverage['format'], string])[] = [
  ['coverage-summary', 'coverage/coverage-summary.json'],
  ['lcov', 'coverage/lcov.info'],
  ['lcov', 'lcov.info'],
  ['cobertura', 'coverage/cobertura-coverage.xml'],
  ['cobertura', 'coverage.xml'],
  ['cobertura', 'cobertura.xml'],
  ['cobertura', 'target/site/cobertura/coverage.xml'],
  ['go-cover', 'coverage.out'],
  ['go-cover', 'cover.out'],
  ['go-cover', 'c.out'],
];

/**
 * The coverage report that a check run in `folder` wrote, or null. A report older than the run is an old report and
 * says nothing about it; so does one that cannot be read.
 */
export async function findCoverage(
  workspace: string,
  folder: string,
  notBefore: number,
): Promise<Coverage | null> {
  for (const [format, place] of usualPlaces) {
    const file = join(folder, place);
    const text = await readFresh(file, notBefore);
    const coverage = text === null ? null : readCoverage(format, text);
    if (coverage) return { ...coverage, path: relative(workspace, file).split(sep).join('/') };
  }
  return null;
}

async function readFresh(file: string, notBefore: number): Promise<string | null> {
  try {
    const stats = await stat(file);
    // File systems keep times in steps; one that looks a moment too old is still of this run.
    if (!stats.isFile() || stats.size > bounds.coverageBytesMax || stats.mtimeMs < notBefore - 10)
      return null;
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}
