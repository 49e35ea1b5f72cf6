import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedResponses,
} from '../../../src/testkit/models/responses.ts';
import {
  call,
  cut,
  fail,
  hang,
  patch,
  refuse,
  say,
  thinkThenSay,
  together,
} from '../../../src/testkit/models/responses-steps.ts';

const open: ScriptedModel[] = [];
afterEach(async () => {
  for (const model of open.splice(0)) await model.close();
});

async function scripted(options?: ScriptedModelOptions): Promise<ScriptedModel> {
  const model = await scriptedResponses(options);
  open.push(model);
  return model;
}

const ask = (
  model: ScriptedModel,
  headers: Record<string, string> = {},
  body: string | Uint8Array<ArrayBuffer> = '{"input":[]}',
) => fetch(`${model.url}/responses`, { method: 'POST', headers, body });

/** The events of an answer, by type, with what matters of each. */
async function events(response: Response): Promise<unknown[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event: '));
  return blocks.map((block) => {
    const [, type, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
    const event = JSON.parse(data ?? '{}');
    return [
      type,
      event.delta ?? event.item?.type ?? event.response?.error?.code ?? event.response?.usage?.total_tokens,
    ];
  });
}

describe('the scripted model', () => {
  it('says what the script says, with its use', async () => {
    const model = await scripted();
    model.push(say('Hello there', { usage: { input: 7, output: 2 } }));
    const response = await ask(model);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await events(response)).toEqual([
      ['response.created', undefined],
      ['response.output_item.added', 'message'],
      ['response.output_text.delta', 'Hello there'],
      ['response.output_item.done', 'message'],
      ['response.completed', 9],
    ]);
  });

  it('calls tools, patches, thinks and does several things at once', async () => {
    const model = await scripted();
    model.push(
      call('c1', 'exec_command', { cmd: 'ls' }),
      patch('p1', '*** Begin Patch'),
      thinkThenSay('hm', 'ok'),
    );
    model.push(
      together([
        { out: 'function-call', id: 'a', name: 'x', args: '{}' },
        { out: 'function-call', id: 'b', name: 'y', args: '{}' },
      ]),
    );
    const done = async () =>
      (await events(await ask(model))).filter(
        (event) => (event as string[])[0] === 'response.output_item.done',
      );
    expect(await done()).toEqual([['response.output_item.done', 'function_call']]);
    expect(await done()).toEqual([['response.output_item.done', 'custom_tool_call']]);
    expect(await done()).toHaveLength(2);
    expect(await done()).toHaveLength(2);
  });

  it('fails in every way a provider can', async () => {
    const model = await scripted();
    model.push(refuse(429, { error: { message: 'slow down' } }, { headers: { 'retry-after': '1' } }));
    model.push(fail('server_error', 'kaput'), cut());
    const refused = await ask(model);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await events(await ask(model))).at(-1)).toEqual(['response.failed', 'server_error']);
    await expect((await ask(model)).text()).rejects.toThrow();
    expect((await ask(model)).status).toBe(500);
  });

  it('answers each conversation from its own script first, and a function before both', async () => {
    const model = await scripted({ choose: ({ thread }) => (thread === 'c' ? refuse(418, {}) : undefined) });
    model.push(refuse(501, {}));
    model.pushFor('a', refuse(502, {}));
    const status = async (thread: string) => (await ask(model, { 'thread-id': thread })).status;
    expect([await status('c'), await status('a'), await status('b')]).toEqual([418, 502, 501]);
    expect(model.requests.map(({ thread }) => thread)).toEqual(['c', 'a', 'b']);
  });

  it('reads a compressed request and refuses one that is not JSON', async () => {
    const model = await scripted({ otherwise: say('ok') });
    await ask(model, { 'content-encoding': 'gzip' }, new Uint8Array(gzipSync('{"input":[1]}')));
    expect(model.requests[0]?.body).toEqual({ input: [1] });
    expect((await ask(model, {}, 'nonsense')).status).toBe(400);
  });

  it('closes while a stream hangs', async () => {
    const model = await scriptedResponses();
    model.push(hang());
    const response = await ask(model);
    await model.close();
    await expect(response.text()).rejects.toThrow();
  });
});
