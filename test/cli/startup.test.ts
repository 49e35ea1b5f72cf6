import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { program } from './kit.ts';

/** The built program, chunk by chunk: which modules it holds, and which chunks it cannot load without. */
interface Chunk {
  readonly modules: readonly string[];
  readonly needs: readonly string[];
}

const folder = dirname(program);
const chunks = new Map<string, Chunk>(
  readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readChunk(readFileSync(join(folder, name), 'utf8'))]),
);

function readChunk(text: string): Chunk {
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
  return { modules: all(/^\/\/#region (.*)$/gm), needs: all(/^(?:import|export)\b[^;]*?"\.\/([^"]+)";$/gm) };
}

/** Every module that runs before the first line of `module` does. */
function loadedFor(module: string): readonly string[] {
  const start = [...chunks].find(([, { modules }]) => modules.includes(module))?.[0];
  if (start === undefined) throw new Error(`${module} is in no chunk`);
  const seen = new Set([start]);
  for (const name of seen) for (const need of chunks.get(name)?.needs ?? []) seen.add(need);
  return [...seen].flatMap((name) => chunks.get(name)?.modules ?? []);
}

const packagesOf = (modules: readonly string[]): readonly string[] =>
  [...new Set(modules.flatMap((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []))].sort();

const commandFiles = [...chunks.values()]
  .flatMap(({ modules }) => modules)
  .filter((name) => name.startsWith('src/app/cli/commands/'));

// A mutant runs the sources, which are in no chunk.
describe.skipIf(program.endsWith('.ts'))('what the built program loads', () => {
  it('is a start without imports of ours', () => {
    expect(chunks.get(basename(program))?.needs).toEqual([]);
  });

  it.each(['src/app/version.ts', 'src/app/cli/run-command.ts', 'src/app/cli/quick.ts'])(
    'is no package at all for %s: no schemas, no command-line library',
    (module) => {
      expect(packagesOf(loadedFor(module))).toEqual([]);
    },
  );

  it('is the command-line library alone for help', () => {
    expect(packagesOf(loadedFor('src/app/cli/program.ts'))).toEqual(['commander']);
  });

  it('is what the protocol needs for the tools of an agent', () => {
    expect(packagesOf(loadedFor('src/app/mcp/serve.ts'))).toEqual([
      '@modelcontextprotocol/core',
      '@modelcontextprotocol/server',
      'zod',
    ]);
  });

  it.each(['runs', 'inbox', 'logs', 'approve', 'stop', 'steer'])('is next to nothing for %s', (name) => {
    expect(packagesOf(loadedFor(`src/app/cli/commands/${name}.ts`))).toEqual([]);
  });

  it.each(commandFiles)('is no client of a model for %s', (module) => {
    expect(packagesOf(loadedFor(module)).filter((name) => /^(?:ai|@ai-sdk\/.*)$/.test(name))).toEqual([]);
  });
});
