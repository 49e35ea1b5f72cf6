import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allMutants } from '../../tools/mutant-list.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

describe('the mutants', () => {
  it.each(allMutants(read).map((mutant) => [`${mutant.group}: ${mutant.name}`, mutant] as const))(
    '%s breaks exactly one place',
    (_name, { file, find, replace }) => {
      expect(read(file).split(find)).toHaveLength(2);
      expect(replace).not.toBe(find);
    },
  );

  it('name suites that exist', () => {
    const named = new Set(allMutants(read).flatMap(({ suites, lastSuites }) => [...suites, ...lastSuites]));
    const lost = [...named].filter((suite) => !existsSync(resolve(root, `test/${suite}.test.ts`)));
    expect(lost).toEqual([]);
  });
});
