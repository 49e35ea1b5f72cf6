import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../../src/contract/index.ts';
import { closingLine } from '../../src/core/index.ts';
import { peekViews } from '../../src/edge/store/peek.ts';
import {
  type ModelRequest,
  type ScriptedModel,
  scriptedResponses,
} from '../../src/testkit/models/responses.ts';
import { call, type ModelStep, refuse, say } from '../../src/testkit/models/responses-steps.ts';
import { until } from '../process-kit.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { commit } from './kit/live-run.ts';
import { type TirelessLab, tirelessLab } from './kit/tireless.ts';

const toolsName = 'mcp__tireless';
const usage = (input: number) => ({ usage: { input, output: 0 } });

/** What the model does in each conversation, by the order in which they begin; the last step of each is repeated. */
type Script = readonly (readonly ModelStep[])[];

async function lab(
  script: Script,
  limits: Record<string, number>,
): Promise<{ model: ScriptedModel; tireless: TirelessLab; threads: string[]; store: string }> {
  const threads: string[] = [];
  const asked = new Map<string, number>();
  const model = await scriptedResponses({
    choose({ thread = '', body }) {
      if (!threads.includes(thread)) threads.push(thread);
      const n = asked.get(thread) ?? 0;
      const steps = script[threads.indexOf(thread)] ?? [];
      const step = steps[Math.min(n, steps.length - 1)];
      // A tool that is still starting is not offered yet, and a model calls only what it is offered.
      if (JSON.stringify(step).includes(toolsName) && !JSON.stringify(body).includes(toolsName))
        return say('The tools are not there yet.', usage(1));
      asked.set(thread, n + 1);
      return step;
    },
  });
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  commit(home.workspace, { 'README.md': 'an empty project\n' });
  const tireless = tirelessLab(home, codex ?? ['codex'], {
    mode: 'autonomous',
    approvals: 'never-ask',
    limits,
  });
  return { model, tireless, threads, store: join(home.folder, 'tireless', 'tireless.db') };
}

interface Shown {
  readonly input?: readonly {
    readonly type?: string;
    readonly role?: string;
    readonly output?: unknown;
    readonly content?: readonly { readonly text?: string }[];
  }[];
}

/** Everything that was said to the model in the newest request of a conversation, as the model server saw it. */
const told = (requests: readonly ModelRequest[], thread: string | undefined): string[] => {
  const last = requests.findLast((request) => request.thread === thread);
  return ((last?.body as Shown | undefined)?.input ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content = [] }) => content.map(({ text }) => text ?? '').join(''));
};

/** What the sessions said they used, each by its last word. */
function spent(entries: readonly Entry[]): number {
  const last = new Map<string, number>();
  for (const { event } of entries)
    if (event.type === 'usage-reported') last.set(event.session, event.usage.totalTokens ?? 0);
  return [...last.values()].reduce((sum, tokens) => sum + tokens, 0);
}

const run = (cycles: number): string[] => [
  ...['run', '--foreground', '--yes', '--cycles', String(cycles)],
  ...['--check', 'test -f made.txt', 'make the file'],
];
/** A call of one of our own tools, as Codex offers them to the model. */
const ours = (id: string, tool: string, args: object, input: number): ModelStep =>
  call(id, tool, args, { namespace: toolsName, ...usage(input) });
const shell = (id: string, cmd: string, input: number): ModelStep =>
  call(id, 'exec_command', { cmd }, usage(input));

const limits = { cycleTokensMax: 10_000 };
/** A cycle that is told to wrap up at 85 %, and saves what it has. */
const first = [
  ours('c1', 'task_queue_write', { action: 'add', description: 'write the parser', priority: 1 }, 1_000),
  ours('c2', 'memory_write', { text: 'The parser needs two passes.', type: 'fact' }, 1_000),
  shell('c3', 'echo measured 42; exit 3', 1_500),
  say('Half way.', usage(1_000)),
  shell('c4', 'echo a > a.txt', 4_000),
  say('Saved; the lexer is next.', usage(100)),
];
/** A cycle that ignores the wrap-up and fills up. */
const second = [
  shell('c5', 'echo b > b.txt', 9_000),
  shell('c6', 'sleep 0.3; echo c > c.txt', 2_000),
  say('On and on.', usage(2_000)),
];
const third = [shell('c7', 'echo made > made.txt', 500), say(`Made it.\n${closingLine}`, usage(500))];

