import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf, parseCounts } from './counts.ts';

const counts = (passed: number, failed: number, skipped = 0, total = passed + failed + skipped) => ({
  passed,
  failed,
  skipped,
  total,
});

/** What each runner prints at its end, recorded from the runner or written after its source. */
const recorded: readonly [string, string, ReturnType<typeof counts>][] = [
  [
    'vitest',
    ' Test Files  2 failed (2)\n      Tests  1 failed | 1 passed | 1 expected fail | 1 skipped | 1 todo (5)\n   Start at  09:39:01\n',
    counts(1, 1, 3),
  ],
  [
    'vitest in colour',
    '\u001b[2m Test Files \u001b[22m \u001b[1m\u001b[32m1 passed\u001b[39m\u001b[22m\u001b[90m (1)\u001b[39m\n\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m1 passed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[33m4 skipped\u001b[39m\u001b[90m (5)\u001b[39m\n',
    counts(1, 0, 4),
  ],
  [
    'vitest with a file that does not load',
    ' Test Files  1 failed | 1 passed (2)\n      Tests  4 passed (4)\n',
    counts(4, 1, 0),
  ],
  [
    'vitest with an unhandled error',
    ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  1 error\n',
    counts(1, 1),
  ],
  [
    'jest',
    'Test Suites: 1 failed, 1 passed, 2 total\nTests:       3 failed, 2 skipped, 1 todo, 158 passed, 164 total\nSnapshots:   0 total\nTime:        1.2 s\n',
    counts(158, 3, 3),
  ],
  [
    'jest with a suite that does not load',
    'Test Suites: 1 failed, 1 passed, 2 total\nTests:       5 passed, 5 total\n',
    counts(5, 1),
  ],
  ['mocha', '\n  158 passing (3s)\n  2 pending\n  3 failing\n\n  1) a\n', counts(158, 3, 2)],
  [
    'node:test',
    'ℹ tests 4\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 1\nℹ duration_ms 68.1\n',
    counts(1, 1, 2),
  ],
  [
    'node:test as TAP',
    'TAP version 13\n# Subtest: a\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP\nok 4 - d # TODO\n1..4\n# tests 4\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 1\n',
    counts(1, 1, 2),
  ],
  [
    'TAP',
    'TAP version 13\n1..4\nok 1 - a\nnot ok 2 - b\nok 3 # SKIP no\n    ok 1 - inner\nok 4\n',
    counts(2, 1, 1),
  ],
  ['TAP that ends before its plan', '1..5\nok 1\nok 2\n', counts(2, 3)],
  [
    'playwright',
    'Running 5 tests using 2 workers\n  1 failed\n    [chromium] › a.spec.ts:3:1 › a ─────\n  1 flaky\n    [chromium] › b.spec.ts:3:1 › b\n  1 skipped\n  1 did not run\n  2 passed (3.2s)\n',
    counts(3, 1, 2),
  ],
  [
    'playwright with an error outside of tests',
    '  2 passed (3.2s)\n  1 error was not a part of any test, see above for details\n',
    counts(2, 1),
  ],
  [
    'cypress',
    '  2 passing (2s)\n  1 failing\n\n  (Results)\n\n  ┌────────────────────┐\n  │ Tests:        4    │\n  │ Passing:      2    │\n  │ Failing:      1    │\n  │ Pending:      1    │\n  │ Skipped:      0    │\n  │ Screenshots:  0    │\n  │ Duration:     2 seconds │\n',
    counts(2, 1, 1),
  ],
  [
    'pytest',
    '========== 2 failed, 2 passed, 2 skipped, 2 xfailed, 1 error in 0.61s ==========\n',
    counts(2, 3, 4),
  ],
  ['pytest -q', '2 failed, 158 passed, 3 warnings in 61.54s (0:01:01)\n', counts(158, 2)],
  [
    'unittest',
    '----------------------------------------------------------------------\nRan 4 tests in 0.001s\n\nFAILED (failures=1, skipped=1, expected failures=1)\n',
    counts(1, 1, 2),
  ],
  ['unittest, all well', 'Ran 1 test in 0.001s\n\nOK\n', counts(1, 0)],
  [
    'cargo test',
    'running 3 tests\ntest a ... ok\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.12s\n\n   Doc-tests c\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.00s\n',
    counts(3, 1, 1),
  ],
  [
    'cargo nextest',
    '     Summary [   0.512s] 10 tests run: 9 passed (1 slow), 1 failed, 2 skipped\n',
    counts(9, 1, 2),
  ],
  [
    'go test -v',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    b_test.go:9: --- FAIL: not this one\n    --- FAIL: TestB/x (0.00s)\n--- FAIL: TestB (0.01s)\n--- SKIP: TestC (0.00s)\nFAIL\nFAIL\texample.com/b\t0.012s\nok  \texample.com/a\t0.010s\n',
    counts(1, 2, 1),
  ],
  [
    'go test, by package',
    'ok  \texample.com/a\t0.010s\n?   \texample.com/c\t[no test files]\nok  \texample.com/b\t(cached)\n',
    counts(2, 0),
  ],
  [
    'go test with a package that does not build',
    'ok  \texample.com/a\t0.010s\nFAIL\texample.com/b [build failed]\nFAIL\n',
    counts(1, 1),
  ],
  [
    'go test -json',
    [
      '{"Time":"2026-01-01T00:00:00Z","Action":"run","Package":"p","Test":"TestA"}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"output","Package":"p","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\\n"}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"p","Test":"TestA","Elapsed":0}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"pass","Package":"p","Test":"TestB","Elapsed":0}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"skip","Package":"p","Test":"TestC","Elapsed":0}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"p","Elapsed":0.1}',
    ].join('\n'),
    counts(1, 1, 1),
  ],
  [
    'dotnet test',
    'Failed!  - Failed:     1, Passed:     4, Skipped:     2, Total:     7, Duration: 10 ms - x.dll (net8.0)\n',
    counts(4, 1, 2),
  ],
  [
    'dotnet test, new logger',
    'Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s\n',
    counts(4, 1),
  ],
  ['rspec', 'Finished in 0.1 seconds\n5 examples, 1 failure, 2 pending\n', counts(2, 1, 2)],
  [
    'rspec with an error outside',
    '5 examples, 0 failures, 1 error occurred outside of examples\n',
    counts(4, 1),
  ],
  ['minitest', '5 runs, 10 assertions, 1 failures, 1 errors, 1 skips\n', counts(2, 2, 1)],
  ['exunit', '2 doctests, 5 tests, 1 failure, 1 skipped\n', counts(5, 1, 1)],
  ['phpunit', 'OK (5 tests, 10 assertions)\n', counts(5, 0)],
  [
    'phpunit with failures',
    'FAILURES!\nTests: 5, Assertions: 10, Failures: 1, Errors: 1, Skipped: 1.\n',
    counts(2, 2, 1),
  ],
  ['pest', '  Tests:    1 failed, 4 passed (10 assertions)\n', counts(4, 1)],
  [
    'maven',
    '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A\n[INFO] Results:\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n',
    counts(2, 2, 1),
  ],
  ['gradle', '5 tests completed, 1 failed, 1 skipped\n', counts(3, 1, 1)],
  [
    'bun',
    ' 5 pass\n 1 skip\n 1 fail\n 10 expect() calls\nRan 7 tests across 1 file. [10.00ms]\n',
    counts(5, 1, 1),
  ],
  ['deno', 'FAILED | 4 passed | 1 failed | 2 ignored (10ms)\n', counts(4, 1, 2)],
  ['ava', '  ─\n\n  4 tests passed\n  1 test failed\n', counts(4, 1)],
  ['ctest', '50% tests passed, 1 tests failed out of 2\n', counts(1, 1)],
  [
    'googletest',
    '[  PASSED  ] 4 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.b\n',
    counts(4, 1),
  ],
  [
    'xctest, which repeats its sum for each level',
    '\t Executed 3 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds\n\t Executed 5 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.1 (0.2) seconds\n',
    counts(2, 2, 1),
  ],
  ['a script in plain words', '158 passed 3 failed\n', counts(158, 3)],
  ['a script in other words', 'Passed: 158, Failed: 3\n', counts(158, 3)],
  ['a script that names only what failed', '3 failed\n', counts(0, 3)],
];

