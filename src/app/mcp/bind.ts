import type { Store } from '../../contract/index.ts';
import { isTerminal } from '../../core/index.ts';
import { ancestorsOf } from '../../edge/ancestors.ts';
import type { Env } from '../../edge/home.ts';
import { isAlive } from '../../edge/lock.ts';

/** The run this process may act for, or why there is none. */
export type Bound = { readonly run: string } | { readonly problem: string };

const howToStart = 'Tireless registers it with the agents it starts; there is nothing to set up by hand.';

/**
 * A process acts for exactly one run: the one its keeper named, in the arguments and in the environment of the agent. An
 * agent of another run is refused, whatever it puts into either.
 */
export async function boundRun(store: Store, asked: string | undefined, env: Env): Promise<Bound> {
  const given = env.TIRELESS_RUN === '' ? undefined : env.TIRELESS_RUN;
  const run = asked ?? given;
  if (run === undefined)
    return { problem: `tireless mcp needs the run it acts for: --run ID. ${howToStart}` };
  if (given !== undefined && given !== run)
    return { problem: `this shell belongs to the supervised run ${given}; it cannot act for ${run}.` };
  const ancestors = new Set(ancestorsOf(process.pid));
  for (const view of await store.runs()) {
    if (view.id === run || isTerminal(view.state)) continue;
    const agents = await store.children(view.id);
    if (agents.some((child) => ancestors.has(child.pid) && isAlive(child)))
      return { problem: `this process belongs to the supervised run ${view.id}; it cannot act for ${run}.` };
  }
  return { run };
}
