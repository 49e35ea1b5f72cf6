/** The scripted agent as a process of its own: `node scripted-process.ts <script> <log> <session>`. */
import { readFileSync } from 'node:fs';
import { runScriptedAgent } from '../../src/edge/agents/scripted/agent-process.ts';
import { scriptSchema } from '../../src/edge/agents/scripted/script.ts';

const [script = '', logPath = '', session = ''] = process.argv.slice(2);
await runScriptedAgent({
  script: scriptSchema.parse(JSON.parse(readFileSync(script, 'utf8'))),
  logPath,
  session,
  cwd: process.cwd(),
  input: process.stdin,
  output: process.stdout,
});
process.exit(0);
