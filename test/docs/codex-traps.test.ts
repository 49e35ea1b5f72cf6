import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/codex.md'), 'utf8');
const rows = [...page.matchAll(/^\| (5\.\d+) \|.*\| (.*) \|$/gm)].map(([, trap = '', shown = '']) => ({
  trap,
  shown: shown.split('<br>').map((one) => /^(\S+): \*(.+)\*$/.exec(one)?.slice(1) ?? [one, '']),
}));

describe('the table of traps in docs/codex.md', () => {
  it('has all fifteen', () => {
    expect(rows.map(({ trap }) => trap)).toEqual(Array.from({ length: 15 }, (_, n) => `5.${n + 1}`));
  });

  it.each(rows)('names tests that exist for $trap', ({ shown }) => {
    for (const [file = '', sentence = ''] of shown) {
      expect(sentence).not.toBe('');
      expect(readFileSync(join(root, 'test', file), 'utf8'), file).toContain(`'${sentence}'`);
    }
  });
});
