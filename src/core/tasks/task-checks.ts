import type { Effect, EffectOf, EventOf, Outcome } from '../../contract/index.ts';
import { certify, type Evidence } from '../completion/certificate.ts';
import { isUnderWay } from '../react/launch.ts';
import type { Run, TaskQueue } from '../run.ts';
import { disproved, finished, writeTask } from './task-queue.ts';

/** A write to the queue. Null when it was refused: the same write on the same queue tells whoever asked why. */
export function foldTaskWrite(run: Run, { write, by }: EventOf<'task-written'>): Run | null {
  if (run.mode !== 'autonomous') return null;
  const { queue, answer } = writeTask(run.tasks, write, { at: run.at, by, hasChecks: run.checks.length > 0 });
  return answer.ok ? { ...run, tasks: queue } : null;
}

/** Tasks were called done: the checks run, unless they run already or nothing may be started now. */
export function startTaskChecks(run: Run, others: readonly Effect[]): readonly Effect[] {
  if (run.state === 'paused' || run.state === 'ready') return [];
  if (isUnderWay(run, 'checks-run') || others.some((effect) => effect.type === 'checks-run')) return [];
  const [first = '', ...more] = run.tasks.waiting;
  const because = `${first}${more.length === 0 ? '' : ` and ${more.length} more`} called done; believed on our own evidence only`;
  return [{ type: 'checks-run', because, purpose: 'task' }];
}

/** Every check that begins now is evidence for the tasks called done before it. */
export function beginTaskChecks(run: Run, effect: EffectOf<'checks-run'>, id: string): Run {
  const { tasks } = run;
  if (tasks.waiting.length === 0 || effect.purpose === 'baseline') return run;
  const checking = [...tasks.checking, ...tasks.waiting.map((task) => ({ task, effect: id }))];
  return { ...run, tasks: { ...tasks, waiting: [], checking } };
}

/** Checks that nobody waits for any more, or that died with their process, have to begin anew. */
export function withTasksWaiting(run: Run): Run {
  const { tasks } = run;
  const isAlive = (effect: string): boolean => run.pending.some(({ id }) => id === effect);
  const lost = tasks.checking.filter(({ effect }) => !isAlive(effect)).map(({ task }) => task);
  if (lost.length === 0) return run;
  const checking = tasks.checking.filter(({ effect }) => isAlive(effect));
  return { ...run, tasks: { ...tasks, checking, waiting: [...lost, ...tasks.waiting] } };
}

type Checked = Extract<Outcome, { of: 'checks-run' }>;

/** What the checks found, ready to be weighed. */
export const evidenceIn = (run: Run, outcome: Checked): Evidence => ({
  claim: run.claim,
  results: outcome.results,
  baseline: run.baseline,
  tree: outcome.after.tree,
  isTreeKnown: outcome.before.tree !== 'unknown' && outcome.after.tree !== 'unknown',
  wrote: outcome.wrote ?? [],
  altered: outcome.altered ?? [],
  acceptedBy: null,
});

/** What our own checks say settles every task that was called done before they began. */
export function taskChecksEnded(run: Run, effect: string, outcome: Checked): Run {
  const settled = run.tasks.checking.filter((one) => one.effect === effect);
  if (settled.length === 0) return run;
  // Checks that were cut short by a pause say nothing.
  if (run.state === 'paused') return withTasksWaiting(run);
  const { verdict, because } = certify({ ...evidenceIn(run, outcome), claim: null });
  const why = because.join('; ');
  const settle = (queue: TaskQueue, { task }: { task: string }): TaskQueue =>
    verdict === 'refused'
      ? disproved(queue, task, why, run.at)
      : finished(queue, task, 'passed', why === '' ? 'every check passed' : why, run.at);
  return { ...run, tasks: settled.reduce(settle, run.tasks) };
}
