/**
 * Tireless as a library: from a mission to a certified end, with a store in memory.
 *
 *     node examples/library.ts
 *
 * The agent claims to be finished too early. The check fails, the agent gets the evidence, and the second claim holds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closingLine, entriesOf, makeClock, supervise } from '../src/index.ts';
import { memoryStore } from '../src/testkit/index.ts';
import { makeDependencies, makePlace, recordRun } from './dependencies.ts';
import { tinyAgent } from './tiny-agent.ts';

const place = makePlace();
const notes = join(place.workspace, 'notes.txt');

const agent = tinyAgent([
  () => `It was done already, I think.\n\n${closingLine}`,
  (prompt) => {
    console.log(`the agent reads: ${prompt.split('\n').find((line) => line.startsWith('## Not finished'))}`);
    writeFileSync(notes, readFileSync(notes, 'utf8').replace('todo', 'done'));
    return `Now it says done.\n\n${closingLine}`;
  },
]);

const store = memoryStore(makeClock());
const deps = await makeDependencies({ store, agent, ...place });
const run = await recordRun(deps, 'Make notes.txt say "done".', [
  { name: 'notes', command: 'grep -qx done notes.txt', cwd: '.', source: 'config' },
]);

const view = await supervise(deps, { run });

for await (const { seq, decision } of entriesOf(store, run))
  if (decision !== undefined)
    console.log(`#${seq} ${decision.verdict} [${decision.rule}] ${decision.because}`);
console.log(`${view.state} after ${view.turns} turns: ${view.because}`);
