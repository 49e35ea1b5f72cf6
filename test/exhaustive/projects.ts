import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { envWith } from '../finish/finish-kit.ts';
import { freshFolder } from '../workspace/folders.ts';

/** One small project: what lies in it, and how it is broken and mended. */
export interface Project {
  readonly files: Readonly<Record<string, string>>;
  /** The file that carries the bug, with it and without. */
  readonly source: readonly [path: string, broken: string, mended: string];
  /** The checks that must be found, in order: folder and command. */
  readonly checks: readonly string[];
  /** What the certificate says of them. */
  readonly counts: readonly (string | null)[];
  readonly env: Readonly<Record<string, string>>;
}

/** Where toolchains of this machine keep their things, since the tests have a home of their own. */
const toolchains = {
  RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
  CARGO_HOME: process.env.CARGO_HOME ?? join(homedir(), '.cargo'),
  PYENV_ROOT: process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'),
};
const env = { ...envWith(), ...toolchains };
const ourModules = resolve(import.meta.dirname, '../../node_modules');

/** Is this tool here, so that it can be used for real? */
function isHere(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { env, stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false; // not installed, or not usable: its recorded output stands in
  }
}

const two = '2 passed, 0 failed, 0 skipped';
const source = [
  'src/shop.js',
  'export const total = (a) => a; // BUG\n',
  'export const total = (a, b) => a + b;\n',
] as const;
const nodeTest = (folder = '..'): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '${folder}/src/shop.js';
test('adds', () => assert.equal(total(1, 2), 3));
test('adds nothing', () => assert.equal(total(1, 0), 1));
`;
const manifest = (over: Record<string, unknown>): string =>
  `${JSON.stringify({ name: 'shop', version: '1.0.0', type: 'module', private: true, ...over }, null, 2)}\n`;

/**
 * A program that prints what the real one printed when it was recorded, and ends as it did: the bad recording while
 * a source still carries the bug. For tools that are not on this machine.
 */
const recording = (good: string, bad: string): string =>
  `#!/bin/sh\nif grep -rq BUG src shop.go 2>/dev/null; then cat <<'END'\n${bad}\nEND\nexit 1; fi\ncat <<'END'\n${good}\nEND\n`;

