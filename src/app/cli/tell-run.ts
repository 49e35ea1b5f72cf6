import type { Event, RunView } from '../../contract/index.ts';
import { isTerminal } from '../../core/index.ts';
import { holderHere } from '../../edge/lock.ts';
import { endings, endOrphansOf } from '../orphans.ts';
import { type Cli, CliError, refuseInside, runFor } from './cli.ts';

/** Leaves a person's request for the keeper of a run. Starts a keeper to hear it, unless the caller is one. */
export async function tellRun(
  cli: Cli,
  wanted: string | undefined,
  verb: 'pause' | 'stop' | 'resume' | 'steer',
  events: readonly Event[],
  isWoken = true,
): Promise<RunView> {
  await refuseInside(cli, verb);
  return cli.withStore(async (store) => {
    const view = await runFor(cli, store, wanted);
    if (isTerminal(view.state)) {
      // Nobody picks it up again, so this is the moment for what may be left of it.
      await endOrphansOf({ store, holder: holderHere(view.id), ...endings }, view.id);
      throw new CliError(
        `Run ${view.id} is ${view.state}. Finished runs cannot be ${past[verb]}; start a new one.`,
      );
    }
    for (const event of events) await store.post(view.id, event);
    if (isWoken) cli.startKeeper(view.id);
    return view;
  });
}

const past = { pause: 'paused', stop: 'stopped', resume: 'resumed', steer: 'steered' } as const;
