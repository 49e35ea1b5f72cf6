import type { RunView } from '../contract/index.ts';
import { isTerminal, type Run, viewOf } from '../core/index.ts';
import { endTree } from '../edge/agents/shared/process.ts';
import type { Dependencies } from './dependencies.ts';

const markOf = (run: string): string => `TIRELESS_RUN=${run}`;
/** No process and no group has this id: only the mark counts. */
const noPid = -1;

/** How processes of an earlier keeper are ended on this machine. */
export const endings: Pick<Dependencies, 'endOrphan' | 'endStrays'> = {
  endOrphan: async (child, run) =>
    void (await endTree({ pid: child.pid, start: child.pidStart, mark: markOf(run) }, 0)),
  endStrays: async (run) => void (await endTree({ pid: noPid, start: null, mark: markOf(run) }, 0)),
};

/**
 * Ends what outlived its keeper in a workspace: no agent of an earlier day, nor a command it left running, may work
 * beside the one that is about to start. Only the holder of the workspace's lease may ask for it. Runs that are over
 * are looked at too, since nobody picks them up again.
 */
export async function endOrphans(deps: Dependencies, run: Run): Promise<void> {
  const { store, workspace, endStrays } = deps;
  const here = (await store.runs()).filter((view) => view.workspace === workspace.path && !standsOn(view));
  for (const { id } of here) await endOrphansOf(deps, id);
  if (!standsOn(viewOf(run))) await endStrays?.(run.id);
}

/** Its session is meant to survive its keeper, and the run goes on. */
const standsOn = ({ agentFacts, state }: RunView): boolean =>
  agentFacts?.outlives === true && !isTerminal(state);

/** Ends what is left of one run. The process itself may be gone while what it started lives on. */
export async function endOrphansOf(
  { store, holder, endOrphan }: Pick<Dependencies, 'store' | 'holder' | 'endOrphan'>,
  run: string,
): Promise<void> {
  for (const child of await store.children(run)) {
    if (child.host === holder.host) await endOrphan(child, run);
    await store.forgetChild(run, child);
  }
}
