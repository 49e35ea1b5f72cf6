import type { AdviceFacts, DecisionInput } from '../../contract/index.ts';
import type { Run } from '../run-state.ts';

const asksCharsMax = 300;

/** What the decision model is shown of a run that stands between two turns. */
export const adviceFactsOf = (run: Run): AdviceFacts => ({
  decision: decisionInputOf(run),
  mission: run.mission.text,
  lastMessage: run.last?.message?.text ?? null,
  isClaimed: run.claim !== null,
});

function decisionInputOf(run: Run): DecisionInput {
  const { last, plan, usage, policy } = run;
  const open = (kind: 'approval' | 'input'): string[] =>
    run.gates.filter((gate) => gate.kind === kind).map((gate) => gate.asks.text.slice(0, asksCharsMax));
  return {
    thread_id: run.session?.id ?? '',
    turn_id: run.endedTurns.at(-1) ?? '',
    last_turn_status: last?.status ?? 'failed',
    turn_error: last?.failure == null ? null : `${last.failure.kind}: ${last.failure.message}`,
    turn_plan: plan === null ? null : { done: plan.done, total: plan.total, current: plan.current },
    diff_summary: { changed: [...run.changed], turns_without_change: run.noProgressTurns },
    token_usage: {
      tokens: usage.tokens,
      tokens_max: policy.limits.tokensMax ?? null,
      money: usage.money,
    },
    pending_approvals: open('approval'),
    pending_tool_inputs: open('input'),
    recent_actions: run.recent.map((one) => `${one.verdict} (${one.rule}): ${one.because}`),
    compaction_events: run.compactions.slice(-policy.recentDecisions),
  };
}
