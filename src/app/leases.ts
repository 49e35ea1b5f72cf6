import { type Lease, type LeaseAnswer, StoreError } from '../contract/index.ts';
import type { Dependencies } from './dependencies.ts';

const heartbeatMs = 30_000;
/** A heartbeat that cannot be written for this long: others may hold us for dead, so we release the lease first. */
const heartbeatMissedMaxMs = 900_000;

export interface Leases {
  readonly epoch: number;
  /** Beats until stopped; calls `lost` when another process took the run, or may have. */
  keep(lost: () => void): () => void;
  release(): Promise<void>;
}

/** The run's lease and the workspace's: one keeper per run, one run per worktree. */
export async function holdLeases(deps: Dependencies, run: string): Promise<Leases> {
  const ofRun = granted(
    await deps.store.acquire(`run:${run}`, deps.holder),
    `run ${run} is already being worked on`,
    'watch it with: tireless status',
  );
  const held: Lease[] = [ofRun];
  const release = async (): Promise<void> => {
    for (const lease of held.splice(0).reverse()) await deps.store.release(lease);
  };
  try {
    const key = `workspace:${deps.workspace.path}`;
    held.push(
      granted(
        await deps.store.acquire(key, deps.holder),
        `another run is working in ${deps.workspace.path}`,
        'wait for it, stop it (tireless stop), or use --worktree',
      ),
    );
  } catch (error) {
    await release();
    throw error;
  }
  return { epoch: ofRun.epoch, keep: (lost) => keepAlive(deps, held, lost), release };
}

function keepAlive({ clock, store }: Dependencies, held: readonly Lease[], lost: () => void): () => void {
  let isKept = true;
  let off = (): void => undefined;
  let beatMono = clock.mono();
  const renewed = async (): Promise<boolean> => {
    for (const lease of [...held]) if (!(await store.renew(lease))) return false;
    return true;
  };
  const beat = async (): Promise<void> => {
    try {
      if (!(await renewed())) return isKept ? lost() : undefined;
      beatMono = clock.mono();
    } catch {
      // A disk that refuses one heartbeat may take the next; the append that follows is refused if it must be.
      if (clock.mono() - beatMono >= heartbeatMissedMaxMs) return lost();
    }
    if (isKept) off = clock.after(heartbeatMs, () => void beat());
  };
  off = clock.after(heartbeatMs, () => void beat());
  return () => {
    isKept = false;
    off();
  };
}

function granted(answer: LeaseAnswer, what: string, fix: string): Lease {
  if ('got' in answer) return answer.got;
  const { pid, host } = answer.heldBy;
  throw new StoreError('busy', `${what} by process ${pid} on ${host}`, fix);
}
