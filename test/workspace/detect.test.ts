import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
