import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder, write } from '../workspace/folders.ts';
import { check, finish, type Story } from './finish-kit.ts';
import { alteredParts, finished, manifest, replaced, runner, shop, testFile, told } from './shop.ts';

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
      answers: { answer: 'approve', before: (folder) => rmSync(join(folder, 'test/total.test.js')) },
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
