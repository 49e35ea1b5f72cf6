import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { scriptedAgent } from '../../src/edge/agents/scripted/adapter.ts';
import { openAgentLog } from '../../src/edge/agents/scripted/agent-log.ts';
import type { ScriptedTurn } from '../../src/edge/agents/scripted/script.ts';
import { agentConformance, type Behaviour } from '../../src/testkit/agent-conformance.ts';

const program = fileURLToPath(new URL('./scripted-process.ts', import.meta.url));
const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

function folders() {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-conformance-'));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  return {
    workspace,
    file: (name: string) => join(folder, name),
    end: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const planned = { pending: 'pending', active: 'in-progress', done: 'completed' } as const;

/** A behaviour as a turn of the script. */
function turnOf(behaviour: Behaviour): ScriptedTurn {
  const one = (step: ScriptedTurn['steps'][number]) => ({ steps: [step], message: 'done' });
  switch (behaviour.do) {
    case 'reply':
      return { steps: [], message: behaviour.text };
    case 'run':
      return one({ run: behaviour.command });
    case 'question':
      return one({ ask: behaviour.question });
    case 'plan':
      return one({
        plan: behaviour.steps.map(({ text, status }) => ({ step: text, status: planned[status] })),
      });
    case 'background':
      return one({ background: behaviour.command });
    case 'subagent':
      return one({ subagent: 'helper', run: behaviour.command });
    case 'garbage':
      return one({ garbage: '{"word": "half a li' });
    case 'silence':
      return one({ hang: true });
    case 'die':
      return one({ die: true });
    case 'new-session':
      return one({ session: 'clear' });
  }
}

agentConformance(
  'the scripted agent',
  {
    async make(behaviours) {
      const { workspace, file, end } = folders();
      const [script, log] = [file('script.json'), file('agent.log')];
      writeFileSync(script, JSON.stringify({ turns: behaviours.map(turnOf) }));
      return {
        workspace,
        end,
        agent: scriptedAgent({ command: [process.execPath, program, script, log], cwd: workspace, env }),
        received: () =>
          openAgentLog(log)
            .lines()
            .flatMap((line) => (line.kind === 'ended' ? [] : [line.prompt])),
      };
    },
  },
  { describe, it },
);
