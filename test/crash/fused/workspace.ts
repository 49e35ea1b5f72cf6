import * as real from '../../../src/edge/workspace/index.ts';
import { fused } from './fuse.ts';

export * from '../../../src/edge/workspace/index.ts';

export const openWorkspace: typeof real.openWorkspace = async (options) =>
  fused('workspace', await real.openWorkspace(options), ['tree', 'check', 'savepoint']);
