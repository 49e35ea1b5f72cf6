import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A small real project with a real bug: two of its tests fail. */
export const demoFiles: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'corner-shop', version: '1.0.0', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md':
    '# Corner shop\n\nPrices in cents. `total` adds up a cart; `withDiscount` takes 10 % off from 50.00 up.\n',
  'src/cart.js': `export function total(cart) {
  let sum = 0;
  for (const item of cart) sum += item.price;
  return sum;
}

export function withDiscount(cents) {
  return cents > 5000 ? cents * 0.9 : cents;
}
`,
  'legacy/till.js': 'export const ring = (cents) => cents;\n',
  'test/cart.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total, withDiscount } from '../src/cart.js';

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0);
});

test('a cart counts how many of each', () => {
  assert.equal(total([{ price: 120, count: 3 }, { price: 50, count: 1 }]), 410);
});

test('the discount starts at exactly 50.00 and stays in whole cents', () => {
  assert.equal(withDiscount(5000), 4500);
  assert.equal(withDiscount(5005), 4505);
});
`,
};

export class DemoFolderError extends Error {
  override readonly name = 'DemoFolderError';
}

/** Makes the demo project in an empty or new folder. The agent's own log lies beside it, unseen by git. */
export function makeDemoProject(dir: string): void {
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new DemoFolderError(`${dir} is not empty; the demo makes its project in a new or empty folder`);
  for (const [path, text] of Object.entries(demoFiles)) {
    const file = join(dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const git = (...args: string[]): void =>
    void execFileSync(
      'git',
      ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false', ...args],
      { cwd: dir, stdio: 'ignore' },
    );
  git('init', '--quiet');
  appendFileSync(join(dir, '.git', 'info', 'exclude'), '/agent.log\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'A shop with a bug');
}
