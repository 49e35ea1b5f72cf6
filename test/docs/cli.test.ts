import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliDoc, cliDocPath } from '../../tools/cli-doc.ts';

const root = resolve(import.meta.dirname, '../..');

describe('the reference of the command line', () => {
  it('is what the program says (else run node tools/cli-doc.ts)', async () => {
    expect(readFileSync(resolve(root, cliDocPath), 'utf8')).toBe(await cliDoc());
  });
});
