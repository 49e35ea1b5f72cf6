import type { WaitingOn } from '../contract/index.ts';
import { behaves } from './behaviour.ts';
import type { Run } from './run.ts';

/** Waits that end by themselves, at a time that is known or when something outside is over. */
export const passesByItself: ReadonlySet<WaitingOn> = new Set([
  'usage-limit',
  'backoff',
  'background',
  'provider',
  'agent',
  'external',
]);

/** What the ledger of this run calls a wait: older ones have a single name for several. */
export const waitName = (run: Run, on: WaitingOn): WaitingOn =>
  behaves(run, 'namesWaits') ? on : 'external';

/** Does the run wait for this, by today's name or by the one in older ledgers, where a summary ended any such wait? */
export const waitsFor = ({ waiting, timers }: Run, on: 'foreign-turn' | 'summary'): boolean =>
  waiting?.on === on || (waiting?.on === 'external' && (on === 'summary' || timers.wait === undefined));
