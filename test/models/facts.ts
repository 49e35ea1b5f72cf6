import type { AdviceFacts, DecisionInput } from '../../src/contract/index.ts';

export const someDecision: DecisionInput = {
  thread_id: 'thread-1',
  turn_id: 'turn-7',
  last_turn_status: 'completed',
  turn_error: null,
  turn_plan: { done: 2, total: 5, current: 'write the parser' },
  diff_summary: { changed: ['files'], turns_without_change: 0 },
  token_usage: { tokens: 12_000, tokens_max: null, money: null },
  pending_approvals: [],
  pending_tool_inputs: [],
  recent_actions: ['continue (continue): the run begins'],
  compaction_events: [],
};

export const someFacts: AdviceFacts = {
  decision: someDecision,
  mission: 'write a parser',
  lastMessage: 'The lexer is done.',
  isClaimed: false,
};
