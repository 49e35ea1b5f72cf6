import * as real from '../../../src/edge/notify/notifier.ts';
import { fusedFunction } from './fuse.ts';

export const makeNotifier: typeof real.makeNotifier = (settings, parts) =>
  fusedFunction('notify', real.makeNotifier(settings, parts));
