import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ModelFailure } from '../../src/contract/index.ts';
import { FullAutoDecisionSignature, signature } from '../../src/core/models/index.ts';
import { ask } from '../../src/edge/models/ask.ts';
import type { Model } from '../../src/edge/models/model.ts';
import { providerModel } from '../../src/edge/models/provider.ts';
import {
  type ChatRequest,
  type ChatStep,
  type ScriptedChat,
  scriptedChat,
} from '../../src/testkit/models/chat-completions.ts';
import { someDecision } from './facts.ts';

let server: ScriptedChat;
beforeEach(async () => {
  server = await scriptedChat();
});
afterEach(() => server.close());

const sound = '{"action":"continue","next_input":"go on","reason":"it works","confidence":0.8}';
const say = (text: string): ChatStep => ({ do: 'say', text });
const keys = {
  OPENAI_API_KEY: 'sk-test-1',
  ANTHROPIC_API_KEY: 'ak-test-2',
  TIRELESS_ADVICE_API_KEY: 'tk-test-3',
};
const model = (name = 'ollama:llama3.2:70b', env: Record<string, string> = keys): Model =>
  providerModel(name, { env, baseUrl: server.url });
const decide = (one: Model = model(), timeoutMs = 30_000) =>
  ask(FullAutoDecisionSignature, one, someDecision, { timeoutMs });
const failed = (one?: Model, timeoutMs?: number): Promise<ModelFailure> =>
  decide(one, timeoutMs).then(
    () => {
      throw new Error('it answered');
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(ModelFailure);
      return error as ModelFailure;
    },
  );

describe('a model that answers', () => {
  it.each([
    ['ollama:llama3.2:70b', '/v1/chat/completions', undefined],
    ['openai-compatible:some/model', '/v1/chat/completions', 'Bearer tk-test-3'],
    ['openai:some-model', '/v1/responses', 'Bearer sk-test-1'],
  ])('%s is asked over %s, with its own key alone', async (name, path, authorization) => {
    server.push(say(sound));
    const answered = await decide(model(name));
    expect(answered.value).toEqual({
      action: 'continue',
      next_input: 'go on',
      reason: 'it works',
      confidence: 0.8,
    });
    expect(answered).toMatchObject({ diagnostics: [], usage: { totalTokens: 100, inputTokens: 90 } });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ path, body: { model: name.slice(name.indexOf(':') + 1) } });
    expect(server.requests[0]?.headers.authorization).toBe(authorization);
  });

  it('anthropic is asked over its own interface', async () => {
    server.push(say(sound));
    expect(await decide(model('anthropic:claude-sonnet-4-5'))).toMatchObject({
      value: { action: 'continue', confidence: 0.8 },
      usage: { totalTokens: 100 },
    });
    expect(server.requests[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'ak-test-2' } });
  });

  it('is shown the input by the names of the seed, and the shape of the answer', async () => {
    server.push(say(sound));
    await decide();
    const { messages, response_format } = (server.requests[0] as ChatRequest).body as {
      messages: { role: string; content: string }[];
      response_format: unknown;
    };
    expect(JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '')).toEqual(someDecision);
    expect(response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { required: ['action', 'next_input', 'reason', 'confidence'] } },
    });
  });

  it('in prose around the answer is read, and the reading says how', async () => {
    server.push(say(`I think:\n\`\`\`json\n{"action":"PAUSE","reason":"stuck","confidence":"62%"}\n\`\`\``));
    const { value, diagnostics } = await decide();
    expect(value).toMatchObject({ action: 'pause', confidence: 0.62, next_input: null });
    expect(diagnostics).toEqual(['action: "PAUSE" was read as pause', 'confidence: "62%" was read as 0.62']);
  });

  it('may be asked anything that has a signature', async () => {
    const sum = signature({
      name: 'Sum',
      instructions: 'Add them.',
      input: z.strictObject({ terms: z.array(z.number()) }),
      output: z.strictObject({ sum: z.number(), even: z.boolean() }),
    });
    server.push(say('It is {"sum": "5", "even": "no"}'));
    const { value } = await ask(sum, model(), { terms: [2, 3] }, { timeoutMs: 30_000 });
    expect(value).toEqual({ sum: 5, even: false });
  });

  it('only in words after its provider refused the schema is asked without it', async () => {
    server.push(
      { do: 'refuse', status: 400, body: '{"error":{"message":"no response_format here"}}' },
      say(sound),
    );
    expect(await decide()).toMatchObject({ value: { action: 'continue' } });
    expect(server.requests.map(({ body }) => 'response_format' in body)).toEqual([true, false]);
  });

  it.each<ChatStep>([
    { do: 'refuse', status: 500, body: 'oops' },
    { do: 'refuse', status: 503, body: '' },
    { do: 'cut' },
    { do: 'babble', bytes: '<html>Bad gateway</html>' },
    { do: 'babble', bytes: '' },
    { do: 'babble', bytes: '{"choices":[]}' },
    say('no idea'),
  ])('at the second try (after %j) has answered', async (step) => {
    server.push(step, say(sound));
    expect(await decide()).toMatchObject({ value: { action: 'continue', confidence: 0.8 } });
    expect(server.requests).toHaveLength(2);
  });

  it('is billed for both tries, and not at all where it does not tell', async () => {
    server.push(say('no idea'), say(sound));
    expect((await decide()).usage).toMatchObject({ totalTokens: 200 });
    server.push({ do: 'say', text: sound, tokens: null });
    expect((await decide()).usage?.totalTokens).toBeUndefined();
  });
});

