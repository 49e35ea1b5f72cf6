/**
 * A custom agent behind the port: a shell script, supervised like any other agent.
 *
 *     node examples/adapter.ts
 */

import { makeClock, supervise } from '../src/index.ts';
import { memoryStore } from '../src/testkit/index.ts';
import { commandAgent } from './command-agent.ts';
import { makeDependencies, makePlace, recordRun } from './dependencies.ts';

/** Reads the prompt; the first time it only looks around, when asked where it stands it does the work. */
const script = `
prompt=$(cat)
case $prompt in
  *'Where you stand'*) echo done > notes.txt; echo 'notes.txt is written.'; echo; echo 'TIRELESS: MISSION COMPLETE' ;;
  *) echo 'I looked around.'; date > seen.txt ;;
esac`;

const place = makePlace();
const agent = commandAgent({
  name: 'shell',
  command: ['sh', '-c', script],
  cwd: place.workspace,
  env: { PATH: process.env.PATH, TIRELESS_RUN: 'example' },
});
const deps = await makeDependencies({ store: memoryStore(makeClock()), agent, ...place });
const run = await recordRun(deps, 'Make notes.txt say "done".', [
  { name: 'notes', command: 'grep -qx done notes.txt', cwd: '.', source: 'config' },
]);
const view = await supervise({ ...deps, onLive: ({ text }) => process.stdout.write(`  ${text}`) }, { run });
console.log(`${view.agent}: ${view.state} after ${view.turns} turns, ${view.because}`);
