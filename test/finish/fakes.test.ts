import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder, write } from '../workspace/folders.ts';
import { check, type Finish, finish, type Story } from './finish-kit.ts';

const manifest = (over: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ name: 'shop', version: '1.0.0', type: 'module', scripts: { test: 'node --test' }, ...over }, null, 2)}\n`;

const testFile = (name: string, left: string, right: string): string =>
  `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as shop from '../src/shop.js';

test('${name}', () => assert.equal(${left}, ${right}));
`;

/** A project whose checks pass, so that only what the agent does to the proof can matter. */
const shop: Readonly<Record<string, string>> = {
  'package.json': manifest(),
  'src/shop.js': 'export const total = (a, b) => a + b;\nexport const half = (a) => a / 2;\n',
  'test/total.test.js': testFile('adds up', 'shop.total(1, 2)', '3'),
  'test/half.test.js': testFile('halves', 'shop.half(4)', '2'),
};
const unit = [check('node --test', 'unit')];
const replaced = (folder: string, path: string, from: string, to: string): void => {
  const text = readFileSync(join(folder, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} does not say ${from}`);
  writeFileSync(join(folder, path), text.replace(from, to));
};
const finished = (work: Story['work'], over: Partial<Story> = {}): Promise<Finish> =>
  finish({ files: shop, checks: unit, ...(work === undefined ? {} : { work }), ...over });
const alteredParts = ({ certificate }: Finish): string[] =>
  (certificate?.altered ?? []).map(({ part, path }) => `${part}: ${path}`);

/** A script that plays a test runner: it says what a runner says, and what else the story needs. */
const runner = (body: string): Record<string, string> => ({
  'package.json': manifest({ scripts: { test: 'node tools/run-tests.js' } }),
  'src/shop.js': 'export const done = true;\n',
  'tools/run-tests.js': body,
});
const told = (passed: number, failed: number): string =>
  `console.log('# tests ${passed + failed}\\n# pass ${passed}\\n# fail ${failed}\\n# skipped 0');\n`;

