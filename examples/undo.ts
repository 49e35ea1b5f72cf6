/**
 * Undoing what a run did to the files. Every turn's tree is recorded in the ledger and kept outside the workspace, so any
 * of them can be restored; the person's own index, branch and stash are not touched.
 *
 *     node examples/undo.ts
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closingLine, makeClock, openWorkspace, run } from 'tireless';
import { makePlace, tinyAgent, writes } from './tiny-agent.ts';

const { workspace: path, home } = makePlace();
const notes = (): string => readFileSync(join(path, 'notes.txt'), 'utf8').trim();
const agent = tinyAgent([writes(path, 'done\n', closingLine)]);
const checks = ['grep -qx done notes.txt'];
const it = run({ mission: 'Make notes.txt say "done".', workspace: path, home, agent, checks });

const trees: string[] = [];
for await (const { event } of it.entries)
  if (event.type === 'effect-ended' && event.outcome.of === 'tree-read') trees.push(event.outcome.tree.tree);
const [before = '', after = ''] = [trees[0], trees.at(-1)];
console.log(`after the run: ${notes()}`);

const workspace = await openWorkspace({ path, stateDir: home, clock: makeClock(), env: process.env });
for (const change of (await workspace.diff(before, after)).changes)
  console.log(`${change.status}: ${change.path}`);
const restored = await workspace.restore(before);
console.log(`restored: ${notes()}, and what stood there is kept as a savepoint`);
await workspace.restore(restored.before.name);
console.log(`and back: ${notes()}`);
