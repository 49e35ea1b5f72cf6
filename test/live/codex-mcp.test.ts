import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ScriptedModel, scriptedResponses } from '../../src/testkit/models/responses.ts';
import { call, type ModelStep, say } from '../../src/testkit/models/responses-steps.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';
import { type TirelessLab, tirelessLab } from './kit/tireless.ts';

interface Lab {
  readonly model: ScriptedModel;
  readonly tireless: TirelessLab;
  /** The person's own settings of Codex, as they are now. */
  readonly settings: () => string;
}

async function lab(): Promise<Lab> {
  const model = await scriptedResponses();
  const home = codexHome({ modelUrl: model.url });
  onTestFinished(home.remove);
  onTestFinished(model.close);
  const tireless = tirelessLab(home, codex ?? ['codex']);
  return {
    model,
    tireless,
    settings: () => readFileSync(join(home.env.CODEX_HOME ?? '', 'config.toml'), 'utf8'),
  };
}

/** A call of one of our tools, as Codex offers them to the model. */
const ours = (id: string, tool: string, args: object): ModelStep =>
  call(id, tool, args, { namespace: 'mcp__tireless' });

interface Request {
  readonly tools: readonly {
    readonly name?: string;
    readonly tools?: readonly { readonly name: string }[];
  }[];
  readonly input: readonly { readonly call_id?: string; readonly output?: unknown }[];
}
const requestsOf = (model: ScriptedModel): Request[] => model.requests.map(({ body }) => body as Request);

/** What the model was told came of a call. */
const answerTo = (model: ScriptedModel, id: string): string => {
  const items = requestsOf(model).flatMap(({ input }) => input);
  return JSON.stringify(
    items.find((item) => item.call_id === id && item.output !== undefined)?.output ?? null,
  );
};

const offered = (model: ScriptedModel): string[] =>
  (requestsOf(model)[0]?.tools.find(({ name }) => name === 'mcp__tireless')?.tools ?? [])
    .map(({ name }) => name)
    .sort();

describe.skipIf(!codex)('the tools that the real Codex gets from us', { timeout: 120_000 }, () => {
  it('keep tasks and notes, ask the person and report; a done that the checks refute is the answer', async () => {
    const { model, tireless, settings } = await lab();
    const before = settings();
    model.push(
      ours('c1', 'task_queue_write', { action: 'add', description: 'write one.txt', priority: 1 }),
      ours('c2', 'task_queue_write', {
        action: 'update',
        task_id: 'tq-1',
        status: 'done',
        notes: 'trust me',
      }),
      call('c3', 'exec_command', { cmd: 'echo 1 > one.txt' }),
      ours('c4', 'task_queue_write', { action: 'update', task_id: 'tq-1', status: 'done' }),
      ours('c5', 'memory_write', { text: 'one.txt must hold a number.', type: 'fact' }),
      ours('c6', 'memory_read', {}),
      ours('c7', 'ask_person', { question: 'Which number?', options: ['1', '2'] }),
      ours('c8', 'task_queue_read', {}),
      ours('c9', 'report_status', { status: 'done', evidence: 'one.txt is there' }),
      say('That is all.'),
    );
    const run = tireless.start(
      ...[
        'run',
        '--foreground',
        '--yes',
        '--mode',
        'autonomous',
        '--check',
        'test -f one.txt',
        'make one.txt',
      ],
    );
    const asked = await tireless.until('the question', (view) => view.gates.length > 0);
    expect(asked).toMatchObject({
      state: 'waiting',
      gates: [{ kind: 'input', asks: 'Which number? (1 · 2)' }],
    });
    expect((await tireless.tell('answer', asked.gates[0]?.id ?? '', '1')).code).toBe(0);
    const ended = await run.ended;
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });

    expect(answerTo(model, 'c1')).toContain('Written: tq-1 is pending, priority 1.');
    expect(answerTo(model, 'c2')).toContain(
      'tq-1 stays pending: we ran the checks ourselves and they do not pass',
    );
    expect(answerTo(model, 'c2')).toContain('$ test -f one.txt → exit 1');
    expect(answerTo(model, 'c4')).toContain('tq-1 is done');
    expect(answerTo(model, 'c6')).toContain('(fact) one.txt must hold a number.');
    expect(answerTo(model, 'c7')).toContain('The person answers: 1');
    expect(answerTo(model, 'c8')).toContain('- tq-1 [done] priority 1: write one.txt');
    expect(answerTo(model, 'c9')).toContain('Recorded: done');
    const certified = (await tireless.entries()).find((entry) => entry.decision?.rule === 'certified');
    expect(certified?.decision?.certificate?.claim).toMatchObject({
      via: 'reported',
      text: 'one.txt is there',
    });
    const { tasks } = JSON.parse((await tireless.tell('tasks', '--json')).out) as { tasks: object[] };
    expect(tasks).toMatchObject([
      { id: 'tq-1', status: 'done', addedBy: 'codex@mcp', proof: { verdict: 'passed' } },
    ]);
    expect((await tireless.tell('replay')).code).toBe(0);
    expect(settings()).toBe(before);
  });

  it('are two in a run of one cycle', async () => {
    const { model, tireless } = await lab();
    model.push(
      ours('c1', 'task_queue_read', {}),
      ours('c2', 'report_status', { status: 'done', evidence: 'nothing to do' }),
      say('Done.'),
    );
    const ended = await tireless.tell('run', '--foreground', '--yes', '--check', 'true', 'do nothing');
    expect(ended, ended.out + ended.err).toMatchObject({ code: 0 });
    expect(offered(model)).toEqual(['ask_person', 'report_status']);
    expect(answerTo(model, 'c1')).toContain('unsupported call');
  });
});
