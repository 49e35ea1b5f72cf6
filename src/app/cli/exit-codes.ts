import type { RunView } from '../../contract/view.ts';

/** What scripts may rely on; docs/cli.md lists them. */
export const exit = {
  done: 0,
  error: 1,
  usage: 2,
  needsPerson: 10,
  limit: 11,
  usageLimit: 75,
  interrupted: 130,
} as const;

/** What a run's state means to a script that waited for it. */
export function exitCodeOf(view: RunView): number {
  switch (view.state) {
    case 'done':
      return exit.done;
    case 'failed':
      return exit.error;
    case 'stopped':
      return exit.interrupted;
    case 'paused':
      return view.cause?.startsWith('limit:') === true ? exit.limit : exit.needsPerson;
    case 'waiting':
      if (view.waitingOn === 'usage-limit') return exit.usageLimit;
      return view.waitingOn === 'approval' || view.waitingOn === 'input' ? exit.needsPerson : exit.done;
    default:
      return exit.done;
  }
}
