import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allMutants } from '../../tools/mutant-list.ts';

const read = (file: string): string => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

describe('the mutants', () => {
  it.each(allMutants(read).map((mutant) => [`${mutant.group}: ${mutant.name}`, mutant] as const))(
    '%s breaks exactly one place',
    (_name, { file, find, replace }) => {
      expect(read(file).split(find)).toHaveLength(2);
      expect(replace).not.toBe(find);
    },
  );
});
