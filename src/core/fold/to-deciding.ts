import { type Run, without } from '../run.ts';
import { withTasksWaiting } from '../tasks/task-checks.ts';
import { move } from './lifecycle.ts';
import { steeringBack, withoutLaunch } from './unsent.ts';

/** Effects that serve the next turn or its proof. */
const dropped: ReadonlySet<string> = new Set([
  'slot-request',
  'tree-read',
  'checks-run',
  'advice-ask',
  'summarise',
]);

/**
 * Back to the rules, from wherever the run stands without a turn in flight. Whatever was waited for is dropped, and
 * what was on its way to the agent waits for the next input.
 */
export function toDeciding(run: Run, because: string): Run {
  const pending = run.pending.filter(
    (effect) => !dropped.has(effect.type) || (effect.type === 'checks-run' && effect.purpose === 'task'),
  );
  const found: Run = run.awaiting.find ? { ...steeringBack(run), inDoubt: true } : run;
  const cleared: Run = withTasksWaiting({
    ...withoutLaunch(found),
    timers: without(run.timers, 'wait'),
    pending,
    awaiting: { tree: false, advice: false, find: false },
    adviceAsked: run.adviceAsked && !run.awaiting.advice,
  });
  return run.state === 'ready' ? cleared : move(cleared, 'deciding', { because });
}
