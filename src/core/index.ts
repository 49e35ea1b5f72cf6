export { isAlive } from './approvals/gates.ts';
export { bounds } from './bounds.ts';
export { closingLine } from './completion/claims.ts';
export { factsOf, summaryRequest, withResults } from './cycle/cycle-facts.ts';
export { type PlainSummary, plainSummary } from './cycle/plain-summary.ts';
export { policyVersion, type RuleName } from './decide/order.ts';
export { effectsOf } from './effects.ts';
export { recoveryOf } from './fold/recovery.ts';
export { remember } from './fold/remember.ts';
export { cleanLine } from './fold/review.ts';
export { BrokenInvariant } from './must.ts';
export { renderInput, renderReview } from './prompt/prompt.ts';
export { type Divergence, type Replayed, replay } from './replay.ts';
export { foldVersion, isTerminal, type Run, type TaskQueue, type Working } from './run.ts';
export { type Stepped, step, stepAll } from './step.ts';
export { listTasks, renderTasks, taskLine } from './tasks/render-tasks.ts';
export {
  isBeingChecked,
  type TaskAnswer,
  taskOf,
  writeTask,
} from './tasks/task-queue.ts';
export { viewOf } from './view/run-view.ts';
export { passesByItself } from './waits.ts';
