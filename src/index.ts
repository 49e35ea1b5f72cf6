/**
 * Tireless as a library. `run` starts a run and works it in this process; the rest is for adapters, for reading ledgers
 * and for undoing. The schemas behind the types are in `tireless/contract`.
 */
export { type ComposeParts, composeDependencies } from './app/compose.ts';
export type { Dependencies } from './app/dependencies.ts';
export { entriesOf } from './app/entries.ts';
export { openRun } from './app/open-run.ts';
export { type Answer, RunError, type RunOptions, run, type StartedRun } from './app/run.ts';
export { type SuperviseOptions, supervise } from './app/supervise.ts';
export { AgentFailure, StoreError } from './contract/errors.ts';
export type * from './contract/index.ts';
export { closingLine, policyVersion, type Replayed, type Run, replay, viewOf } from './core/index.ts';
export { codexAgent } from './edge/agents/codex/adapter.ts';
export type { CodexOptions } from './edge/agents/codex/options.ts';
export { codexServer } from './edge/agents/codex/server.ts';
export { jsonLines } from './edge/agents/shared/frames.ts';
export { endTree, startChild } from './edge/agents/shared/process.ts';
export { makeClock } from './edge/clock.ts';
export { findHome, type Home } from './edge/home.ts';
export { openInline } from './edge/store/sqlite.ts';
export { openWorkspace } from './edge/workspace/index.ts';
