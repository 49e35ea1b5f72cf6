import type { ToolAdvisor } from '../../contract/index.ts';
import { ToolInputSignature } from '../../core/models/index.ts';
import { ask } from './ask.ts';
import type { Model } from './model.ts';

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
