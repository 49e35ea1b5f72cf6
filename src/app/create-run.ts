import { type Check, type EventOf, StoreError } from '../contract/index.ts';
import { policyVersion, step, viewOf } from '../core/index.ts';
import type { Dependencies } from './dependencies.ts';

export interface NewRun {
  readonly id: string;
  readonly mission: string;
  readonly checks: readonly Check[];
  readonly created: Pick<
    EventOf<'run-created'>,
    'agent' | 'policy' | 'configDigest' | 'mode' | 'setup' | 'by' | 'workspace' | 'site'
  >;
}

/** Writes the first entry of a new run. Refused when another run is working in the same worktree. */
export async function createRun(
  deps: Pick<Dependencies, 'store' | 'ingest' | 'holder'>,
  { id, mission, checks, created }: NewRun,
): Promise<void> {
  const { store, ingest, holder } = deps;
  const busy = await store.acquire(`workspace:${created.workspace}`, holder);
  if ('heldBy' in busy) {
    throw new StoreError(
      'busy',
      `another run is working in ${created.workspace} (process ${busy.heldBy.pid})`,
      'wait for it, stop it (tireless stop), or use --worktree',
    );
  }
  const lease = await store.acquire(`run:${id}`, holder);
  if ('heldBy' in lease) throw new StoreError('busy', `run ${id} already exists`, 'try again');
  try {
    const { stamped, bodies } = ingest({
      type: 'run-created',
      mission: { text: mission },
      policyVersion,
      checks: [...checks],
      ...created,
    });
    const { run, entry } = step(null, stamped, id);
    await store.append(id, lease.got.epoch, 1, [entry], { view: viewOf(run), bodies });
  } finally {
    await store.release(lease.got);
    await store.release(busy.got);
  }
}
