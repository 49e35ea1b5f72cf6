import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FullAutoDecisionSignature } from '../../src/core/models/index.ts';
import { codexModel } from '../../src/edge/agents/codex/model.ts';
import { makeAdvisor } from '../../src/edge/models/advisor.ts';
import { ask } from '../../src/edge/models/ask.ts';
import {
  type ModelRequest,
  type ScriptedModel,
  scriptedResponses,
} from '../../src/testkit/models/responses.ts';
import { call, hang, refuse, say } from '../../src/testkit/models/responses-steps.ts';
import { someDecision, someFacts } from '../models/facts.ts';
import { processesWith } from '../process-kit.ts';
import { codexHome } from './kit/codex-home.ts';
import { codex } from './kit/installed.ts';

const sound = '{"action":"review","next_input":null,"reason":"much has changed","confidence":0.7}';

async function lab(run: string) {
  const server = await scriptedResponses();
  const home = codexHome({ modelUrl: server.url });
  onTestFinished(home.remove);
  onTestFinished(server.close);
  const started: number[] = [];
  const model = codexModel('codex', {
    env: home.env,
    run,
    command: codex ?? ['codex'],
    childStarted: async (pid) => void started.push(pid),
  });
  return { server, model, started, left: () => processesWith(`TIRELESS_RUN=${run}`) };
}

const schemaOf = (server: ScriptedModel) =>
  ((server.requests[0] as ModelRequest).body as { text?: { format?: { type?: string; schema?: unknown } } })
    .text?.format;

describe.skipIf(!codex)('Codex as the decision model', () => {
  it('answers in one turn with the schema, is billed, and leaves nothing behind', async () => {
    const { server, model, started, left } = await lab('advice-answers');
    server.push(say(sound, { usage: { input: 90, output: 10 } }));
    const answered = await ask(FullAutoDecisionSignature, model, someDecision, { timeoutMs: 60_000 });
    expect(answered).toMatchObject({
      value: { action: 'review', confidence: 0.7 },
      diagnostics: [],
      usage: { totalTokens: 100 },
    });
    expect(schemaOf(server)).toMatchObject({
      type: 'json_schema',
      schema: { required: ['action', 'next_input', 'reason', 'confidence'] },
    });
    expect(JSON.stringify(server.requests[0]?.body)).toContain('write the parser');
    expect(started).toHaveLength(1);
    expect(left()).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('tireless-advice-'))).toEqual([]);
  });

  it('may write nothing while it thinks', async () => {
    const { server, model } = await lab('advice-writes');
    const cmd = 'touch written.txt && expr 41 + 1 | sed s/^/w/; expr 21 + 2 | sed s/^/e/';
    server.push(call('c1', 'exec_command', { cmd }), say(sound));
    await ask(FullAutoDecisionSignature, model, someDecision, { timeoutMs: 60_000 });
    const told = JSON.stringify(server.requests[1]?.body);
    expect(told).toContain('e23');
    expect(told).not.toContain('w42');
  });

  it('that hangs is given up at the limit and its process ended', async () => {
    const { server, model, left } = await lab('advice-hangs');
    server.push(hang(), hang());
    await expect(
      ask(FullAutoDecisionSignature, model, someDecision, { timeoutMs: 4_000 }),
    ).rejects.toMatchObject({ failure: { kind: 'silent' } });
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
  });

  it('whose provider refuses says so in our words', async () => {
    const { server, model } = await lab('advice-refused');
    server.push(refuse(401, { error: { message: 'no such key' } }));
    await expect(
      ask(FullAutoDecisionSignature, model, someDecision, { timeoutMs: 60_000 }),
    ).rejects.toMatchObject({ failure: { kind: expect.stringMatching(/auth|other|refused/) } });
  });

  it('advises a run', async () => {
    const { server, model } = await lab('advice-run');
    server.push(say(sound), say(sound));
    const advice = await makeAdvisor({ model, timeoutMs: 60_000, confidenceMin: 0.55 })(someFacts);
    expect(advice).toMatchObject({ action: 'review', confidence: 0.7, model: 'codex' });
  });

  it('that is not installed is a fault of the setup', async () => {
    const model = codexModel('codex', {
      env: {},
      run: 'advice-absent',
      command: ['/nowhere/codex'],
      childStarted: async () => undefined,
    });
    await expect(
      ask(FullAutoDecisionSignature, model, someDecision, { timeoutMs: 10_000 }),
    ).rejects.toMatchObject({ failure: { kind: 'setup' } });
  });
});
