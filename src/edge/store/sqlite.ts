/** The SQLite store: two ways to open it, and what can be asked of a store file from outside. */
export { verifyChain, verifyRun } from './chain.ts';
export { exportPublic, exportRun, verifyExport } from './export.ts';
export { openInline } from './inline.ts';
export { inspectStore } from './inspect.ts';
export { runKey } from './lease.ts';
export { openThreaded } from './threaded.ts';
