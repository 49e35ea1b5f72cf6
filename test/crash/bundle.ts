import { resolve } from 'node:path';
import { bundleProgram, source } from '../built-program.ts';

const fuse = (name: string): string => resolve(import.meta.dirname, 'fused', name);

/** Where the program reaches into the world, and the same thing with fuses on it. */
const fuses: ReadonlyMap<string, string> = new Map([
  [source('edge/store/inline.ts'), fuse('inline.ts')],
  [source('edge/store/threaded.ts'), fuse('threaded.ts')],
  [source('edge/agents/scripted/adapter.ts'), fuse('adapter.ts')],
  [source('edge/agents/scripted/agent-process.ts'), fuse('agent-process.ts')],
  [source('edge/workspace/index.ts'), fuse('workspace.ts')],
  [source('edge/notify/notifier.ts'), fuse('notifier.ts')],
]);

/**
 * Bundles the whole program as it is shipped, with fuses between it and the world: the product itself knows nothing
 * of them. Gives the path of the program.
 */
export async function bundleWithFuses(folder: string): Promise<string> {
  const used = new Set<string>();
  const program = await bundleProgram(folder, [
    {
      name: 'fuses',
      resolveId(specifier: string, importer: string | undefined) {
        if (importer === undefined || !specifier.startsWith('.')) return null;
        const path = resolve(importer, '..', specifier);
        const fused = fuses.get(path);
        if (fused === undefined || importer.startsWith(fuse(''))) return null;
        used.add(path);
        return fused;
      },
    },
  ]);
  const unused = [...fuses.keys()].filter((path) => !used.has(path));
  if (unused.length > 0) throw new Error(`no fuse got into the program for: ${unused.join(', ')}`);
  return program;
}
