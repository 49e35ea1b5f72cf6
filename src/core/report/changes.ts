import { pick } from './public.ts';
import type { Watch } from './seen.ts';

export interface Changes {
  readonly firstTree: string | null;
  readonly lastTree: string | null;
  readonly firstHead: string | null;
  readonly lastHead: string | null;
  /** Turns that left a result. */
  readonly turns: number;
  /** Absent when nobody compared the trees. */
  readonly files?: readonly FileChange[];
  /** How many paths differ, also where `files` is cut. */
  readonly paths?: number;
}

export interface FileChange {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  readonly added: number | null;
  readonly removed: number | null;
}

type Trees = Omit<Changes, 'turns' | 'files' | 'paths'>;

/** Keeps the first and the last tree of the workspace. */
export function watchChanges(): Watch<Trees> {
  let trees: Trees = { firstTree: null, lastTree: null, firstHead: null, lastHead: null };
  return {
    see({ before, run: { tree }, entry }) {
      if (entry.late === true || tree === null || tree === before?.tree || tree.tree === 'unknown') return;
      trees = {
        firstTree: trees.firstTree ?? tree.tree,
        lastTree: tree.tree,
        firstHead: trees.firstTree === null ? tree.head : trees.firstHead,
        lastHead: tree.head,
      };
    },
    end: () => trees,
  };
}

/** How many paths differ may be told, and by how many lines; which ones may not. */
export const publicChanges = (changes: Changes): Changes => ({
  ...pick(changes, 'firstTree', 'lastTree', 'turns', 'paths'),
  firstHead: null,
  lastHead: null,
  files: changes.files?.map((file) => ({ path: '', ...pick(file, 'status', 'added', 'removed') })),
});
