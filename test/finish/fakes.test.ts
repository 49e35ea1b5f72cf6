import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder, write } from '../workspace/folders.ts';
import { alterations, asksAfter } from './alterations.ts';
import { check, finish } from './finish-kit.ts';
import { alteredParts, finished, replaced, runner, shop, told, unit } from './shop.ts';

describe('a finish is refused', () => {
  it('while a test fails', async () => {
    const ended = await finished((folder) => replaced(folder, 'src/shop.js', 'a + b', 'a - b'));
    expect(ended).toMatchObject({ rule: 'continue', verdict: 'refused' });
    expect(ended.because).toContain('unit failed');
  });

  it('when tests print failures and exit with 0', async () => {
    const body = told(0, 3);
    const ended = await finish({
      files: runner(told(3, 0)),
      checks: [check('node tools/run-tests.js', 'unit')],
      work: (folder) => write(folder, { 'tools/run-tests.js': body }),
    });
    expect(ended).toMatchObject({ rule: 'continue', verdict: 'refused' });
    const words = await finish({
      files: runner(`console.log('158 passed 3 failed');\n`),
      checks: [check('node tools/run-tests.js', 'unit')],
    });
    expect(words).toMatchObject({ rule: 'continue', verdict: 'refused' });
  });

  it.each(['in the workspace', 'outside of it', 'where git does not look'])(
    'when a test passes only once and keeps its mark %s',
    async (where) => {
      const mark =
        where === 'in the workspace'
          ? 'seen'
          : where === 'outside of it'
            ? join(freshFolder('marks'), 'seen')
            : 'hidden/seen';
      const once = `import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
const mark = ${JSON.stringify(mark)};
test('once', () => {
  assert.ok(!existsSync(mark));
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, '');
});
`;
      const ended = await finished((folder) => write(folder, { 'test/once.test.js': once }), {
        files: { ...shop, '.gitignore': 'hidden/\n' },
      });
      expect(ended).toMatchObject({ rule: 'continue', verdict: 'refused' });
    },
  );

  it.each([
    [79.99, null, 'below 80 %'],
    [50, 60, 'below 60 % at the baseline'],
    [null, 90, 'measured coverage before and no longer does'],
  ])('when coverage is %s and was %s', async (now, before, because) => {
    const report = (percent: number | null): string =>
      percent === null
        ? ''
        : `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('coverage', { recursive: true });
writeFileSync('coverage/coverage-summary.json', JSON.stringify({ total: { lines: { total: 10000, covered: ${Math.round(percent * 100)} } } }));
`;
    const ended = await finish({
      files: { ...runner(report(before) + told(3, 0)), '.gitignore': 'coverage/\n' },
      checks: [check('node tools/run-tests.js', 'unit')],
      work: (folder) => write(folder, { 'tools/run-tests.js': report(now) + told(3, 0) }),
    });
    expect(ended).toMatchObject({ rule: 'continue', verdict: 'refused' });
    expect(ended.because).toContain(because);
  });

  it('when a file was edited by somebody else while the checks ran, whose content no check has seen', async () => {
    const body = `import { writeFileSync } from 'node:fs';
writeFileSync('report.txt', String(process.hrtime.bigint()));
${told(3, 0)}`;
    let edits = 0;
    const ended = await finish({
      files: runner(body),
      checks: [check('node tools/run-tests.js', 'unit')],
      meanwhile: (folder) => {
        edits += 1;
        write(folder, { [`src/edit-${edits}.js`]: `export const n = ${edits};\n` });
      },
    });
    expect(ended).toMatchObject({ rule: 'continue', verdict: 'refused' });
    expect(ended.because).toContain('changed while the checks ran');
  });
});

describe('a finish asks a person', () => {
  asksAfter(alterations.filter((_, i) => i % 3 === 0));

  it('when a test is hidden from git and weakened', async () => {
    const ended = await finished((folder) => {
      appendFileSync(join(folder, '.git/info/exclude'), 'test/\n');
      write(folder, { '.gitignore': 'test/\n' });
      replaced(folder, 'test/half.test.js', 'assert.equal(', 'assert.ok(');
    });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks' });
    expect(alteredParts(ended)).toContain('tests: test/half.test.js');
  });

  it('when the script behind the test script changed and writes outside of the workspace', async () => {
    const outside = join(freshFolder('outside'), 'written');
    const ended = await finish({
      files: runner(told(3, 0)),
      work: (folder) =>
        write(folder, {
          'tools/run-tests.js': `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(outside)}, '');\n${told(3, 0)}`,
        }),
    });
    expect(existsSync(outside)).toBe(true);
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks' });
    expect(alteredParts(ended)).toEqual(['scripts: tools/run-tests.js']);
  });

  it('when fewer tests are counted although no file of the suite changed', async () => {
    const body = `import { readdirSync } from 'node:fs';
const n = readdirSync('src').length;
console.log('# tests ' + n + '\\n# pass ' + n + '\\n# fail 0');
`;
    const ended = await finish({
      files: { ...runner(body), 'src/a.js': '', 'src/b.js': '' },
      work: (folder) => rmSync(join(folder, 'src/b.js')),
    });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks' });
    expect(ended.because).toContain('3 tests became 2');
  });

  it('when another check was red before the first turn and nobody mended it', async () => {
    const ended = await finished(undefined, { checks: [...unit, check('exit 1', 'lint')] });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks' });
    expect(ended.because).toContain('lint was red before the first turn and still is');
  });

  it('when nothing can check the work', async () => {
    const ended = await finish({
      files: { 'notes.md': 'a\n' },
      work: (f) => write(f, { 'notes.md': 'b\n' }),
    });
    expect(ended).toMatchObject({ detected: [], rule: 'ask-to-accept', verdict: null });
  });
});