describe.skipIf(!codex)('cycles with the real Codex', { timeout: 120_000 }, () => {
  it('are three threads: wrapped up near 80 %, halted at 100 %, and ended early on proof', async () => {
    const { model, tireless, threads } = await lab([first, second, third], limits);
    const ended = await tireless.tell(...run(9));
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(threads).toHaveLength(3);
    const said = threads.map((thread) => told(model.requests, thread).filter((text) => text.includes('## ')));
    said.forEach((prompts, n) => {
      expect(prompts[0]).toContain('make the file');
      expect(prompts[0]).toContain(`## Cycle ${n + 1} of 9`);
      expect(prompts.filter((text) => text.includes('## Cycle'))).toHaveLength(1);
    });
    const wrapUps = said.map((prompts) => prompts.filter((text) => text.includes('## Wrap up')));
    expect(wrapUps[0], JSON.stringify(said[0], null, 1)).toHaveLength(1);
    expect(wrapUps[0]?.[0]).toMatch(/8[5-9] % of cycle 1 of 9/);
    // What the model server saw of the next cycle: summary with results, memory, task queue.
    for (const text of ['measured 42', 'exit 3', 'the lexer is next', 'The parser needs two passes'])
      expect(said[1]?.[0]).toContain(text);
    expect(said[1]?.[0]).toMatch(/### Task queue\s+- tq-1 \[pending\] priority 1: write the parser/);
    expect(said[2]?.[0]).toContain('write the parser');
    const entries = await tireless.entries();
    const halts = entries.flatMap(({ decision }) =>
      decision?.rule === 'between-cycles' ? [decision.because] : [],
    );
    expect(halts).toEqual([
      expect.stringContaining('the first cycle'),
      expect.stringContaining('cycle 1 of 9 is wrapped up'),
      expect.stringContaining('cycle 2 of 9 is full'),
    ]);
    const calls = entries.flatMap(({ event }) =>
      event.type === 'item-ended' && event.kind === 'tool'
        ? [[event.label.split(' ')[0], event.outcome]]
        : [],
    );
    expect(calls).toEqual([
      ['tireless/task_queue_write', 'ok'],
      ['tireless/memory_write', 'ok'],
    ]);
    const view = await tireless.view();
    expect(view).toMatchObject({ state: 'done', cause: 'certified', cycle: { n: 3, max: 9 } });
    expect(view.tokens).toBe(spent(entries));
    expect((await tireless.tell('replay')).code).toBe(0);
  });

  it('are told to wrap up by how full the window is, as Codex tells it', async () => {
    // The window is 95,000 of the 100,000 tokens that the model is said to have.
    const { model, tireless, threads } = await lab([[say('Thinking.', usage(78_000)), ...third]], {});
    const ended = await tireless.tell(...run(2));
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    const wrapUps = told(model.requests, threads[0]).filter((text) => text.includes('## Wrap up'));
    expect(wrapUps).toEqual([expect.stringContaining('82 % of cycle 1 of 2')]);
    expect(await tireless.view()).toMatchObject({ state: 'done', cycle: { n: 1, max: 2 } });
  });

  it('burn nothing in a storm of 429: the first cycle waits, and its first input arrives when it is over', async () => {
    const reset = Math.floor(Date.now() / 1_000) + 3_600;
    const limited = refuse(429, {
      error: { type: 'usage_limit_reached', message: 'limit', plan_type: 'pro', resets_at: reset },
    });
    const { model, tireless, threads } = await lab([[limited, limited, limited, limited, ...third]], limits);
    const keeper = tireless.start(...run(9));
    for (let n = 1; n <= 4; n++) {
      await tireless.until(
        `limit ${n}`,
        (view) => view.waitingOn === 'usage-limit' && model.requests.length === n,
      );
      expect(await tireless.view()).toMatchObject({ turns: 0, cycle: { n: 1, max: 9 } });
      expect([0, 75]).toContain((await tireless.tell('resume')).code);
    }
    const ended = await keeper.ended;
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(threads).toHaveLength(1);
    expect(await tireless.view()).toMatchObject({ state: 'done', cycle: { n: 1 } });
    expect(told(model.requests, threads[0]).at(-1)).toContain('## Cycle 1 of 9');
  });

  it('go on with a fresh thread when the keeper is killed between summary and fresh session', async () => {
    const { model, tireless, threads, store } = await lab([first, third], limits);
    const keeper = tireless.start(...run(3));
    await until(
      () =>
        peekViews(store)?.find(
          ({ lastDecision, cycle }) => lastDecision?.rule === 'next-cycle' && cycle?.n === 2,
        ),
      'the second cycle never began',
    );
    keeper.child.kill('SIGKILL');
    await keeper.ended;
    expect(threads).toHaveLength(1);
    const resumed = await tireless.tell('resume', '--foreground');
    expect(resumed, resumed.out + resumed.err).toMatchObject({ code: 0 });
    expect(threads).toHaveLength(2);
    const prompts = told(model.requests, threads[1]).filter((text) => text.includes('## Mission'));
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain('## Cycle 2 of 3');
    expect(prompts[0]).toContain('measured 42');
    const entries = await tireless.entries();
    const dispatches = entries.flatMap(({ effects = [] }) =>
      effects.flatMap((effect) => (effect.type === 'turn-start' ? [effect.dispatch] : [])),
    );
    expect(new Set(dispatches).size).toBe(dispatches.length);
    expect((await tireless.tell('replay')).code).toBe(0);
  });
});
