import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { readCounts } from '../../tools/counts.ts';
import { mutantPlugin } from '../../tools/mutant-plugin.ts';
import { suiteTimes } from '../../tools/suite-times.ts';

describe('the counts of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-gate-'));
  const report = join(folder, 'report.json');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('never hide a run that failed without a failing test', () => {
    expect(readCounts(report, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(readCounts(report, 0)).toEqual({ passed: 0, failed: 0, skipped: 0 });
    writeFileSync(report, '{"numPassedTests": 5, "cut sh');
    expect(readCounts(report, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('hold a test file that does not load as a failure', () => {
    const file = (status: string, ...tests: string[]) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    });
    writeFileSync(
      report,
      JSON.stringify({
        numPassedTests: 5,
        numFailedTests: 1,
        numPendingTests: 2,
        numTodoTests: 1,
        testResults: [file('passed', 'passed'), file('failed', 'failed'), file('failed')],
      }),
    );
    expect(readCounts(report, 1)).toEqual({ passed: 5, failed: 2, skipped: 3 });
  });
});

describe('what a suite took', () => {
  it('is the sum of its files over all reports, the longest first', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tireless-times-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = (name: string, seconds: number) => ({
      name: resolve(import.meta.dirname, '../..', name),
      startTime: 1_000,
      endTime: 1_000 + seconds * 1_000,
    });
    const reports = {
      'tests.json': { testResults: [file('test/store/a.test.ts', 1), file('src/core/fold/a.test.ts', 5)] },
      'rest.json': { testResults: [file('test/store/deep/b.test.ts', 2)] },
      'check.json': { passed: 1, failed: 0, skipped: 0 },
    };
    for (const [name, report] of Object.entries(reports))
      writeFileSync(join(folder, name), JSON.stringify(report));
    expect(suiteTimes(folder)).toEqual([
      { suite: 'src/core', seconds: 5, files: 1 },
      { suite: 'test/store', seconds: 3, files: 2 },
    ]);
  });
});

describe('a mutant', () => {
  const file = 'tools/mutant-plugin.ts';
  const id = resolve(import.meta.dirname, '../..', file);
  const mutant = (find: string) => mutantPlugin(JSON.stringify({ file, find, replace: 'broken' }));
  const transform = (code: string, path: string) => {
    const hook = mutant("name: 'mutant'")?.transform;
    if (typeof hook !== 'function') throw new Error('no transform');
    return hook.call({} as ThisParameterType<typeof hook>, code, path);
  };

  it('changes its own file in memory and no other', () => {
    expect(transform("{ name: 'mutant' }", `${id}?v=1`)).toEqual({ code: '{ broken }', map: null });
    expect(transform("{ name: 'mutant' }", `${id}.other.ts`)).toBeUndefined();
  });

  it('is refused when its text does not occur exactly once', () => {
    expect(() => mutant('no such text')).toThrow('occurs 0 times');
    expect(() => mutant('mutant')).toThrow('wanted once');
  });

  it('is absent unless asked for', () => {
    expect(mutantPlugin('')).toBeUndefined();
  });
});
