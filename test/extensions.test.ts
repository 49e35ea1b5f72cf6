import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ecosystems } from '../src/core/completion/ecosystems/registry.ts';
import { agentKinds } from '../src/edge/agents/registry.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/testkit/'));

/** The sources outside of `own` in which the pattern is found. */
const naming = (pattern: RegExp, own: string): string[] =>
  sources.filter((file) => !file.startsWith(own) && pattern.test(read(file)));

describe('an agent is one folder and its line in the registry', () => {
  const programs = agentKinds.filter(({ program }) => program !== null).map(({ name }) => name);

  /** Files that may name an agent, and why. Every other place goes through its `AgentKind`. */
  const exceptions = [
    'src/edge/agents/registry.ts',
    'src/contract/config.ts', // agents that can answer as a decision model
    'src/core/guards/places.ts', // settings of agents, ours or not, that must not be rewritten
    'src/index.ts', // what the library exports by name
  ];

  it.each(programs)('no other file names %s', (name) => {
    const others = naming(new RegExp(name, 'i'), `src/edge/agents/${name}/`);
    expect(others.filter((file) => !exceptions.includes(file))).toEqual([]);
  });

  it.each(agentKinds.map(({ name }) => name))('%s is in the folder of its name', (name) => {
    expect(existsSync(resolve(root, `src/edge/agents/${name}/kind.ts`))).toBe(true);
  });

  it('loads no adapter with the registry', () => {
    const kinds = agentKinds.map(({ name }) => `src/edge/agents/${name}/kind.ts`);
    const imported = kinds.flatMap((file) => [...read(file).matchAll(/^import .* from '(.+)';$/gm)]);
    expect(new Set(imported.map(([, from]) => from))).toEqual(new Set(['../kind.ts']));
  });
});

describe('a check ecosystem is one file and its line in the registry', () => {
  /** Ordinary words, which every file may use. */
  const common = ['node', 'go', 'make', 'bun', 'tap', 'ava', 'words', 'counted-list', 'swift'];
  const names = ecosystems
    .flatMap(({ name, counts = [] }) => [name, ...counts.map((rule) => rule.runner)])
    .filter((name) => !common.includes(name) && /^[\w-]+$/.test(name));

  it.each([...new Set(names)])('no other file names %s', (name) => {
    const others = naming(new RegExp(`\\b${name}\\b`, 'i'), 'src/core/completion/ecosystems/');
    // The guard judges any program, test runners among them; memories are searched by any word.
    expect(others.filter((file) => !/^src\/core\/(guards|memory)\//.test(file))).toEqual([]);
  });
});

describe('the table of ordinary changes in docs/architecture.md', () => {
  const section = read('docs/architecture.md').split('## What an ordinary change touches\n')[1] ?? '';
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const filesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);

  it('has a row for each kind of change', () => {
    expect(rows.map(([, change]) => change)).toEqual([
      'a stop rule',
      'an agent',
      'a command',
      'a flag',
      'a check ecosystem',
      'a notifier',
      'a program the guard knows',
      'a field of the report',
    ]);
  });

  it.each(rows.map(([, change, own, others]) => [change, own, others]))('%s', (_change, own, others) => {
    expect(filesIn(own)).not.toEqual([]);
    expect(filesIn(others).length).toBeLessThanOrEqual(4);
    const named = [...filesIn(own).map((file) => file.replace(/<.*$/, '')), ...filesIn(others)];
    expect(named.filter((file) => !existsSync(resolve(root, file)))).toEqual([]);
  });
});
