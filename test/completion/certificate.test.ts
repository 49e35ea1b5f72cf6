import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/contract/index.ts';
import { alterationsOf, suitePart, testingPart } from '../../src/core/completion/altered.ts';
import { certify, type Evidence } from '../../src/core/completion/certificate.ts';

const result = (over: Partial<CheckResult> = {}): CheckResult => ({
  name: 'unit',
  command: 'npm test',
  outcome: 'passed',
  exitCode: 0,
  durationMs: 1,
  outputDigest: 'a'.repeat(64),
  tail: { text: '' },
  counts: { passed: 10, failed: 0, skipped: 1, total: 11 },
  ...over,
});
const evidence = (over: Partial<Evidence> = {}): Evidence => ({
  claim: { via: 'closing-line', text: 'done' },
  results: [result()],
  baseline: { results: [result()], tree: 'b' },
  tree: 't',
  isTreeKnown: true,
  wrote: [],
  altered: [],
  acceptedBy: null,
  ...over,
});

describe('a certificate', () => {
  it('is given when every check passes as at the baseline and nothing of the proof was touched', () => {
    expect(certify(evidence())).toMatchObject({ verdict: 'certified', because: [], fresh: true });
  });

  it('is given when tests were added', () => {
    const more = result({ counts: { passed: 12, failed: 0, skipped: 1, total: 13 } });
    expect(certify(evidence({ results: [more] })).verdict).toBe('certified');
  });

  it('is refused while a check fails, however it stood at the baseline', () => {
    const failed = result({ outcome: 'failed', exitCode: 1 });
    expect(certify(evidence({ results: [failed] })).verdict).toBe('refused');
    expect(certify(evidence({ results: [failed], baseline: { results: [failed], tree: 'b' } })).verdict).toBe(
      'refused',
    );
  });

  it('asks when another check was red before the first turn and still is', () => {
    const e2e = result({ name: 'e2e', outcome: 'failed', exitCode: 1 });
    const judged = certify(
      evidence({ results: [result(), e2e], baseline: { results: [result(), e2e], tree: 'b' } }),
    );
    expect(judged).toMatchObject({
      verdict: 'asks',
      because: ['e2e was red before the first turn and still is'],
    });
  });

  it('is refused when a check that was green is red', () => {
    const e2e = result({ name: 'e2e' });
    const judged = certify(
      evidence({
        results: [result(), { ...e2e, outcome: 'failed' }],
        baseline: { results: [result(), e2e], tree: 'b' },
      }),
    );
    expect(judged.verdict).toBe('refused');
  });

  it('is refused without any check, and asks when the files could not be read', () => {
    expect(certify(evidence({ results: [] })).verdict).toBe('refused');
    expect(certify(evidence({ isTreeKnown: false }))).toMatchObject({ verdict: 'asks', fresh: false });
  });

  it('asks when there are fewer tests, more skipped ones, or none that can be counted', () => {
    const fewer = result({ counts: { passed: 9, failed: 0, skipped: 1, total: 10 } });
    const skipped = result({ counts: { passed: 9, failed: 0, skipped: 2, total: 11 } });
    const { counts: _gone, ...uncounted } = result();
    for (const one of [fewer, skipped, uncounted])
      expect(certify(evidence({ results: [one] })).verdict).toBe('asks');
  });

  it('asks when the proof itself was altered, and takes a person’s word for that alone', () => {
    const altered = [{ path: 'package.json', part: 'scripts' as const, what: 'changed' }];
    expect(certify(evidence({ altered })).verdict).toBe('asks');
    expect(certify(evidence({ altered, acceptedBy: 'person' })).verdict).toBe('certified');
    const failed = result({ outcome: 'failed', exitCode: 1 });
    expect(certify(evidence({ altered, results: [failed], acceptedBy: 'person' })).verdict).toBe('refused');
  });

  it('holds coverage to 80 percent, or to a lower baseline, where the project measures it', () => {
    const covered = (percent: number) =>
      result({
        coverage: {
          covered: Math.round(percent * 100),
          total: 10_000,
          percent,
          unit: 'lines',
          format: 'lcov',
        },
      });
    const judge = (now: number | null, before: number | null) =>
      certify(
        evidence({
          results: [now === null ? result() : covered(now)],
          baseline: { results: [before === null ? result() : covered(before)], tree: 'b' },
        }),
      ).verdict;
    expect(judge(80, null)).toBe('certified');
    expect(judge(79.99, null)).toBe('refused');
    expect(judge(60, 60)).toBe('certified');
    expect(judge(59.99, 60)).toBe('refused');
    expect(judge(85, 95)).toBe('certified');
    expect(judge(null, 90)).toBe('refused');
    expect(judge(null, null)).toBe('certified');
  });
});

describe('an alteration', () => {
  it.each([
    ['test/cart.test.js', 'tests'],
    ['src/a.spec.ts', 'tests'],
    ['pkg/thing_test.go', 'tests'],
    ['tests/test_x.py', 'tests'],
    ['src/__snapshots__/a.snap', 'snapshots'],
    ['vitest.config.ts', 'test config'],
    ['.coveragerc', 'test config'],
    ['conftest.py', 'test config'],
    ['.github/workflows/ci.yml', 'CI'],
    ['package.json', 'scripts'],
    ['apps/web/package.json', 'scripts'],
    ['Makefile', 'scripts'],
    ['src/cart.js', null],
    ['src/contest.ts', null],
    ['docs/testing.md', null],
  ])('of %s belongs to %s', (path, part) => {
    expect(suitePart(path)).toBe(part);
  });

  it('is none when only tests were added or a manifest changed elsewhere than in how tests run', () => {
    const manifest = (text: string) => testingPart('package.json', text);
    const before = '{"version":"1.0.0","scripts":{"test":"vitest"}}';
    expect(alterationsOf([{ path: 'test/new.test.ts', status: 'added' }])).toEqual([]);
    const harmless = '{"version":"1.0.1","scripts":{"test":"vitest"}}';
    expect(
      alterationsOf([
        { path: 'package.json', status: 'changed', before: manifest(before), after: manifest(harmless) },
      ]),
    ).toEqual([]);
    const faked = '{"version":"1.0.0","scripts":{"test":"exit 0"}}';
    expect(
      alterationsOf([
        { path: 'package.json', status: 'changed', before: manifest(before), after: manifest(faked) },
      ]),
    ).toHaveLength(1);
    expect(manifest('{ not json')).toBe('{ not json');
  });

  it('is every change or removal of a test and every new configuration', () => {
    const changes = [
      { path: 'test/a.test.ts', status: 'removed' as const },
      { path: 'test/b.test.ts', status: 'changed' as const },
      { path: 'jest.config.js', status: 'added' as const },
      { path: '.github/workflows/x.yml', status: 'added' as const },
    ];
    expect(alterationsOf(changes).map((a) => a.part)).toEqual(['tests', 'tests', 'test config', 'CI']);
  });

  it('reads only the sections of a pyproject that say how tests run', () => {
    const text = (version: string, options: string) =>
      `[project]\nversion = "${version}"\n[tool.pytest.ini_options]\naddopts = "${options}"\n`;
    expect(testingPart('pyproject.toml', text('1', '-q'))).toBe(
      testingPart('pyproject.toml', text('2', '-q')),
    );
    expect(testingPart('pyproject.toml', text('1', '-q'))).not.toBe(
      testingPart('pyproject.toml', text('1', '--ignore=tests')),
    );
  });
});
