import { createHash } from 'node:crypto';
import { realPath } from '../home.ts';

/** What `workspace` means for memories: a scope of its own for each folder, wherever one comes from. */
export const workspaceScope = (path: string): string =>
  `workspace:${createHash('sha256').update(realPath(path)).digest('hex').slice(0, 12)}`;
