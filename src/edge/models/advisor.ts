import {
  type AdviceFacts,
  type Advised,
  type Advisor,
  type claimOutputSchema,
  ModelFailure,
  type ToolAdvisor,
  type Usage,
} from '../../contract/index.ts';
import {
  adviceOf,
  CompletionClaimSignature,
  FullAutoDecisionSignature,
  type Reading,
  ToolInputSignature,
} from '../../core/models/index.ts';
import { type AskOptions, ask, sumUsage } from './ask.ts';
import type { Model } from './model.ts';

export interface AdvisorOptions {
  readonly model: Model;
  readonly timeoutMs: number;
  /** A judgement of the last message below this confidence is not a claim. */
  readonly confidenceMin: number;
}

/**
 * The decision model for a run: one decision and, if the agent's message makes no explicit claim, a judgement of it.
 * Settles within `timeoutMs`; a failed judgement is only a problem noted in the advice.
 */
export function makeAdvisor({ model, timeoutMs, confidenceMin }: AdvisorOptions): Advisor {
  return async (facts, signal): Promise<Advised> => {
    const options = { timeoutMs, signal };
    const [decided, judged] = await Promise.allSettled([
      ask(FullAutoDecisionSignature, model, facts.decision, options),
      judgedClaim(facts, model, options),
    ]);
    const judgement = judged.status === 'fulfilled' ? judged.value : failedJudgement(judged.reason);
    if (decided.status === 'rejected') throw withUsage(decided.reason, judgement?.usage);
    const { reading, raw, usage: spent } = decided.value;
    const advice = adviceOf(reading, { model: model.name, raw, confidenceMin, claim: judgement?.reading });
    const usage = sumUsage(spent, judgement?.usage);
    return { ...advice, usage };
  };
}

interface Judgement {
  readonly reading: Reading<typeof claimOutputSchema>;
  readonly usage?: Usage;
}

async function judgedClaim(
  { decision, mission, lastMessage, isClaimed }: AdviceFacts,
  model: Model,
  options: AskOptions,
): Promise<Judgement | null> {
  if (isClaimed || lastMessage === null || lastMessage.trim() === '') return null;
  if (decision.last_turn_status !== 'completed') return null;
  return ask(CompletionClaimSignature, model, { mission, last_message: lastMessage }, options);
}

function failedJudgement(error: unknown): Judgement {
  if (!(error instanceof ModelFailure)) throw error;
  return {
    reading: { fields: null, problems: [error.message.slice(0, 300)], isSure: false },
    usage: error.usage,
  };
}

function withUsage(error: unknown, more: Usage | undefined): unknown {
  return error instanceof ModelFailure ? new ModelFailure(error.failure, sumUsage(error.usage, more)) : error;
}

/** The decision model answering an agent's questions. Settles within `timeoutMs`; whether the answer counts is not decided here. */
export function makeToolAdvisor({
  model,
  timeoutMs,
}: {
  readonly model: Model;
  readonly timeoutMs: number;
}): ToolAdvisor {
  return async (asked, signal) => {
    const { reading, usage } = await ask(ToolInputSignature, model, asked, { timeoutMs, signal });
    return {
      answers: reading.fields?.answers?.slice(0, 20).map(bounded) ?? null,
      confidence: reading.fields?.confidence ?? null,
      isSure: reading.isSure,
      problems: reading.problems.map((one) => one.slice(0, 500)),
      model: model.name.slice(0, 200),
      usage,
    };
  };
}

const bounded = ({ id, answer }: { readonly id: string; readonly answer: string }) => ({
  id: id.slice(0, 200),
  answer: answer.slice(0, 4_000),
});
