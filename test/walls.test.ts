import { globSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles } from './walls/cycles.ts';
import { fileLinesMax, functionLinesMax, violations } from './walls/inspect.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
const generated = 'src/edge/agents/codex/bindings/';

describe('the import rules', () => {
  const files = globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => !file.startsWith(generated));

  it('finds the sources', () => {
    expect(files).toContain('src/index.ts');
  });

  it('hold in every source file', () => {
    expect(files.flatMap((file) => violations(file, read(file)))).toEqual([]);
  });

  it('leave no files that import each other, types included', () => {
    expect(importCycles(new Map(files.map((file) => [file, read(file)])))).toEqual([]);
  });
});

describe('the check of the import rules', () => {
  it.each([
    'const t = Date.now();',
    "const t = Date['now']();",
    'const t = [1].map(Date.now);',
    'const t = new Date();',
    'const t = new Date;',
    'const t = Date();',
    'const D = Date;',
    'const { now } = Date;',
    'const n = Math.random();',
    'const { random } = Math;',
    'const t = performance.now();',
    'const id = crypto.randomUUID();',
    'const id = globalThis.crypto.randomUUID();',
    'const x = { at: () => ({ t: Date.now() }) };',
    'const x = { Date };',
  ])('refuses `%s` in core and contract, not in edge', (source) => {
    expect(violations('src/core/planted.ts', source)).not.toEqual([]);
    expect(violations('src/contract/planted.ts', source)).not.toEqual([]);
    expect(violations('src/edge/planted.ts', source)).toEqual([]);
  });

  it.each([
    'const t = new Date(at);',
    'const t = Date.parse(text);',
    'const t: Date = at;',
    'const isDate = at instanceof Date;',
    'const n = Math.max(1, 2);',
    'const n = run.Date;',
    '// Date.now() in a comment',
    "const text = 'Date.now()';",
  ])('leaves `%s` alone', (source) => {
    expect(violations('src/core/planted.ts', source)).toEqual([]);
  });

  it.each([
    ['src/contract/planted.ts', '../core/run.ts'],
    ['src/contract/planted.ts', 'unbash'],
    ['src/core/decide/planted.ts', '../../edge/clock.ts'],
    ['src/core/planted.ts', 'yaml'],
    ['src/core/planted.ts', 'node:fs'],
    ['src/core/planted.ts', '../../tools/counts.ts'],
    ['src/edge/store/planted.ts', '../../app/supervise.ts'],
    ['src/edge/planted.ts', '../testkit/index.ts'],
    ['src/edge/planted.ts', '../index.ts'],
    ['src/testkit/planted.ts', '../app/supervise.ts'],
  ])('refuses %s importing %s in every form', (path, specifier) => {
    for (const source of [
      `import { x } from '${specifier}';`,
      `import '${specifier}';`,
      `import type { X } from '${specifier}';`,
      `export * from '${specifier}';`,
      `export { x } from '${specifier}';`,
      `const x = await import('${specifier}');`,
      `type X = import('${specifier}').X;`,
    ]) {
      expect(violations(path, source), source).toHaveLength(1);
    }
  });

  it.each([
    ['src/contract/planted.ts', './text.ts'],
    ['src/contract/planted.ts', 'zod'],
    ['src/core/decide/planted.ts', '../../contract/event.ts'],
    ['src/core/guards/planted.ts', 'unbash'],
    ['src/edge/store/planted.ts', '../../core/run.ts'],
    ['src/edge/planted.ts', 'node:fs'],
    ['src/app/planted.ts', '../testkit/index.ts'],
  ])('lets %s import %s', (path, specifier) => {
    expect(violations(path, `import { x } from '${specifier}';`)).toEqual([]);
  });

  it('refuses a file and a function that are too long, and says where', () => {
    const statements = (count: number) => 'work();\n'.repeat(count);
    expect(violations('src/edge/planted.ts', statements(fileLinesMax))).toEqual([]);
    expect(violations('src/edge/planted.ts', statements(fileLinesMax + 1))).toHaveLength(1);
    const fitting = `\nconst f = () => {\n${statements(functionLinesMax - 2)}};`;
    const long = `\nconst f = () => {\n${statements(functionLinesMax - 1)}};`;
    expect(violations('src/edge/planted.ts', fitting)).toEqual([]);
    expect(violations('src/edge/planted.ts', long)).toEqual([
      `src/edge/planted.ts:2 function of ${functionLinesMax + 1} lines, at most ${functionLinesMax}`,
    ]);
  });

  it('finds files that import each other, around a corner and by type alone, and no others', () => {
    const sources = {
      'src/a.ts': "import { b } from './deep/b.ts';",
      'src/deep/b.ts': "import type { C } from '../c.ts';",
      'src/c.ts': "export * from './a.ts';",
      'src/d.ts': "import { a } from './a.ts';\nimport { e } from './e.ts';",
      'src/e.ts': "import 'zod';",
      'src/self.ts': "type Own = import('./self.ts').Own;",
    };
    expect(importCycles(new Map(Object.entries(sources)))).toEqual([
      ['src/a.ts', 'src/c.ts', 'src/deep/b.ts'],
      ['src/self.ts'],
    ]);
  });

  it('does not pass a file it cannot read', () => {
    expect(() => violations('src/core/planted.ts', 'const = ;')).toThrow('does not parse');
  });
});
