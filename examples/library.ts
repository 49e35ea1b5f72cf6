/** Tireless as a library, from a mission to a certified end: `node examples/library.ts` */
import { run } from 'tireless';
import { hastyAgent, makePlace } from './tiny-agent.ts';

const { workspace, home } = makePlace();
const agent = hastyAgent(workspace); // or the name of one: 'codex'
const [mission, checks] = ['Make notes.txt say "done".', ['grep -qx done notes.txt']];
const it = run({ mission, workspace, home, agent, checks });
for await (const { seq, decision } of it.entries)
  if (decision) console.log(`#${seq} ${decision.verdict} [${decision.rule}] ${decision.because}`);
console.log((await it.certificate).checks);
