/**
 * A custom agent behind the port: a shell script, supervised like any other agent.
 *
 *     node examples/adapter.ts
 */

import { run } from 'tireless';
import { commandAgent } from './command-agent.ts';
import { makePlace } from './tiny-agent.ts';

/** Reads the prompt; the first time it only looks around, when asked where it stands it does the work. */
const script = `
prompt=$(cat)
case $prompt in
  *'Where you stand'*) echo done > notes.txt; echo 'notes.txt is written.'; echo; echo 'TIRELESS: MISSION COMPLETE' ;;
  *) echo 'I looked around.'; date > seen.txt ;;
esac`;

const { workspace, home } = makePlace();
const agent = commandAgent({
  name: 'shell',
  command: ['sh', '-c', script],
  cwd: workspace,
  env: { PATH: process.env.PATH, TIRELESS_RUN: 'example' },
});
const mission = 'Make notes.txt say "done".';
const it = run({ mission, workspace, home, agent, checks: ['grep -qx done notes.txt'] });
for await (const { event } of it.entries)
  if (event.type === 'turn-ended') console.log(`  ${event.message?.text}`);
console.log(`${agent.facts.name}: ${(await it.certificate).verdict}`);
