import type { Holder, RunView, Store } from '../../contract/index.ts';
import { isTerminal } from '../../core/run.ts';
import { holderHere } from '../lock.ts';

/** Runs that should have a keeper: not over, and not set aside by a person or a limit. */
export const wantsKeeper = (view: RunView): boolean => !isTerminal(view.state) && view.state !== 'paused';

/**
 * Who keeps a run now, or null. Asked of the lease itself, the only thing that knows for sure: where nobody living
 * holds it, it is taken for a moment and given back, so that a dead holder's claim ends here.
 */
export async function keeperOf(store: Store, run: string): Promise<Holder | null> {
  const answer = await store.acquire(`run:${run}`, holderHere(`looking at ${run}`));
  if ('heldBy' in answer) return answer.heldBy;
  await store.release(answer.got);
  return null;
}
