import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adviceFactsSchema,
  adviceSchema,
  decisionOutputSchema,
  ModelFailure,
} from '../../src/contract/index.ts';
import {
  adviceFactsOf,
  CompletionClaimSignature,
  FullAutoDecisionSignature,
} from '../../src/core/models/index.ts';
import { makeAdvisor } from '../../src/edge/models/advisor.ts';
import { providerModel } from '../../src/edge/models/provider.ts';
import { ledgerRun } from '../../src/testkit/index.ts';
import { type ChatStep, type ScriptedChat, scriptedChat } from '../../src/testkit/models/chat-completions.ts';
import { someFacts } from './facts.ts';

const decision = (over: object = {}): ChatStep => ({
  do: 'say',
  text: JSON.stringify({ action: 'continue', next_input: null, reason: 'fine', confidence: 0.9, ...over }),
});
const claim = (claims_done: unknown, confidence: unknown): ChatStep => ({
  do: 'say',
  text: JSON.stringify({ claims_done, confidence }),
});

let server: ScriptedChat;
let steps: { decision: ChatStep; claim: ChatStep };
beforeEach(async () => {
  steps = { decision: decision(), claim: claim(false, 0.9) };
  server = await scriptedChat({
    choose: ({ body }) => (JSON.stringify(body).includes('claims_done') ? steps.claim : steps.decision),
  });
});
afterEach(() => server.close());

const advise = (facts = someFacts, timeoutMs = 30_000) =>
  makeAdvisor({
    model: providerModel('ollama:llama3.2', { env: {}, baseUrl: server.url }),
    timeoutMs,
    confidenceMin: 0.55,
  })(facts);

describe('the decision signature', () => {
  it('has exactly the inputs and outputs of the seed', () => {
    expect(Object.keys(FullAutoDecisionSignature.input.shape)).toEqual([
      'thread_id',
      'turn_id',
      'last_turn_status',
      'turn_error',
      'turn_plan',
      'diff_summary',
      'token_usage',
      'pending_approvals',
      'pending_tool_inputs',
      'recent_actions',
      'compaction_events',
    ]);
    expect(Object.keys(FullAutoDecisionSignature.output.shape)).toEqual([
      'action',
      'next_input',
      'reason',
      'confidence',
    ]);
    expect(decisionOutputSchema.shape.action.options).toEqual(['continue', 'pause', 'stop', 'review']);
  });
});

describe('the advisor', () => {
  it('gives a sound advice, and what both questions cost', async () => {
    const { usage, ...advice } = await advise();
    expect(adviceSchema.parse(advice)).toEqual(advice);
    expect(advice).toMatchObject({
      action: 'continue',
      confidence: 0.9,
      claimsDone: false,
      problems: [],
      model: 'ollama:llama3.2',
    });
    expect(usage).toMatchObject({ totalTokens: 200 });
  });

  it.each([
    [true, 0.9, true],
    ['yes', '0.9', true],
    [true, 0.5, false],
    [true, 'high', false],
    [true, undefined, false],
    [false, 0.9, false],
    ['maybe', 0.9, undefined],
  ])('hears a claim in (%j, confidence %j): %j', async (said, confidence, claimsDone) => {
    steps.claim = claim(said, confidence);
    expect((await advise()).claimsDone).toBe(claimsDone);
  });

  it.each([
    ['it is claimed already', { isClaimed: true }],
    ['there is no message', { lastMessage: null }],
    [
      'the turn did not complete',
      { decision: { ...someFacts.decision, last_turn_status: 'failed' as const } },
    ],
  ])('does not judge the message when %s', async (_why, over) => {
    expect((await advise({ ...someFacts, ...over })).claimsDone).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it('shows the message and the mission to the judgement of the claim alone', async () => {
    await advise();
    const shown = server.requests.map(({ body }) => JSON.stringify(body));
    expect(shown.filter((body) => body.includes('The lexer is done.'))).toHaveLength(1);
    expect(CompletionClaimSignature.input.shape).toHaveProperty('last_message');
  });

  it('without a judgement of the claim still advises, and tells', async () => {
    steps.claim = { do: 'refuse', status: 401, body: 'no' };
    const advice = await advise();
    expect(advice).toMatchObject({ action: 'continue', confidence: 0.9 });
    expect(advice.claimsDone).toBeUndefined();
    expect(advice.problems.join()).toContain('claim:');
  });

  it('without a decision fails, and is billed for what was asked', async () => {
    steps.decision = { do: 'say', text: 'I would rather not say' };
    const failing = await advise().catch((error: unknown) => error);
    expect(failing).toBeInstanceOf(ModelFailure);
    expect(failing).toMatchObject({ failure: { kind: 'refused' }, usage: { totalTokens: 300 } });
  });

  it('whose model hangs fails at the limit', async () => {
    steps.decision = { do: 'hang' };
    await expect(advise(someFacts, 300)).rejects.toMatchObject({ failure: { kind: 'silent' } });
  });
});

describe('a run with a decision model', () => {
  const tokens = (totalTokens: number) => ({ totalTokens });
  const asking = () => {
    const one = ledgerRun({ policy: { advice: { enabled: true } } });
    one.launch();
    one.started();
    one.onEvent({ type: 'usage-reported', session: one.run().session?.id ?? '', usage: tokens(1_000) });
    one.ended({}, 'changed');
    return one;
  };
  const good = { action: 'continue' as const, reason: 'ok', confidence: 0.9, problems: [] };

  it('shows it the facts of the run, in the shape of the signature', () => {
    const facts = adviceFactsOf(asking().run());
    expect(adviceFactsSchema.parse(facts)).toEqual(facts);
    expect(facts.decision).toMatchObject({
      last_turn_status: 'completed',
      diff_summary: { turns_without_change: 0 },
      token_usage: { tokens: 1_000 },
    });
    expect(facts.decision.thread_id).not.toBe('');
    expect(facts.decision.turn_id).not.toBe('');
  });

  it('bills every answer to the run, beside what the agent used', () => {
    const one = asking();
    one.outcome('advice-ask', { of: 'advice-ask', advice: good, usage: tokens(70) });
    expect(one.run().usage.tokens).toBe(1_070);
    one.launch();
    one.started('turn-2');
    one.ended({}, 'changed-again');
    one.outcome('advice-ask', { of: 'advice-ask', advice: good, usage: tokens(30) });
    expect(one.run().usage).toMatchObject({ tokens: 1_100, bySession: { advice: { tokens: 100 } } });
  });

  it('bills an answer nobody could use, and counts it as a miss', () => {
    const one = asking();
    one.outcome('advice-ask', {
      of: 'advice-ask',
      failure: { kind: 'refused', message: 'babble' },
      usage: tokens(70),
    });
    expect(one.run()).toMatchObject({ adviceMisses: 1, usage: { tokens: 1_070 } });
  });

  it('that does not tell its use leaves the bill as it is', () => {
    const one = asking();
    one.outcome('advice-ask', { of: 'advice-ask', advice: good, usage: {} });
    expect(one.run().usage.tokens).toBe(1_000);
  });
});