describe('the test counts of an output', () => {
  it.each(recorded)('are read from %s', (_runner, output, expected) => {
    expect(parseCounts(output)).toEqual(expected);
  });

  it.each(recorded)(
    'stay the same with carriage returns and noise around them: %s',
    (_runner, output, expected) => {
      const noise = '[10:00:00] GET /health 200 in 3 ms\nretried 2 times\n';
      expect(parseCounts(noise + output.replaceAll('\n', '\r\n') + noise)).toEqual(expected);
    },
  );

  it('are summed over the packages of one run', () => {
    const output = [
      'packages/a test:       Tests  5 passed (5)',
      'packages/b test:       Tests  2 failed | 1 passed (3)',
      'web:test: Tests:       1 skipped, 4 passed, 5 total',
      '[@x/y]:   2 passing (3s)',
    ].join('\n');
    expect(parseCounts(output)).toEqual(counts(12, 2, 1));
  });

  it.each([
    'import done: 3 failed rows were skipped',
    'console.log: Tests: 3 failed',
    'the job had 3 failed attempts, 4 passed',
    'error: 3 failed at line 7',
    'ok 1 thing',
    'make: *** [Makefile:2: test] Error 1',
    'Build succeeded in 3s',
    ' 5 pass',
    'Tests  no tests',
    '',
  ])('are not read from `%s`', (line) => {
    expect(parseCounts(`${line}\n`)).toBeNull();
  });

  it('take the runner at its word where a log line talks like a runner', () => {
    expect(parseCounts('3 failed\n Test Files  1 passed (1)\n      Tests  5 passed (5)\n')).toEqual(
      counts(5, 0),
    );
  });

  it('are never negative, never more than the total, for any text', () => {
    const words = fc.constantFrom(
      'passed',
      'failed',
      'tests',
      'Ran',
      'ok',
      'in',
      '1s',
      '|',
      ',',
      '(',
      ')',
      'total',
      '1..',
      '\n',
      '# tests',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.nat(999).map(String)), { maxLength: 60 }), (parts) => {
        const found = parseCounts(parts.join(' '));
        if (!found) return;
        expect(Math.min(found.passed, found.failed, found.skipped)).toBeGreaterThanOrEqual(0);
        expect(found.passed + found.failed + found.skipped).toBeLessThanOrEqual(found.total);
      }),
    );
  });

  it('take little time on a line made to be slow', () => {
    const slow = `${'1 failed '.repeat(200)}x`;
    const started = performance.now();
    for (let i = 0; i < 50; i++) parseCounts(slow);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('the outcome of a check', () => {
  const ended = (
    exitCode: number | null,
    signal: string | null = null,
    timedOutMs: number | null = null,
  ) => ({ exitCode, signal, timedOutMs });

  it('is a failure when tests failed and the exit code is 0', () => {
    expect(outcomeOf(ended(0), parseCounts('158 passed 3 failed'))).toEqual({
      outcome: 'failed',
      because: 'exit code 0, but the output counts 3 failed',
    });
  });

  it('is a pass only with exit code 0', () => {
    expect(outcomeOf(ended(0), counts(5, 0))).toEqual({ outcome: 'passed' });
    expect(outcomeOf(ended(0), null)).toEqual({ outcome: 'passed' });
    expect(outcomeOf(ended(1), counts(5, 0))).toEqual({ outcome: 'failed' });
    expect(outcomeOf(ended(127), null).because).toContain('not found');
    expect(outcomeOf(ended(null, 'SIGSEGV'), null)).toEqual({
      outcome: 'failed',
      because: 'ended by SIGSEGV',
    });
    expect(outcomeOf(ended(null, 'SIGKILL', 500), null).outcome).toBe('timed-out');
  });
});
