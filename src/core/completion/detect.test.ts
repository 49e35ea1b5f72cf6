import { describe, expect, it } from 'vitest';
import { detectChecks } from './detect.ts';

/** A workspace as a table of files; an object is written as JSON. */
function detect(files: Record<string, string | object>) {
  const texts = Object.entries(files).map(([path, text]): [string, string] => [
    path,
    typeof text === 'string' ? text : JSON.stringify(text),
  ]);
  return detectChecks({ files: new Set(Object.keys(files)), texts: new Map(texts) });
}

/** `command` or `command @ folder`, in order. */
function commands(files: Record<string, string | object>): string[] {
  return detect(files).checks.map((check) =>
    check.cwd === '.' ? check.command : `${check.command} @ ${check.cwd}`,
  );
}

const placeholder = 'echo "Error: no test specified" && exit 1';

describe('the checks of a Node package', () => {
  it.each([
    [{ 'package-lock.json': '{}' }, 'npm test'],
    [{ 'pnpm-lock.yaml': '' }, 'pnpm test'],
    [{ 'yarn.lock': '' }, 'yarn test'],
    [{ 'bun.lock': '' }, 'bun run test'],
    [{ 'bun.lockb': '' }, 'bun run test'],
    [{}, 'npm test'],
  ])('run the test script through the package manager of the lock file %j', (lock, command) => {
    expect(commands({ 'package.json': { scripts: { test: 'vitest run' } }, ...lock })).toEqual([command]);
  });

  it('follow the declared package manager before any lock file', () => {
    const manifest = { packageManager: 'pnpm@11.0.0', scripts: { test: 'jest' } };
    expect(commands({ 'package.json': manifest, 'package-lock.json': '{}' })).toEqual(['pnpm test']);
  });

  it.each([placeholder, 'exit 0', 'true', 'echo ok', 'echo a; exit 0'])(
    'are not the script `%s`, which tests nothing',
    (test) => {
      const { checks, considered } = detect({ 'package.json': { scripts: { test } } });
      expect(checks).toEqual([]);
      expect(considered).toEqual([
        expect.objectContaining({ taken: false, because: `\`${test}\` runs no test` }),
      ]);
    },
  );

  it('run vitest or jest itself when the package depends on it and has no script', () => {
    expect(commands({ 'package.json': { devDependencies: { vitest: '5' } } })).toEqual([
      'npx --no-install vitest run',
    ]);
    expect(
      commands({
        'package.json': { devDependencies: { jest: '30' }, scripts: { test: placeholder } },
        'pnpm-lock.yaml': '',
      }),
    ).toEqual(['pnpm exec jest']);
  });

  it('never watch: a sibling script that ends, else the runner itself, else nothing', () => {
    expect(
      commands({ 'package.json': { scripts: { test: 'vitest --watch', 'test:ci': 'vitest run' } } }),
    ).toEqual(['npm run test:ci']);
    expect(
      commands({ 'package.json': { scripts: { test: 'jest --watchAll' }, devDependencies: { jest: '30' } } }),
    ).toEqual(['npx --no-install jest']);
    expect(commands({ 'package.json': { scripts: { test: 'own-runner --watch' } } })).toEqual([]);
    expect(commands({ 'package.json': { scripts: { test: 'ng test --watch=false' } } })).toEqual([
      'npm test',
    ]);
  });

  it('say which place is broken when package.json is not JSON', () => {
    const { checks, considered } = detect({ 'package.json': '{ "scripts": ' });
    expect(checks).toEqual([]);
    expect(considered[0]?.what).toBe('package.json');
    expect(considered[0]?.because).toMatch(/not valid JSON .* mend it/);
  });
});

