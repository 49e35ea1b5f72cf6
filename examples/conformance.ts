/**
 * Does an adapter keep its promises? The suite of the testkit, run on the command agent without a test runner.
 *
 *     node examples/conformance.ts
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from 'tireless';
import { agentCases, type Behaviour, type ConformanceSubject } from 'tireless/testkit';
import { commandAgent } from './command-agent.ts';

/** What the program behind the adapter does with a prompt; here a shell script is the model. */
const scriptOf = (behaviour: Behaviour): string => {
  if (behaviour.do === 'reply') return `echo '${behaviour.text}'`;
  if (behaviour.do === 'run') return `${behaviour.command}; echo done`;
  return 'exec sleep 600'; // silence
};

const subject: ConformanceSubject = {
  // It has no notion of these; everything else is tested.
  cannot: ['asks', 'question', 'plan', 'background', 'subagent', 'garbage', 'die', 'new-session'],
  async make(behaviours) {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    behaviours.forEach((behaviour, n) => {
      writeFileSync(join(folder, `script${n + 1}`), scriptOf(behaviour));
    });
    const script = 'n=$(cat ../n); cat > ../prompt$n; . ../script$n';
    const env = { PATH: process.env.PATH };
    const agent = commandAgent({ name: 'shell', command: ['sh', '-c', script], cwd: workspace, env });
    const prompts = behaviours.map((_, n) => join(folder, `prompt${n + 1}`));
    return {
      agent: counting(agent, join(folder, 'n')),
      workspace,
      received: () => prompts.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8')),
      end: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

/** Writes which prompt it is before it is delivered. */
function counting(agent: Agent, file: string): Agent {
  let n = 0;
  return {
    facts: agent.facts,
    async open(listener) {
      const session = await agent.open(listener);
      const turn: typeof session.turn = (dispatch, prompt) => {
        writeFileSync(file, String(++n));
        return session.turn(dispatch, prompt);
      };
      return { ...session, turn };
    },
  };
}

const cases = agentCases(subject);
for (const { sentence, run } of cases) {
  console.log(`${await run()}: ${sentence}`);
}
console.log('It keeps its promises.');
