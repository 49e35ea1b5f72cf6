import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, finish } from '../finish/finish-kit.ts';
import { freshFolder, write } from '../workspace/folders.ts';
import { install, type Project, projects, recordedBins } from './projects.ts';

/** What npm would have put into the project; the rest is on the path. */
const modules: Readonly<Record<string, Parameters<typeof install>[1]>> = {
  'npm with vitest': 'ours',
  jest: { jest: recordedBins.jest },
  playwright: { playwright: recordedBins.playwright },
  'a cypress config': { cypress: recordedBins.cypress },
};

/*
 * Node, vitest, make, and where they are here cargo, pytest and go run for real. Jest, Playwright, Cypress and pnpm
 * are played by programs of their names which print recorded output.
 */
describe('a project', () => {
  it.each(Object.entries(projects))(
    'with %s is refused when it is broken and certified when it is mended',
    async (name, { files, source, checks, counts, env }) => {
      const [path, broken, mended] = source;
      const ended = await finish({
        files: { ...files, [path]: mended },
        env,
        claims: 2,
        prepare: (folder) => modules[name] !== undefined && install(folder, modules[name]),
        work: (folder, turn) => write(folder, { [path]: turn === 1 ? broken : mended }),
      });
      expect(ended.detected.map(({ cwd, command }) => `${cwd} ${command}`)).toEqual(checks);
      expect(ended, JSON.stringify(ended.certificate)).toMatchObject({
        rule: 'certified',
        verdict: 'certified',
      });
      expect(ended.certificate?.checks.map((one) => one.counts)).toEqual(counts);
      expect(ended.certificate?.checks[0]).toMatchObject({ atBaseline: 'passed', flaky: false });
      expect(ended.certificate?.altered).toEqual([]);
      const refusals = ended.entries.filter(({ decision }) =>
        decision?.because.startsWith('the claim is refused'),
      );
      expect(refusals).toHaveLength(1);
    },
  );

  it('without any check asks a person', async () => {
    const ended = await finish({
      files: { 'README.md': '# Notes\n', 'docs/a.txt': 'a\n' },
      work: (folder) => write(folder, { 'docs/b.txt': 'b\n' }),
    });
    expect(ended).toMatchObject({ detected: [], rule: 'ask-to-accept', run: { state: 'waiting' } });
  });

  it('that is red at the baseline is refused until it is mended', async () => {
    const { files, env, source } = projects.make as Project;
    const [path, , mended] = source;
    const ended = await finish({
      files,
      env,
      claims: 2,
      work: (folder, turn) => write(folder, turn === 1 ? { 'NOTES.md': 'looked\n' } : { [path]: mended }),
    });
    expect(ended).toMatchObject({ rule: 'certified', certificate: { checks: [{ atBaseline: 'failed' }] } });
    expect(ended.entries.some(({ decision }) => decision?.because.startsWith('the claim is refused'))).toBe(
      true,
    );
  });

  it('that is red at the baseline and stays so beside a green check asks a person', async () => {
    const { files, env, source } = projects.make as Project;
    const ended = await finish({
      files: { ...files, [source[0]]: source[2] },
      env,
      checks: [check('make test', 'unit'), check('echo "1 failed, 4 passed"; exit 1', 'e2e')],
    });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks' });
    expect(ended.certificate?.checks.map((one) => one.atBaseline)).toEqual(['passed', 'failed']);
  });

  it('with a flaky test is certified, and the certificate says that it is flaky', async () => {
    const runs = join(freshFolder('marks'), 'runs');
    const flaky = `import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
test('mostly', () => {
  appendFileSync(${JSON.stringify(runs)}, 'x');
  assert.notEqual(readFileSync(${JSON.stringify(runs)}, 'utf8').length, 2);
});
`;
    const ended = await finish({
      files: {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'test/a.test.js': flaky,
      },
    });
    expect(ended).toMatchObject({ rule: 'certified', certificate: { checks: [{ flaky: true }] } });
    expect(readFileSync(runs, 'utf8')).toBe('xxx');
  });
});
