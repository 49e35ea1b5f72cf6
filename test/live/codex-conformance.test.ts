import { describe, it } from 'vitest';
import { codexAgent } from '../../src/edge/agents/codex/adapter.ts';
import { agentConformance, type Behaviour } from '../../src/testkit/agent-conformance.ts';
import { type ModelRequest, scriptedResponses } from '../../src/testkit/models/responses.ts';
import { call, hang, type ModelStep, say } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
}

const itemsOf = ({ body }: ModelRequest): readonly Item[] => (body as { input?: Item[] })?.input ?? [];

/** What a person or we said, without what Codex adds in our name. */
const promptsOf = (request: ModelRequest): readonly string[] =>
  itemsOf(request)
    .filter(({ type, role }) => type === 'message' && role === 'user')
    .map(({ content }) => (content ?? []).map(({ text }) => text ?? '').join(''))
    .filter((text) => !text.startsWith('<') && !text.startsWith('#'));

const planned = { pending: 'pending', active: 'in_progress', done: 'completed' } as const;
const exec = (cmd: string, yieldMs = 20_000) => call('c', 'exec_command', { cmd, yield_time_ms: yieldMs });
const team = { namespace: 'multi_agent_v1' };

/** The first thing the model does with a prompt; after its tool's output it says `done`. */
function firstStep(behaviour: Behaviour): ModelStep {
  switch (behaviour.do) {
    case 'reply':
      return say(behaviour.text, { usage: { input: 100, output: 10 } });
    case 'run':
      return exec(behaviour.command);
    case 'background':
      return exec(behaviour.command, 250);
    case 'die':
      return exec('kill -9 $PPID');
    case 'question':
      return call('q', 'request_user_input', {
        questions: [
          {
            id: 'q',
            header: 'Question',
            question: behaviour.question,
            options: [
              { label: 'red', description: 'one' },
              { label: 'blue', description: 'other' },
            ],
          },
        ],
      });
    case 'plan':
      return call('p', 'update_plan', {
        plan: behaviour.steps.map(({ text, status }) => ({ step: text, status: planned[status] })),
      });
    case 'subagent':
      return call('s', 'spawn_agent', { message: 'Make the file.' }, team);
    case 'silence':
      return hang();
    default:
      return say('done');
  }
}

/** A model that finds its place in the script by the prompts it was shown: an early interrupt keeps one from it. */
function modelOf(behaviours: readonly Behaviour[]) {
  let root: string | undefined;
  return (request: ModelRequest): ModelStep => {
    root ??= request.thread;
    const items = itemsOf(request);
    const isAfterTool = items.at(-1)?.type.endsWith('_output') === true;
    const subagent = behaviours.find((one) => one.do === 'subagent');
    if (subagent !== undefined) {
      if (request.thread !== root) return isAfterTool ? say('made') : exec(subagent.command);
      const [, child] = /agent_id\\+":\\+"([0-9a-f-]+)/.exec(JSON.stringify(items)) ?? [];
      const hasWaited = JSON.stringify(items).includes('wait_agent');
      if (child !== undefined && !hasWaited)
        return call('w', 'wait_agent', { targets: [child], timeout_ms: 20_000 }, team);
    }
    const n = Math.min(promptsOf(request).length, behaviours.length) - 1;
    return isAfterTool ? say('done') : firstStep(behaviours[n] ?? { do: 'reply', text: 'all done' });
  };
}

const garbling = ['sh', '-c', 'echo "{ half a li"; exec "$@"', 'sh'];

agentConformance(
  'the real Codex',
  {
    withinMs: 60_000,
    cannot: ['new-session'],
    async make(behaviours) {
      const model = await scriptedResponses({ choose: modelOf(behaviours) });
      const home = codexHome({ modelUrl: model.url, features: { default_mode_request_user_input: true } });
      const [program, ...args] = codex ?? ['codex'];
      const isGarbled = behaviours.some((one) => one.do === 'garbage');
      const [first = program, ...rest] = isGarbled ? [...garbling, program, ...args] : [program, ...args];
      return {
        agent: codexAgent({
          run: 'run-1',
          cwd: home.workspace,
          env: home.env,
          command: [first, ...rest],
          sandbox: 'danger-full-access',
        }),
        workspace: home.workspace,
        received() {
          const last = model.requests.findLast(({ thread }) => thread === model.requests[0]?.thread);
          return last === undefined ? [] : [...promptsOf(last), ...outputsOf(last)];
        },
        async end() {
          await model.close();
          home.remove();
        },
      };
    },
  },
  { describe: (name, body) => describe.skipIf(!codex)(name, body), it },
);

/** What tools returned to the model, such as the answer to its question. */
function outputsOf(request: ModelRequest): string[] {
  return itemsOf(request)
    .filter(({ type }) => type.endsWith('_output'))
    .map((item) => JSON.stringify(item));
}
