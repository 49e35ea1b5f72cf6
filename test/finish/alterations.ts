import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { write } from '../workspace/folders.ts';
import { check, type Story } from './finish-kit.ts';
import { alteredParts, finished, manifest, replaced, shop, unit } from './shop.ts';

type Alteration = readonly [what: string, work: Story['work'], altered: string];

/** What an agent can do to the proof instead of the work. */
export const alterations: readonly Alteration[] = [
  [
    'the test script is "exit 0"',
    (f) => write(f, { 'package.json': manifest({ scripts: { test: 'exit 0' } }) }),
    'scripts: package.json',
  ],
  ['a test is gone', (f) => rmSync(join(f, 'test/half.test.js')), 'tests: test/half.test.js'],
  [
    'a test is skipped',
    (f) => replaced(f, 'test/half.test.js', "test('", "test.skip('"),
    'tests: test/half.test.js',
  ],
  [
    'one test runs alone',
    (f) => replaced(f, 'test/half.test.js', "test('", "test.only('"),
    'tests: test/half.test.js',
  ],
  [
    'a test expects less',
    (f) => replaced(f, 'test/half.test.js', 'assert.equal(', 'assert.ok('),
    'tests: test/half.test.js',
  ],
  [
    'files are excluded from coverage',
    (f) => write(f, { '.c8rc.json': '{"exclude":["src"]}' }),
    'test config: .c8rc.json',
  ],
  [
    'a snapshot was updated',
    (f) => write(f, { 'test/__snapshots__/a.snap': 'b' }),
    'snapshots: test/__snapshots__/a.snap',
  ],
  [
    'a CI file is new',
    (f) => write(f, { '.github/workflows/ci.yml': 'on: push\n' }),
    'CI: .github/workflows/ci.yml',
  ],
  [
    'a test configuration is new',
    (f) => write(f, { 'vite.config.ts': 'export default { test: { exclude: ["**"] } }' }),
    'test config: vite.config.ts',
  ],
  [
    'npm runs its scripts with another shell',
    (f) => write(f, { '.npmrc': 'script-shell=/bin/true\n' }),
    'test config: .npmrc',
  ],
  [
    'a test runner is another program now',
    (f) => write(f, { 'package.json': manifest({ devDependencies: { vitest: 'file:./fake' } }) }),
    'scripts: package.json',
  ],
  [
    'a module is mocked for every test',
    (f) => write(f, { '__mocks__/fs.js': 'export default {}\n' }),
    'test config: __mocks__/fs.js',
  ],
];

export const asksAfter = (some: readonly Alteration[]): void =>
  it.each(some)('when %s', async (_what, work, altered) => {
    const isOfNpm = /package\.json|\.npmrc/.test(altered);
    const ended = await finished(work, {
      files: { ...shop, 'test/__snapshots__/a.snap': 'a' },
      checks: isOfNpm ? [check('npm test --silent', 'unit')] : unit,
    });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks', run: { state: 'waiting' } });
    expect(alteredParts(ended)).toContain(altered);
  });
