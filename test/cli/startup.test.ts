import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { program } from './kit.ts';

/** The built program, chunk by chunk: which modules it holds, and which chunks it cannot load without. */
interface Chunk {
  readonly modules: readonly string[];
  readonly needs: readonly string[];
  readonly builtins: readonly string[];
}

const folder = dirname(program);
const chunks = new Map<string, Chunk>(
  readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readChunk(readFileSync(join(folder, name), 'utf8'))]),
);

function readChunk(text: string): Chunk {
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
  return {
    modules: all(/^\/\/#region (.*)$/gm),
    needs: all(/^(?:import|export)\b[^;]*?"\.\/([^"]+)";$/gm),
    builtins: all(/^import\b[^;]*?"node:([^"]+)";$/gm).sort(),
  };
}

/** Every chunk that is loaded before the first line of `module` runs. */
function loadedFor(module: string): readonly Chunk[] {
  const seen = new Set([...chunks.values()].filter(({ modules }) => modules.includes(module)));
  if (seen.size === 0) throw new Error(`${module} is in no chunk`);
  for (const { needs } of seen) for (const need of needs) seen.add(chunks.get(need) as Chunk);
  return [...seen];
}

const packagesOf = (loaded: readonly Chunk[]): readonly string[] =>
  [
    ...new Set(
      loaded
        .flatMap(({ modules }) => modules)
        .flatMap((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
    ),
  ].sort();

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

  it('is no part of Node that takes as long to load as all of status', () => {
    const quick = loadedFor('src/app/cli/quick.ts');
    expect(quick.flatMap(({ builtins }) => builtins).sort()).toEqual(['fs', 'os', 'path', 'sqlite']);
    const help = loadedFor('src/app/cli/program.ts').flatMap(({ builtins }) => builtins);
    expect(help.filter((name) => name === 'crypto' || name.endsWith('/promises'))).toEqual([]);
  });

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
