import { createHash } from 'node:crypto';
import { realPath } from '../home.ts';

/** The scope `workspace`: one for each folder. */
export const workspaceScope = (path: string): string =>
  `workspace:${createHash('sha256').update(realPath(path)).digest('hex').slice(0, 12)}`;
