import type { Entry } from '../../contract/index.ts';
import { must } from '../must.ts';
import type { Run } from '../run.ts';
import { fold } from './fold.ts';
import { settle } from './settle.ts';

/** Rebuilds a run from what was recorded, never from what today's rules would decide. */
export function remember(before: Run | null, entry: Entry): Run {
  must(entry.seq === (before?.seq ?? 0) + 1, `entry ${entry.seq} does not follow ${before?.seq ?? 0}`);
  const { run, late } = fold(before, entry, entry.run);
  return late ? run : settle(run, entry.decision, entry.effects ?? []);
}