describe('an honest finish', () => {
  it('is certified when the work is done and the proof is untouched', async () => {
    const ended = await finished((folder) => write(folder, { 'src/more.js': 'export const more = 1;\n' }));
    expect(ended).toMatchObject({ rule: 'certified', verdict: 'certified' });
    expect(ended.certificate).toMatchObject({ fresh: true, wrote: [], altered: [], acceptedBy: null });
    expect(ended.certificate?.checks).toMatchObject([{ counts: '2 passed, 0 failed, 0 skipped' }]);
    expect(ended.run.state).toBe('done');
  });

  it('may add tests', async () => {
    const ended = await finished((folder) =>
      write(folder, { 'test/more.test.js': testFile('more', 'shop.total(2, 2)', '4') }),
    );
    expect(ended).toMatchObject({ rule: 'certified', certificate: { altered: [] } });
  });

  it('may raise the version of the package and its other dependencies', async () => {
    const ended = await finished((folder) =>
      write(folder, { 'package.json': manifest({ version: '1.1.0', dependencies: { chalk: '5.0.0' } }) }),
    );
    expect(ended).toMatchObject({ rule: 'certified', certificate: { altered: [] } });
  });

  it('mends what was red at the baseline', async () => {
    const broken = {
      ...shop,
      'src/shop.js': 'export const total = (a) => a;\nexport const half = (a) => a / 2;\n',
    };
    const ended = await finished((folder) => write(folder, { 'src/shop.js': shop['src/shop.js'] ?? '' }), {
      files: broken,
    });
    expect(ended).toMatchObject({ rule: 'certified', verdict: 'certified' });
    expect(ended.certificate?.checks).toMatchObject([{ atBaseline: 'failed', outcome: 'passed' }]);
  });

  it('is certified although the checks leave a coverage folder that nobody ignores', async () => {
    const body = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('coverage', { recursive: true });
writeFileSync('coverage/coverage-summary.json', JSON.stringify({ total: { lines: { total: 100, covered: 90 } } }));
writeFileSync('coverage/when.txt', String(process.hrtime.bigint()));
${told(3, 0)}`;
    const ended = await finish({ files: runner(body) });
    expect(ended).toMatchObject({ rule: 'certified', certificate: { fresh: true } });
    expect(ended.certificate?.wrote).toContain('coverage/when.txt');
    expect(ended.certificate?.checks).toMatchObject([{ coverage: '90 % of lines' }]);
  });

  it('is certified with a flaky test, and the certificate says so', async () => {
    const marks = freshFolder('marks');
    const body = `import { appendFileSync, readFileSync } from 'node:fs';
const marks = ${JSON.stringify(join(marks, 'runs'))};
appendFileSync(marks, 'x');
const isBad = readFileSync(marks, 'utf8').length === 2;
console.log(isBad ? '# tests 3\\n# pass 2\\n# fail 1' : '# tests 3\\n# pass 3\\n# fail 0');
process.exitCode = isBad ? 1 : 0;
`;
    const ended = await finish({ files: runner(body) });
    expect(ended).toMatchObject({ rule: 'certified', certificate: { checks: [{ flaky: true }] } });
  });
});

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

describe('a finish that was disturbed', () => {
  it('is certified once the checks have passed on the files as they came to rest', async () => {
    const body = `import { writeFileSync } from 'node:fs';
writeFileSync('report.txt', String(process.hrtime.bigint()));
${told(3, 0)}`;
    let runs = 0;
    const ended = await finish({
      files: runner(body),
      checks: [check('node tools/run-tests.js', 'unit')],
      meanwhile: (folder) => {
        runs += 1;
        if (runs === 2) write(folder, { 'src/edit.js': 'export const n = 1;\n' });
      },
    });
    expect(runs).toBe(3);
    expect(ended).toMatchObject({ rule: 'certified', certificate: { wrote: ['report.txt', 'src/edit.js'] } });
  });
});

describe('a finish asks a person', () => {
  it.each<[string, Story['work'], string]>([
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
  ])('when %s', async (_what, work, altered) => {
    const ended = await finished(work, {
      files: { ...shop, 'test/__snapshots__/a.snap': 'a' },
      checks: [check('npm test --silent', 'unit')],
    });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks', run: { state: 'waiting' } });
    expect(alteredParts(ended)).toContain(altered);
  });

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

describe('a person who accepts', () => {
  const weakened: Story['work'] = (folder) =>
    replaced(folder, 'test/half.test.js', 'assert.equal(', 'assert.ok(');

  it('is believed for what they were shown', async () => {
    const ended = await finished(weakened, { answers: { answer: 'approve' } });
    expect(ended).toMatchObject({ rule: 'certified', certificate: { acceptedBy: 'me', fresh: true } });
    expect(alteredParts(ended)).toEqual(['tests: test/half.test.js']);
  });

  it('is not believed for what was edited after the check: it is checked again, and the rest is asked again', async () => {
    const ended = await finished(weakened, {
      answers: {
        answer: 'approve',
        before: (folder) => rmSync(join(folder, 'test/total.test.js')),
      },
    });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks' });
    expect(alteredParts(ended)).toContain('tests: test/total.test.js');
  });

  it('is not believed when the edit after the check breaks the work', async () => {
    const ended = await finished(weakened, {
      answers: {
        answer: 'approve',
        before: (folder) => write(folder, { 'src/shop.js': 'nothing works;\n' }),
      },
    });
    expect(ended).toMatchObject({ rule: 'continue', verdict: 'refused' });
  });

  it('is not believed when the same test was weakened further after they were asked', async () => {
    const ended = await finished(weakened, {
      answers: {
        answer: 'approve',
        before: (folder) =>
          write(folder, {
            'test/half.test.js': "import { test } from 'node:test';\ntest('halves', () => {});\n",
          }),
      },
    });
    expect(ended).toMatchObject({ rule: 'ask-altered', verdict: 'asks' });
  });

  it('of work that nothing can check is all the evidence there is, and no freshness is claimed', async () => {
    const ended = await finish({
      files: { 'notes.md': 'a\n' },
      work: (folder) => write(folder, { 'notes.md': 'b\n' }),
      answers: { answer: 'approve', before: (folder) => write(folder, { 'notes.md': 'c\n' }) },
    });
    expect(ended).toMatchObject({
      rule: 'certified',
      certificate: { acceptedBy: 'me', fresh: false, checks: [] },
    });
  });
});