describe('end-to-end checks', () => {
  const unit = { test: 'vitest run' };

  it('come after the unit tests', () => {
    const manifest = {
      scripts: { ...unit, e2e: 'playwright test' },
      devDependencies: { '@playwright/test': '1' },
    };
    expect(commands({ 'package.json': manifest, 'pyproject.toml': '[tool.pytest.ini_options]' })).toEqual([
      'npm test',
      'python3 -m pytest',
      'npm run e2e',
    ]);
  });

  it('run Playwright and Cypress themselves where only their configuration is there', () => {
    const manifest = { scripts: unit, devDependencies: { '@playwright/test': '1', cypress: '14' } };
    expect(
      commands({ 'package.json': manifest, 'playwright.config.ts': '', 'cypress.config.js': '' }),
    ).toEqual(['npm test', 'npx --no-install playwright test', 'npx --no-install cypress run']);
  });

  it('are found by the dependency alone when nothing else tests the package', () => {
    expect(commands({ 'package.json': { devDependencies: { '@playwright/test': '1' } } })).toEqual([
      'npx --no-install playwright test',
    ]);
    const { considered } = detect({
      'package.json': { scripts: unit, devDependencies: { '@playwright/test': '1' } },
    });
    expect(considered.at(-1)).toMatchObject({ taken: false, what: 'playwright' });
  });

  it('are not run a second time when the test script runs them', () => {
    const scripts = { test: 'npm run unit && npm run e2e', unit: 'vitest run', e2e: 'playwright test' };
    const { checks, considered } = detect({
      'package.json': { scripts, devDependencies: { '@playwright/test': '1' } },
    });
    expect(checks.map((check) => check.command)).toEqual(['npm test']);
    expect(considered.at(-1)?.because).toContain('runs it already');
  });

  it('stand last even when they are the test script', () => {
    const manifest = { scripts: { test: 'playwright test' }, devDependencies: { '@playwright/test': '1' } };
    expect(commands({ 'package.json': manifest, 'go.mod': 'module x' })).toEqual([
      'go test -v ./...',
      'npm test',
    ]);
  });

  it('never open a window that waits for a person', () => {
    const scripts = { ...unit, 'cy:open': 'cypress open', e2e: 'playwright test --ui' };
    const manifest = { scripts, devDependencies: { cypress: '14', '@playwright/test': '1' } };
    expect(commands({ 'package.json': manifest, 'playwright.config.ts': '' })).toEqual([
      'npm test',
      'npx --no-install playwright test',
    ]);
  });

  it('find the script behind a server starter', () => {
    const scripts = { ...unit, 'cy:run': 'cypress run', 'test:e2e': 'start-server-and-test dev 3000 cy:run' };
    expect(commands({ 'package.json': { scripts, devDependencies: { cypress: '14' } } })).toEqual([
      'npm test',
      'npm run test:e2e',
    ]);
  });
});

describe('the checks of a monorepo', () => {
  const packages = {
    'packages/a/package.json': { scripts: { test: 'vitest run' } },
    'packages/b/package.json': { scripts: { test: placeholder } },
    'packages/c/package.json': { scripts: { test: 'jest' } },
    'other/d/package.json': { scripts: { test: 'jest' } },
  };

  it('are the script of the whole where there is one', () => {
    const root = { workspaces: ['packages/*'], scripts: { test: 'turbo test' } };
    const { checks, considered } = detect({ 'package.json': root, ...packages });
    expect(checks.map((check) => check.command)).toEqual(['npm test']);
    expect(considered.at(-1)).toMatchObject({ taken: false, what: 'the test scripts of 3 packages' });
  });

  it.each([
    ['npm', { 'package.json': { workspaces: ['packages/*', '!packages/c'] } }, ['npm test @ packages/a']],
    [
      'yarn',
      { 'package.json': { workspaces: { packages: ['./packages/*/'] } }, 'yarn.lock': '' },
      ['yarn test @ packages/a', 'yarn test @ packages/c'],
    ],
    [
      'pnpm',
      {
        'package.json': { private: true },
        'pnpm-workspace.yaml':
          '# all\npackages:\n  - \'packages/**\' # ours\n  - "!packages/a"\n\ncatalog:\n  - other/*\n',
      },
      ['pnpm test @ packages/c'],
    ],
  ])('are each package by itself where the whole of %s has none', (_manager, root, expected) => {
    expect(commands({ ...root, ...packages })).toEqual(expected);
  });

  it('keep the end-to-end tests of a package beside the script of the whole', () => {
    const root = { workspaces: ['apps/*'], scripts: { test: 'turbo test' } };
    const web = {
      scripts: { test: 'vitest', e2e: 'playwright test' },
      devDependencies: { '@playwright/test': '1' },
    };
    expect(commands({ 'package.json': root, 'apps/web/package.json': web })).toEqual([
      'npm test',
      'npm run e2e @ apps/web',
    ]);
  });

  it('are found near below a folder without any manifest, not in fixtures or installed packages', () => {
    expect(
      commands({
        'README.md': '',
        'frontend/package.json': { scripts: { test: 'vitest run' } },
        'backend/pyproject.toml': '[tool.pytest.ini_options]',
        'svc/api/go.mod': 'module x',
        'a/b/c/Cargo.toml': '',
        'test/fixtures/package.json': { scripts: { test: 'vitest run' } },
        'frontend/node_modules/x/package.json': { scripts: { test: 'vitest run' } },
      }),
    ).toEqual(['npm test @ frontend', 'python3 -m pytest @ backend', 'go test -v ./... @ svc/api']);
  });
});

