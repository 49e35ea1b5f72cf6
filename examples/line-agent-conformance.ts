/**
 * The testkit's suite for adapters, run on the line agent, which asks, plans and dies.
 *
 *     node examples/line-agent-conformance.ts
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentCases, type ConformanceSubject } from '../src/testkit/index.ts';
import { lineAgent } from './line-agent.ts';

const program = join(import.meta.dirname, 'line-agent-program.ts');

const subject: ConformanceSubject = {
  cannot: ['question', 'background', 'subagent', 'new-session'],
  async make(behaviours) {
    const folder = mkdtempSync(join(tmpdir(), 'line-agent-'));
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const script = join(folder, 'script.json');
    const prompts = join(folder, 'prompts.jsonl');
    writeFileSync(script, JSON.stringify(behaviours));
    const env = { PATH: process.env.PATH, TIRELESS_RUN: 'example' };
    const lines = () => (existsSync(prompts) ? readFileSync(prompts, 'utf8').split('\n').slice(0, -1) : []);
    return {
      agent: lineAgent({ command: [process.execPath, program, script, prompts], cwd: workspace, env }),
      workspace,
      received: () => lines().map((line) => JSON.parse(line)),
      end: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

for (const { sentence, run } of agentCases(subject)) {
  console.log(`${await run()}: ${sentence}`);
}
console.log('It keeps its promises.');
