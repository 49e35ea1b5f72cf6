import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../src/contract/check.ts';
import { freshFolder, open, write } from '../workspace/folders.ts';

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
