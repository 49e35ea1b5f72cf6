import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCoveredLike, isCoveredTo, readCoverage } from './coverage.ts';

const summary = (covered: number, total: number, pct: unknown = 80) =>
  JSON.stringify({
    total: { lines: { total, covered, skipped: 0, pct } },
    '/a.ts': { lines: { total: 1, covered: 1 } },
  });

describe('line coverage', () => {
  it('comes from the counts of coverage-summary.json, not from its rounded percentage', () => {
    expect(readCoverage('coverage-summary', summary(7_999, 10_000, 80))).toEqual({
      covered: 7_999,
      total: 10_000,
      percent: 79.99,
      unit: 'lines',
      format: 'coverage-summary',
    });
  });

  it('is never rounded up: 79.99 is not 80, and 79.999 reads 79.99', () => {
    const almost = readCoverage('coverage-summary', summary(79_999, 100_000));
    expect(almost?.percent).toBe(79.99);
    expect(isCoveredTo({ covered: 79_999, total: 100_000 }, 80)).toBe(false);
    expect(isCoveredTo({ covered: 80_000, total: 100_000 }, 80)).toBe(true);
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000_000 }), (a, total) => {
        const covered = Math.min(a, total);
        const percent = readCoverage('coverage-summary', summary(covered, total))?.percent ?? -1;
        expect(percent * total).toBeLessThanOrEqual(covered * 100 + 1e-6 * total);
        if (percent >= 80) expect(isCoveredTo({ covered, total }, 80)).toBe(true);
      }),
    );
  });

  it('compares two reports by share, without rounding', () => {
    expect(isCoveredLike({ covered: 2, total: 3 }, { covered: 66_666, total: 100_000 })).toBe(true);
    expect(isCoveredLike({ covered: 66_666, total: 100_000 }, { covered: 2, total: 3 })).toBe(false);
  });

  it('comes from the lines of lcov, each counted once', () => {
    const text = [
      'TN:',
      'SF:a.ts',
      'DA:1,1',
      'DA:2,0',
      'DA:3,0',
      'LF:3',
      'LH:1',
      'end_of_record',
      'SF:a.ts',
      'DA:2,4,checksum',
      'DA:3,0',
      'end_of_record',
      'SF:b.ts',
      'LF:7',
      'LH:5',
      'end_of_record',
    ].join('\n');
    expect(readCoverage('lcov', text)).toMatchObject({ covered: 7, total: 10, percent: 70 });
  });

  it('comes from the counts of cobertura, else from its lines', () => {
    const root =
      '<?xml version="1.0"?><coverage line-rate="0.8" lines-covered="7999" lines-valid="10000" version="1">';
    expect(readCoverage('cobertura', `${root}</coverage>`)?.percent).toBe(79.99);
    const lines = `<coverage line-rate="0.67"><packages><package><classes>
      <class name="A" filename="a.py" line-rate="1">
        <methods><method name="m"><lines><line number="1" hits="1"/></lines></method></methods>
        <lines><line number="1" hits="1"/><line hits="0" number="2"/></lines></class>
      <class name="B" filename='b.py'><lines><line number="1" hits="3"/></lines></class>
      </classes></package></packages></coverage>`;
    expect(readCoverage('cobertura', lines)).toMatchObject({ covered: 2, total: 3, percent: 66.66 });
  });

  it('comes from the statements of a Go profile, a block of several binaries counted once', () => {
    const text = [
      'mode: set',
      'example.com/a/a.go:3.13,5.2 2 1',
      'example.com/a/a.go:7.13,9.2 1 0',
      'example.com/a/a.go:7.13,9.2 1 1',
      'example.com/b/b.go:3.13,5.2 3 0',
      '',
    ].join('\n');
    expect(readCoverage('go-cover', text)).toMatchObject({
      covered: 3,
      total: 6,
      percent: 50,
      unit: 'statements',
    });
  });

  it.each([
    ['coverage-summary', '{'],
    ['coverage-summary', '{"total":{"lines":{"total":0,"covered":0,"pct":"Unknown"}}}'],
    ['coverage-summary', '{"total":{"lines":{"total":10,"covered":11}}}'],
    ['coverage-summary', 'null'],
    ['lcov', 'no report'],
    ['cobertura', '<html></html>'],
    ['cobertura', '<coverage lines-covered="x" lines-valid="10">'],
    ['go-cover', 'mode: nonsense'],
    ['go-cover', 'mode: set\n'],
  ] as const)('is absent from a %s report that says nothing: %s', (format, text) => {
    expect(readCoverage(format, text)).toBeNull();
  });
});
