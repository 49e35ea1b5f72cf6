import type { Action, Judgement } from '../../contract/index.ts';

export interface GuardContext {
  readonly workspace: string;
  readonly cwd: string;
}

/** Until the analysis by effect stands here, every action is unknown, and unknown is asked about. */
export function judgeAction(_action: Action, _context: GuardContext): Judgement {
  return { verdict: 'ask', rule: 'unknown', because: 'what this action does is not known' };
}
