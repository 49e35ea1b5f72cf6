import * as real from '../../../src/edge/store/threaded.ts';
import { fusedStore } from './store.ts';

export * from '../../../src/edge/store/threaded.ts';

export const openThreaded: typeof real.openThreaded = (path, options) =>
  fusedStore('keeper store', real.openThreaded(path, options));
