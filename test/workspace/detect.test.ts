import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../src/contract/check.ts';
import { detectWorkspaceChecks } from '../../src/edge/workspace/detect.ts';
import { freshFolder, open, personEnv, write } from './folders.ts';

describe('detection in a real folder', () => {
  it('finds what a mixed repository asks for, in order, and says why', async () => {
    const folder = freshFolder();
    write(folder, {
      'package.json': JSON.stringify({ workspaces: ['apps/*'], devDependencies: { cypress: '14' } }),
      'yarn.lock': '',
      'cypress.config.ts': '',
      'apps/web/package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
      'apps/web/node_modules/x/package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
      'api/pyproject.toml': '[tool.pytest.ini_options]\n',
      'api/.venv/bin/python': '',
      'Cargo.toml': '[workspace]\n',
      Makefile: 'test:\n\t./all.sh\n',
    });
    const { checks, considered } = await detectWorkspaceChecks(folder);
    expect(checks.map((check) => [check.command, check.cwd])).toEqual([
      ['yarn test', 'apps/web'],
      ['python3 -m pytest', 'api'],
      ['cargo test --workspace', '.'],
      ['make test', '.'],
      ['yarn run cypress run', '.'],
    ]);
    expect(considered.every((each) => each.because.length > 0)).toBe(true);
  });

  it('is not misled by damage, links in circles and huge manifests', async () => {
    const folder = freshFolder();
    write(folder, { 'package.json': '{', 'sub/Cargo.toml': 'x'.repeat(2_000_000) });
    mkdirSync(join(folder, 'go.mod'));
    const { checks, considered } = await detectWorkspaceChecks(folder);
    expect(checks.map((check) => check.command)).toEqual(['cargo test']);
    expect(considered[0]?.because).toContain('not valid JSON');
  });

  it('stops looking in a folder without end, and says so', async () => {
    const folder = freshFolder();
    write(folder, { 'go.mod': 'module x' });
    for (let at = 0; at < 30; at++) mkdirSync(join(folder, `d${at}`, 'inner'), { recursive: true });
    const { checks, considered } = await detectWorkspaceChecks(folder, 50);
    expect(checks.map((check) => check.command)).toEqual(['go test -v ./...']);
    expect(considered.at(-1)?.what).toBe('the rest of the workspace');
  });

  it('finds checks that then run: a real project, red and then green', async () => {
    const folder = freshFolder();
    const test = (value: number) =>
      `import test from 'node:test'; import assert from 'node:assert'; test('sum', () => assert.equal(1 + 1, ${value}));`;
    write(folder, {
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
      'sum.test.js': test(3),
    });
    const env = { ...personEnv, PATH: `${join(process.execPath, '..')}:${personEnv.PATH}` };
    const workspace = await open(folder, { env });
    const [check] = (await workspace.detect()).checks;
    if (!check) throw new Error('nothing was found');
    expect(await workspace.check(check, 30_000)).toMatchObject({
      outcome: 'failed',
      exitCode: 1,
      counts: { passed: 0, failed: 1 },
    });
    write(folder, { 'sum.test.js': test(2) });
    expect(await workspace.check(check, 30_000)).toMatchObject({
      outcome: 'passed',
      exitCode: 0,
      counts: { passed: 1, failed: 0 },
    });
  });
});

/** Small real projects, each with one test that passes and one that fails; run where their tool is installed. */
const projects: readonly {
  tool: string;
  probe: string;
  files: Record<string, string>;
  command: string;
  counts: { passed: number; failed: number; skipped: number; total: number } | undefined;
}[] = [
  {
    tool: 'vitest',
    probe: 'true',
    files: {
      'package.json': JSON.stringify({
        type: 'module',
        scripts: { test: 'vitest run' },
        devDependencies: { vitest: '5' },
      }),
      'a.test.js':
        "import { expect, it } from 'vitest'; it('a', () => {}); it('b', () => expect(1).toBe(2)); it.skip('c', () => {});",
    },
    command: 'npm test',
    counts: { passed: 1, failed: 1, skipped: 1, total: 3 },
  },
  {
    tool: 'pytest',
    probe: 'python3 -m pytest --version',
    files: { 'tests/test_a.py': 'def test_a(): pass\ndef test_b(): assert 1 == 2\n' },
    command: 'python3 -m pytest',
    counts: { passed: 1, failed: 1, skipped: 0, total: 2 },
  },
  {
    tool: 'cargo',
    probe: 'cargo --version',
    files: {
      'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': '#[test] fn a() {}\n#[test] fn b() { assert_eq!(1, 2) }\n#[test] #[ignore] fn c() {}\n',
    },
    command: 'cargo test',
    counts: { passed: 1, failed: 1, skipped: 1, total: 3 },
  },
  {
    tool: 'go',
    probe: 'go version',
    files: {
      'go.mod': 'module x\n',
      'a_test.go':
        'package x\nimport "testing"\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { t.Fail() }\n',
    },
    command: 'go test -v ./...',
    counts: { passed: 1, failed: 1, skipped: 0, total: 2 },
  },
  {
    tool: 'make',
    probe: 'make --version',
    files: { Makefile: 'test:\n\t@echo no; exit 3\n' },
    command: 'make test',
    counts: undefined,
  },
];

describe('a real project', () => {
  for (const { tool, probe, files, command, counts } of projects) {
    const isInstalled = spawnSync('sh', ['-c', probe]).status === 0;
    it.skipIf(!isInstalled)(`of ${tool} is detected, run and counted`, async () => {
      const folder = freshFolder();
      write(folder, files);
      if (tool === 'vitest')
        symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
      const workspace = await open(folder, { env: process.env });
      const { checks } = await workspace.detect();
      expect(checks.map((check) => check.command)).toEqual([command]);
      const result = await workspace.check(checks[0] as Check, 100_000);
      expect(result, result.tail.text).toMatchObject({ outcome: 'failed' });
      expect(result.counts, result.tail.text).toEqual(counts);
    });
  }
});
