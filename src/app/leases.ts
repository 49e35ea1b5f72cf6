import { type Lease, type LeaseAnswer, StoreError } from '../contract/index.ts';
import type { House } from './house.ts';

const heartbeatMs = 30_000;

export interface Leases {
  readonly epoch: number;
  /** Beats until stopped; calls `lost` when another process took the run. */
  keep(lost: () => void): () => void;
  release(): Promise<void>;
}

/** The run's lease and the workspace's: one keeper per run, one run per worktree. */
export async function holdLeases(house: House, run: string): Promise<Leases> {
  const ofRun = granted(
    await house.store.acquire(`run:${run}`, house.holder),
    `run ${run} is being worked`,
    'watch it with: tireless status',
  );
  const held: Lease[] = [ofRun];
  const release = async (): Promise<void> => {
    for (const lease of held.splice(0).reverse()) await house.store.release(lease);
  };
  try {
    const key = `workspace:${house.workspace.path}`;
    held.push(
      granted(
        await house.store.acquire(key, house.holder),
        `another run works in ${house.workspace.path}`,
        'wait for it, stop it (tireless stop), or use a worktree of your own (--worktree)',
      ),
    );
  } catch (error) {
    await release();
    throw error;
  }
  const keep = (lost: () => void): (() => void) => {
    let off = (): void => undefined;
    const beat = async (): Promise<void> => {
      for (const lease of [...held]) if (!(await house.store.renew(lease))) return lost();
      off = house.clock.after(heartbeatMs, () => void beat().catch(lost));
    };
    off = house.clock.after(heartbeatMs, () => void beat().catch(lost));
    return () => off();
  };
  return { epoch: ofRun.epoch, keep, release };
}

function granted(answer: LeaseAnswer, what: string, fix: string): Lease {
  if ('got' in answer) return answer.got;
  const { pid, host } = answer.heldBy;
  throw new StoreError('busy', `${what} by process ${pid} on ${host}`, fix);
}
