/**
 * Undoing what a run did to the files. Every turn's tree is recorded in the ledger and kept outside the workspace, so any
 * of them can be restored; the person's own index, branch and stash are not touched.
 *
 *     node examples/undo.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closingLine, entriesOf, makeClock, openWorkspace, supervise } from '../src/index.ts';
import { memoryStore } from '../src/testkit/index.ts';
import { makeDependencies, makePlace, recordRun } from './dependencies.ts';
import { tinyAgent } from './tiny-agent.ts';

const place = makePlace();
const notes = join(place.workspace, 'notes.txt');
const agent = tinyAgent([
  () => {
    writeFileSync(notes, 'done\n');
    return closingLine;
  },
]);
const store = memoryStore(makeClock());
const deps = await makeDependencies({ store, agent, ...place });
const check = { name: 'notes', command: 'grep -qx done notes.txt', cwd: '.', source: 'config' };
const run = await recordRun(deps, 'Make notes.txt say "done".', [check]);
await supervise(deps, { run });
console.log(`after the run: ${readFileSync(notes, 'utf8').trim()}`);

const trees: string[] = [];
for await (const { event } of entriesOf(store, run))
  if (event.type === 'effect-ended' && event.outcome.of === 'tree-read') trees.push(event.outcome.tree.tree);
const [before = '', after = ''] = [trees[0], trees.at(-1)];

const workspace = await openWorkspace({
  path: place.workspace,
  stateDir: place.state,
  clock: makeClock(),
  env: process.env,
});
for (const { path, status } of (await workspace.diff(before, after)).changes)
  console.log(`${status}: ${path}`);
const restored = await workspace.restore(before);
console.log(`restored: ${readFileSync(notes, 'utf8').trim()}, and what stood there is kept as a savepoint`);
await workspace.restore(restored.before.name);
console.log(`and back: ${readFileSync(notes, 'utf8').trim()}`);
