/**
 * Tireless as a library: hand a run's dependencies to `supervise` and it works a run until it is over or paused.
 * The words (`Agent`, `Store`, `Event`, `Decision` …) are those of `tireless/contract`.
 */
export { composeDependencies, createdOf } from './app/compose.ts';
export { createRun, type NewRun } from './app/create-run.ts';
export type { Dependencies } from './app/dependencies.ts';
export { entriesOf } from './app/entries.ts';
export { openRun } from './app/open-run.ts';
export { type SuperviseOptions, supervise } from './app/supervise.ts';
export * from './contract/index.ts';
export { closingLine, policyVersion, type Replayed, type Run, replay, viewOf } from './core/index.ts';
export { codexAgent } from './edge/agents/codex/adapter.ts';
export type { CodexOptions } from './edge/agents/codex/options.ts';
export { codexServer } from './edge/agents/codex/server.ts';
export { jsonLines } from './edge/agents/shared/frames.ts';
export { endTree, startChild } from './edge/agents/shared/process.ts';
export { makeClock } from './edge/clock.ts';
export { findHome, openHome } from './edge/home.ts';
export { makeIds } from './edge/ids.ts';
export { type Ingest, makeIngest } from './edge/ingest/ingest.ts';
export { makeRedactor } from './edge/ingest/redact.ts';
export { holderHere, processStart } from './edge/lock.ts';
export { openInline, openThreaded } from './edge/store/sqlite.ts';
export { openWorkspace } from './edge/workspace/index.ts';
