import type { Store } from '../../../src/contract/ports.ts';
import { fused } from './fuse.ts';

/** Everything a store writes. */
export const fusedStore = (where: string, store: Store): Store =>
  fused(where, store, ['append', 'acquire', 'release', 'post', 'noteChild', 'forgetChild']);