/** Programs of these names, first on the path. */
function programs(all: Readonly<Record<string, string>>): string {
  const folder = freshFolder('bin');
  for (const [name, text] of Object.entries(all)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** Installs into the project what npm would: programs of its own, or links to what we have. */
export function install(folder: string, modules: Readonly<Record<string, string>> | 'ours'): void {
  if (modules === 'ours') {
    symlinkSync(ourModules, join(folder, 'node_modules'));
    return;
  }
  for (const [name, text] of Object.entries(modules)) {
    const file = join(folder, 'node_modules', '.bin', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
}

const node = { 'src/shop.js': source[1], '.gitignore': 'node_modules\n' };

export const recordedBins = {
  jest: recording(
    'PASS test/shop.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\nSnapshots:   0 total\nTime:        0.41 s',
    'FAIL test/shop.test.js\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 passed, 2 total\nSnapshots:   0 total\nTime:        0.44 s',
  ),
  playwright: recording(
    'Running 2 tests using 1 worker\n\n  2 passed (1.2s)',
    'Running 2 tests using 1 worker\n\n  1 failed\n    [chromium] › e2e/home.spec.ts:3:1 › shows the total\n  1 passed (3.4s)',
  ),
  cypress: recording(
    '  2 passing (1s)\n\n  (Results)\n\n  │ Tests:        2    │\n  │ Passing:      2    │\n  │ Failing:      0    │\n  │ Pending:      0    │\n  │ Skipped:      0    │',
    '  1 passing (1s)\n  1 failing\n\n  (Results)\n\n  │ Tests:        2    │\n  │ Passing:      1    │\n  │ Failing:      1    │\n  │ Pending:      0    │\n  │ Skipped:      0    │',
  ),
};
const goProgram = recording(
  '=== RUN   TestTotal\n--- PASS: TestTotal (0.00s)\n=== RUN   TestNothing\n--- PASS: TestNothing (0.00s)\nPASS\nok  \texample.com/shop\t0.002s',
  '=== RUN   TestTotal\n    shop_test.go:6: got 1\n--- FAIL: TestTotal (0.00s)\n=== RUN   TestNothing\n--- PASS: TestNothing (0.00s)\nFAIL\nFAIL\texample.com/shop\t0.002s\nFAIL',
);
const pytestProgram = `#!/bin/sh
if grep -q BUG shop.py; then echo '=== 1 failed, 1 passed in 0.02s ==='; exit 1; fi
echo '=== 2 passed in 0.01s ==='
`;
const cargoProgram = recording(
  'running 2 tests\n..\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  'running 2 tests\n.F\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
);

/** With the real program where it is here, else with its recording. */
const envFor = (name: string, isReal: boolean, program: string): Record<string, string> =>
  isReal ? env : { ...toolchains, ...envWith(programs({ [name]: program })) };

const vitestTest = `import { expect, test } from 'vitest';
import { total } from '../src/shop.js';
test('adds', () => expect(total(1, 2)).toBe(3));
test('adds nothing', () => expect(total(1, 0)).toBe(1));
`;

export const projects: Readonly<Record<string, Project>> = {
  'npm with vitest': {
    files: {
      ...node,
      'package.json': manifest({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '*' } }),
      'test/shop.test.js': vitestTest,
    },
    source,
    checks: ['. npm test'],
    counts: [two],
    env,
  },
  jest: {
    files: {
      ...node,
      'package.json': manifest({ scripts: { test: 'jest' }, devDependencies: { jest: '*' } }),
    },
    source,
    checks: ['. npm test'],
    counts: [two],
    env,
  },
  playwright: {
    files: {
      ...node,
      'package.json': manifest({
        scripts: { test: 'node --test' },
        devDependencies: { '@playwright/test': '*' },
      }),
      'playwright.config.ts': 'export default {};\n',
      'test/shop.test.js': nodeTest(),
    },
    source,
    checks: ['. npm test', '. npx --no-install playwright test'],
    counts: [two, two],
    env,
  },
  'a cypress config': {
    files: { ...node, 'package.json': manifest({}), 'cypress.config.js': 'export default {};\n' },
    source,
    checks: ['. npx --no-install cypress run'],
    counts: [two],
    env,
  },
  'a pnpm monorepo': {
    files: {
      '.gitignore': 'node_modules\n',
      'package.json': manifest({ name: 'all' }),
      'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n",
      'packages/a/package.json': manifest({ name: 'a', scripts: { test: 'node --test' } }),
      'packages/a/src/shop.js': source[1],
      'packages/a/test/shop.test.js': nodeTest(),
      'packages/b/package.json': manifest({ name: 'b', scripts: { test: 'node --test' } }),
      'packages/b/src/shop.js': source[2],
      'packages/b/test/shop.test.js': nodeTest(),
    },
    source: ['packages/a/src/shop.js', source[1], source[2]],
    checks: ['packages/a pnpm test', 'packages/b pnpm test'],
    counts: [two, two],
    // pnpm runs the script of the package it stands in; so does this.
    env: envWith(programs({ pnpm: '#!/bin/sh\nexec node --test\n' })),
  },
  pytest: {
    files: {
      '.gitignore': '__pycache__\n.pytest_cache\n',
      'pyproject.toml': '[project]\nname = "shop"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
      'shop.py': 'def total(a, b):\n    return a  # BUG\n',
      'test_shop.py':
        'from shop import total\n\ndef test_adds():\n    assert total(1, 2) == 3\n\ndef test_nothing():\n    assert total(1, 0) == 1\n',
    },
    source: ['shop.py', 'def total(a, b):\n    return a  # BUG\n', 'def total(a, b):\n    return a + b\n'],
    checks: ['. python3 -m pytest'],
    counts: [two],
    env: envFor('python3', isHere('python3', '-m', 'pytest', '--version'), pytestProgram),
  },
  cargo: {
    files: {
      '.gitignore': 'target\nCargo.lock\n',
      'Cargo.toml': '[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn total(a: u32, _b: u32) -> u32 { a } // BUG\n',
      'tests/shop.rs':
        '#[test]\nfn adds() { assert_eq!(shop::total(1, 2), 3); }\n#[test]\nfn nothing() { assert_eq!(shop::total(1, 0), 1); }\n',
    },
    source: [
      'src/lib.rs',
      'pub fn total(a: u32, _b: u32) -> u32 { a } // BUG\n',
      'pub fn total(a: u32, b: u32) -> u32 { a + b }\n',
    ],
    checks: ['. cargo test'],
    counts: [two],
    env: envFor('cargo', isHere('cargo', '--version'), cargoProgram),
  },
  go: {
    files: {
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'shop.go': 'package shop\n\nfunc Total(a, b int) int { return a } // BUG\n',
      'shop_test.go':
        'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(1, 2) != 3 {\n\t\tt.Fatal("got", Total(1, 2))\n\t}\n}\n\nfunc TestNothing(t *testing.T) {\n\tif Total(1, 0) != 1 {\n\t\tt.Fatal()\n\t}\n}\n',
    },
    source: [
      'shop.go',
      'package shop\n\nfunc Total(a, b int) int { return a } // BUG\n',
      'package shop\n\nfunc Total(a, b int) int { return a + b }\n',
    ],
    checks: ['. go test -v ./...'],
    counts: [two],
    env: envFor('go', isHere('go', 'version'), goProgram),
  },
  make: {
    files: { ...node, Makefile: '.PHONY: test\ntest:\n\t@node --test\n', 'test/shop.test.mjs': nodeTest() },
    source,
    checks: ['. make test'],
    counts: [two],
    env: envFor('make', isHere('make', '--version'), '#!/bin/sh\nexec node --test\n'),
  },
};
