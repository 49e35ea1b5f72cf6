import { afterAll, describe, expect, it } from 'vitest';
import {
  call,
  cut,
  fail,
  refuseMessages,
  say,
  scriptedMessages,
  thinkThenSay,
} from '../../src/testkit/index.ts';

const model = await scriptedMessages();
afterAll(() => model.close());

const ask = (): Promise<Response> =>
  fetch(`${model.url}/messages?beta=true`, {
    method: 'POST',
    body: JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'hello' }] }),
  });

interface Sent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events of a stream; each is named as its data says. */
function eventsOf(text: string): Sent[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((frame) => {
      const [name, data = ''] = frame.split('\n');
      const event = JSON.parse(data.replace('data: ', '')) as Sent;
      expect(name).toBe(`event: ${event.type}`);
      return event;
    });
}

describe('the scripted Messages server', () => {
  it('streams a message with its usage, what the cache gave and took apart', async () => {
    model.push(say('Hello.', { usage: { input: 100, cached: 60, cacheWritten: 30, output: 7 } }));
    const answer = await ask();
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const events = eventsOf(await answer.text());
    expect(events).toMatchObject([
      {
        type: 'message_start',
        message: {
          role: 'assistant',
          usage: { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ]);
    expect(model.requests.at(-1)?.body).toMatchObject({ messages: [{ content: 'hello' }] });
  });

  it('calls tools and thinks', async () => {
    model.push(call('toolu_1', 'Bash', { command: 'ls' }), thinkThenSay('hm', 'Yes.'));
    expect(eventsOf(await (await ask()).text())).toMatchObject([
      { type: 'message_start' },
      { content_block: { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} } },
      { delta: { type: 'input_json_delta', partial_json: '{"command":"ls"}' } },
      { type: 'content_block_stop' },
      { delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ]);
    const deltas = eventsOf(await (await ask()).text()).filter(({ type }) => type === 'content_block_delta');
    expect(deltas.map(({ index, delta }) => [index, (delta as Sent).type])).toEqual([
      [0, 'thinking_delta'],
      [0, 'signature_delta'],
      [1, 'text_delta'],
    ]);
  });

  it.each([
    [400, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [529, 'overloaded_error'],
  ])('refuses with %s', async (status, type) => {
    model.push(refuseMessages(status, 'not now', { headers: { 'retry-after': '3' } }));
    const answer = await ask();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '3']);
    expect(await answer.json()).toEqual({ type: 'error', error: { type, message: 'not now' } });
  });

  it('fails inside a stream, breaks one off, and says when the script is at its end', async () => {
    model.push(fail('overloaded_error', 'busy'), cut('half'));
    expect(eventsOf(await (await ask()).text()).at(-1)).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'busy' },
    });
    await expect((await ask()).text()).rejects.toThrow();
    expect((await ask()).status).toBe(500);
  });
});