describe('a model that does not answer', () => {
  it('in time is given up at the limit, over all tries', async () => {
    server.push({ do: 'hang' }, { do: 'hang' });
    const startMono = performance.now();
    expect((await failed(model(), 300)).failure).toMatchObject({ kind: 'silent' });
    expect(performance.now() - startMono).toBeLessThan(5_000);
  });

  it('and does not hear that it was called off is not waited for', async () => {
    const deaf: Model = { name: 'deaf', answer: () => new Promise(() => undefined) };
    expect((await failed(deaf, 50)).failure).toMatchObject({ kind: 'silent' });
  });

  it('is called off by whoever asked', async () => {
    const calling = new AbortController();
    server.push({ do: 'hang' });
    const asked = ask(FullAutoDecisionSignature, model(), someDecision, {
      timeoutMs: 60_000,
      signal: calling.signal,
    });
    calling.abort();
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'other' } });
  });

  it('is unreachable where nobody listens', async () => {
    const url = server.url;
    await server.close();
    const { failure } = await failed(providerModel('ollama:x', { env: {}, baseUrl: url }));
    expect(failure.kind).toBe('unreachable');
    server = await scriptedChat();
  });

  it.each([
    [401, 'auth', 1],
    [403, 'auth', 1],
    [404, 'setup', 1],
    [402, 'usage-limit', 1],
    [429, 'rate-limited', 2],
    [529, 'overloaded', 2],
    [500, 'server-error', 2],
    [400, 'refused', 2],
    [200, 'other', 2],
  ])('with %d is %s after %d tries', async (status, kind, tries) => {
    const step: ChatStep = { do: 'refuse', status, body: '{"error":{"message":"no"}}' };
    server.push(step, step);
    expect((await failed()).failure.kind).toBe(kind);
    expect(server.requests).toHaveLength(tries);
  });

  it('but babbles twice is billed for it', async () => {
    server.push(say('well'), say('well, well'));
    expect(await failed()).toMatchObject({ failure: { kind: 'refused' }, usage: { totalTokens: 200 } });
  });

  it('but floods us is cut off', async () => {
    server.push({ do: 'flood' }, { do: 'flood' });
    expect((await failed()).failure.message).toContain('bytes');
  });

  it.each([
    ['openai:x', 'OPENAI_API_KEY'],
    ['anthropic:x', 'ANTHROPIC_API_KEY'],
    ['elsewhere:x', 'no provider'],
  ])('%s without what it needs says so, and asks nobody', async (name, says) => {
    const { failure } = await failed(model(name, {}));
    expect(failure).toMatchObject({ kind: 'setup', message: expect.stringContaining(says) });
    expect(server.requests).toEqual([]);
  });

  it('does not take a key from an environment that was not handed in', async () => {
    process.env.OPENAI_API_KEY = 'sk-of-somebody-else';
    try {
      expect((await failed(model('openai:x', {}))).failure.kind).toBe('setup');
    } finally {
      delete process.env.OPENAI_API_KEY;
    }
  });
});
