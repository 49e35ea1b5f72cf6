import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 };
const countsSchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });
const vitestSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/**
 * Reads a vitest JSON report, or counts as `npm run check` writes them. A run that exited badly always has a failure,
 * also when the report is missing or names none (a test file that does not load, an error outside any test).
 */
export function readCounts(file: string, exitCode: number): Counts {
  const counts = parse(file);
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** Null: it is missing, or cut short by the end of whoever wrote it. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function parse(file: string): Counts {
  const report = z.union([vitestSchema, countsSchema]).parse(readJson(file) ?? none);
  if (!('numPassedTests' in report)) return report;
  const unloaded = report.testResults.filter(
    (f) => f.status === 'failed' && !f.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    none,
  );
}

export function verdictLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
