import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { filesOf, freshFolder, open, treeOf } from './folders.ts';

/** Random sequences of changes: the same files give the same tree, other files another. */
export async function countsRight(sequences: number): Promise<void> {
  const name = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a', 'e');
  const content = fc.constantFrom('', '1', '2', '1\n2\n');
  const step = fc.oneof(
    fc.record({ do: fc.constant('write' as const), name, content }),
    fc.record({ do: fc.constant('remove' as const), name }),
    fc.record({ do: fc.constant('link' as const), name, content: fc.constantFrom('a', 'nowhere') }),
    fc.record({ do: fc.constant('mode' as const), name }),
  );
  const act = (folder: string, each: { do: string; name: string; content?: string }) => {
    const path = join(folder, each.name);
    if (each.do === 'mode') {
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) chmodSync(path, 0o755);
      return;
    }
    rmSync(path, { recursive: true, force: true });
    if (each.do === 'remove') return;
    for (let parent = join(path, '..'); parent !== folder; parent = join(parent, '..'))
      if (filesOf(folder)[parent.slice(folder.length + 1)]) rmSync(parent);
    mkdirSync(join(path, '..'), { recursive: true });
    if (each.do === 'link') symlinkSync(each.content ?? '', path);
    else writeFileSync(path, each.content ?? '');
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      async (rounds) => {
        const folder = freshFolder();
        const workspace = await open(folder);
        const known = new Map<string, string>();
        for (const round of rounds) {
          for (const each of round) act(folder, each);
          const files = JSON.stringify(filesOf(folder));
          const tree = await treeOf(workspace);
          for (const [other, otherTree] of known)
            expect(other === files, `${other}\n${files}`).toBe(otherTree === tree);
          known.set(files, tree);
        }
        expect(await treeOf(await open(folder))).toBe(await treeOf(workspace));
      },
    ),
    { numRuns: sequences },
  );
}
