import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeptMemory } from '../../src/contract/index.ts';
import { closingLine } from '../../src/core/index.ts';
import type { LogLine } from '../../src/edge/agents/scripted/agent-log.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';
import {
  type ChatRequest,
  type ChatStep,
  type ScriptedChat,
  scriptedChat,
} from '../../src/testkit/models/chat-completions.ts';
import { type Desk, ownDesk, proof } from '../cli/kit.ts';
import { until } from '../process-kit.ts';

const twoCycles: Script = {
  asks: false,
  paceMs: 0,
  turns: [
    { steps: [{ write: 'one.txt', text: '1\n' }, { run: 'echo the answer is 42' }], message: 'One of two.' },
    { steps: [{ tokens: 900 }], message: 'Wrapped up.' },
    { steps: [{ write: 'two.txt', text: '2\n' }], message: `Both are there.\n\n${closingLine}` },
  ],
};

/** Learns from the command it was shown, by the number of its entry. */
function learning({ body }: ChatRequest): ChatStep {
  const shown = /\\"entry\\": ?(\d+),\\n *\\"kind\\": ?\\"command\\"/.exec(JSON.stringify(body))?.[1] ?? '0';
  const memory = {
    type: 'fact',
    text: 'The answer of the deep thought is 42.',
    entry: Number(shown),
    importance: 0.8,
  };
  const memories = [{ ...memory, scope: 'workspace', supersedes: null }];
  return { do: 'say', text: JSON.stringify({ summary: 'One file of two is made, by the model.', memories }) };
}

let server: ScriptedChat;
let step: (request: ChatRequest) => ChatStep;
beforeEach(async () => {
  step = learning;
  server = await scriptedChat({ choose: (request) => step(request) });
});
afterEach(() => server.close());

function configuredDesk(): Desk {
  const desk = ownDesk();
  const folder = join(desk.folder, '.config', 'tireless');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'config.yaml'),
    `limits:\n  cycleTokensMax: 2000\nmemory:\n  model: ollama:llama3.2\n  baseUrl: ${server.url}\n`,
  );
  return desk;
}
const inCycles = (desk: Desk): string[] => [
  ...desk.run(twoCycles, '--mode', 'autonomous', '--cycles', '3', ...proof),
  '--foreground',
];
const prompts = (desk: Desk, run: string): string[] =>
  readFileSync(join(desk.home, 'runs', run, 'agent.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine)
    .flatMap((line) => (line.kind === 'ended' ? [] : [line.prompt]));
const remembered = async (desk: Desk): Promise<KeptMemory[]> => await desk.json('memory', 'export');

describe('a run whose cycles a model distils', { timeout: 120_000 }, () => {
  it('tells the next cycle the summary and the memory, which names the entry that shows it', async () => {
    const desk = configuredDesk();
    const ended = await desk.tireless(inCycles(desk));
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    const { id, tokens } = await desk.seen(({ state }) => state === 'done');
    const second = prompts(desk, id).find((prompt) => prompt.includes('## Cycle 2 of 3'));
    expect(second).toContain('One file of two is made, by the model.');
    expect(second).toContain('(fact) The answer of the deep thought is 42.');
    const fact = (await remembered(desk)).find(({ type }) => type === 'fact');
    const entry = (await desk.entries(id)).find(({ seq }) => fact?.source === `${id}/${seq}`);
    expect(entry?.event).toMatchObject({
      type: 'item-ended',
      kind: 'command',
      label: expect.stringContaining('42'),
    });
    const outcome = (await desk.entries(id)).flatMap(({ event }) =>
      event.type === 'effect-ended' && event.outcome.of === 'summarise' && event.outcome.cycle === 1
        ? [event.outcome]
        : [],
    );
    expect(outcome).toMatchObject([{ usage: { totalTokens: 100 } }]);
    expect(outcome[0]?.plain).toBeUndefined();
    expect(tokens).toBeGreaterThan(100);
    expect((await desk.tireless(['replay', id])).code).toBe(0);
  });

  it('killed while the model thinks distils once when it is resumed', async () => {
    const desk = configuredDesk();
    step = () => ({ do: 'hang' });
    const keeper = desk.start(inCycles(desk));
    await until(
      () => server.requests.length > 0,
      () => `nothing was asked: ${keeper.said()}`,
    );
    keeper.send('SIGKILL');
    await keeper.ended;
    expect((await remembered(desk)).filter(({ id }) => id.includes('/cycle-'))).toEqual([]);
    step = learning;
    const { id } = await desk.seen(() => true);
    const resumed = await desk.tireless(['resume', '--foreground', id]);
    expect(resumed, resumed.stdout + resumed.stderr).toMatchObject({ code: 0 });
    const ids = (await remembered(desk)).map((one) => one.id);
    expect(ids.filter((one) => one === `${id}/cycle-1/summary`)).toHaveLength(1);
    expect((await remembered(desk)).filter(({ type }) => type === 'fact')).toHaveLength(1);
  });

  it('whose model babbles goes on all the same, with what was measured, and says so', async () => {
    const desk = configuredDesk();
    step = () => ({ do: 'say', text: 'meow' });
    const ended = await desk.tireless(inCycles(desk));
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    const { id } = await desk.seen(({ state }) => state === 'done');
    const second = prompts(desk, id).find((prompt) => prompt.includes('## Cycle 2 of 3'));
    expect(second).toContain('the answer is 42');
    const told = (await desk.entries(id)).flatMap(({ event }) =>
      event.type === 'effect-ended' && event.outcome.of === 'summarise' ? [event.outcome] : [],
    );
    expect(told[1]).toMatchObject({ plain: true, problems: [expect.stringContaining('gave no answer')] });
  });
});
