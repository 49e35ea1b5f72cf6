import { WorkspaceError } from '../../src/edge/workspace/errors.ts';
import { openWorkspace } from '../../src/edge/workspace/index.ts';

/** Reads a tree in a process of its own and prints it: for tests that need another user or a second process. */
const [path = '', stateDir = ''] = process.argv.slice(2);
try {
  const workspace = await openWorkspace({ path, stateDir, clock: { at: () => 0 }, env: process.env });
  console.log(JSON.stringify(await workspace.tree()));
} catch (error) {
  if (!(error instanceof WorkspaceError)) throw error;
  console.log(JSON.stringify({ fault: error.fault, message: error.message, fix: error.fix }));
}
