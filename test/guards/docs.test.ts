import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '../../src/core/guards/index.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/guards.md'), 'utf8');

describe('the page about guards', () => {
  it.each(Object.entries(rules))('gives %s its verdict and its reason', (kind, { verdict, because }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${kind}\` |`));
    expect(row).toContain(`| ${verdict}`);
    expect(row).toContain(because);
  });
});