describe('the checks of other languages', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['pytest.ini', { 'pytest.ini': '' }, ['python3 -m pytest']],
    ['pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['python3 -m pytest']],
    ['setup.cfg', { 'setup.cfg': '[metadata]\n[tool:pytest]\n' }, ['python3 -m pytest']],
    ['tox.ini', { 'tox.ini': '[pytest]\n' }, ['python3 -m pytest']],
    ['a tests folder', { 'tests/test_a.py': '' }, ['python3 -m pytest']],
    ['uv', { 'pyproject.toml': '', 'uv.lock': '', 'tests/test_a.py': '' }, ['uv run pytest']],
    ['poetry', { 'pyproject.toml': '', 'poetry.lock': '', 'src/a_test.py': '' }, ['poetry run pytest']],
    ['a virtual environment', { 'pytest.ini': '', '.venv/bin/python': '' }, ['.venv/bin/python -m pytest']],
    ['a Python project without tests', { 'pyproject.toml': '[project]\nname = "x"\n', 'x.py': '' }, []],
    ['cargo', { 'Cargo.toml': '[package]\n' }, ['cargo test']],
    [
      'a cargo workspace',
      { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n', 'a/Cargo.toml': '' },
      ['cargo test --workspace'],
    ],
    ['go', { 'go.mod': 'module x\n', 'a/go.mod': '' }, ['go test -v ./...']],
    [
      'a go workspace',
      {
        'go.work': 'go 1.24\n\nuse (\n\t./a\n\t./b // here\n\t./gone\n)\n',
        'a/go.mod': '',
        'b/go.mod': '',
        'c/go.mod': '',
      },
      ['go test -v ./... @ a', 'go test -v ./... @ b'],
    ],
    [
      'make',
      { Makefile: '.PHONY: test\nCC := gcc\nbuild:\n\tcc x.c\n\ntest check: build\n\t./run-tests\n' },
      ['make test'],
    ],
    [
      'make without a test target',
      { Makefile: '.PHONY: test\ntests:\n\ttrue\ntest-all:\n\ttrue\ntest := 1\n' },
      [],
    ],
    [
      'make that only calls another check',
      { Makefile: 'test:\n\tgo test ./...\n', 'go.mod': '' },
      ['go test -v ./...'],
    ],
    [
      'make that runs something else',
      { Makefile: 'test:\n\t./integration.sh\n', 'go.mod': '' },
      ['go test -v ./...', 'make test'],
    ],
    ['nothing', { 'README.md': '' }, []],
  ])('are found for %s', (_case, files, expected) => {
    expect(commands(files)).toEqual(expected);
  });

  it('say why each was taken', () => {
    const { checks } = detect({
      'setup.cfg': '[tool:pytest]',
      'package.json': { scripts: { test: 'vitest run' } },
    });
    expect(checks.map((check) => check.source)).toEqual([
      'package.json has the test script `vitest run`',
      'setup.cfg configures pytest',
    ]);
  });

  it('are bounded, and what is left out is told', () => {
    const files: Record<string, object> = { 'package.json': { workspaces: ['p/*'] } };
    for (let i = 0; i < 30; i++) files[`p/${i}/package.json`] = { scripts: { test: 'vitest run' } };
    const { checks, considered } = detect(files);
    expect(checks).toHaveLength(20);
    expect(new Set(checks.map((check) => check.name)).size).toBe(20);
    expect(considered.filter((each) => each.because.includes('taken already'))).toHaveLength(10);
  });
});
