import * as real from '../../../src/edge/store/inline.ts';
import { fusedStore } from './store.ts';

export * from '../../../src/edge/store/inline.ts';

export const openInline: typeof real.openInline = (path, options) =>
  fusedStore('cli store', real.openInline(path, options));
