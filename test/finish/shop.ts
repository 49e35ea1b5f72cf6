import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, type Finish, finish, type Story } from './finish-kit.ts';

/** All test files in one process: these tests are about our judgement, not about how Node isolates files. */
const test = 'node --test --test-isolation=none';

export const manifest = (over: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ name: 'shop', version: '1.0.0', type: 'module', scripts: { test }, ...over }, null, 2)}\n`;

export const testFile = (name: string, left: string, right: string): string =>
  `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as shop from '../src/shop.js';

test('${name}', () => assert.equal(${left}, ${right}));
`;

/** A project whose checks pass, so that only what the agent does to the proof can matter. */
export const shop: Readonly<Record<string, string>> = {
  'package.json': manifest(),
  'src/shop.js': 'export const total = (a, b) => a + b;\nexport const half = (a) => a / 2;\n',
  'test/total.test.js': testFile('adds up', 'shop.total(1, 2)', '3'),
  'test/half.test.js': testFile('halves', 'shop.half(4)', '2'),
};
export const unit = [check(test, 'unit')];
export const replaced = (folder: string, path: string, from: string, to: string): void => {
  const text = readFileSync(join(folder, path), 'utf8');
  if (!text.includes(from)) throw new Error(`${path} does not say ${from}`);
  writeFileSync(join(folder, path), text.replace(from, to));
};
export const finished = (work: Story['work'], over: Partial<Story> = {}): Promise<Finish> =>
  finish({ files: shop, checks: unit, work, ...over });
export const alteredParts = ({ certificate }: Finish): string[] =>
  (certificate?.altered ?? []).map(({ part, path }) => `${part}: ${path}`);

/** A script that plays a test runner: it says what a runner says, and what else the story needs. */
export const runner = (body: string): Record<string, string> => ({
  'package.json': manifest({ scripts: { test: 'node tools/run-tests.js' } }),
  'src/shop.js': 'export const done = true;\n',
  'tools/run-tests.js': body,
});
export const told = (passed: number, failed: number): string =>
  `console.log('# tests ${passed + failed}\\n# pass ${passed}\\n# fail ${failed}\\n# skipped 0');\n`;
