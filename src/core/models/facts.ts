import type { AdviceFacts, DecisionInput, Question, ToolAsked } from '../../contract/index.ts';
import type { Run } from '../run.ts';

const asksCharsMax = 300;
const messageCharsMax = 4_000;

/** What the decision model is shown of a run that stands between two turns. */
export const adviceFactsOf = (run: Run): AdviceFacts => ({
  decision: decisionInputOf(run),
  mission: run.mission.text,
  lastMessage: run.last?.message?.text ?? null,
  isClaimed: run.claim !== null,
});

/** What a model is shown that answers an agent's questions. */
export function toolAskedOf({ mission, plan, last }: Run, questions: readonly Question[]): ToolAsked {
  const context = [
    `Mission: ${mission.text}`,
    ...(plan?.current == null ? [] : [`The agent is at: ${plan.current}`]),
    ...(last?.message == null ? [] : [`What it said last: ${last.message.text.slice(0, messageCharsMax)}`]),
  ];
  return {
    questions: questions.map(({ id, question, options }) => ({ id, question, options })),
    context: context.join('\n\n'),
  };
}

function decisionInputOf(run: Run): DecisionInput {
  const { last, plan, usage, policy } = run;
  const open = (kind: 'approval' | 'input'): string[] =>
    run.gates.filter((gate) => gate.kind === kind).map((gate) => gate.asks.text.slice(0, asksCharsMax));
  return {
    thread_id: run.session?.id ?? '',
    turn_id: run.endedTurns.at(-1) ?? '',
    last_turn_status: last?.status ?? 'failed',
    turn_error: last?.failure == null ? null : `${last.failure.kind}: ${last.failure.message}`,
    turn_plan:
      plan === null
        ? null
        : { done: plan.done, total: plan.total, current: plan.current, steps: plan.steps.slice(0, 20) },
    diff_summary: {
      changed: [...run.changed],
      turns_without_change: run.noProgressTurns,
      ...(run.diff ?? {}),
      items: last?.kinds ?? {},
    },
    token_usage: { tokens: usage.tokens, tokens_max: policy.limits.tokensMax ?? null, money: usage.money },
    pending_approvals: open('approval'),
    pending_tool_inputs: open('input'),
    recent_actions: run.recent.map((one) => `${one.verdict} (${one.rule}): ${one.because}`),
    compaction_events: run.compactions.slice(-policy.recentDecisions),
  };
}
