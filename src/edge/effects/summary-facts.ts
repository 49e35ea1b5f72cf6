import { summarise } from '../../core/index.ts';
import type { Run } from './words.ts';

/** What the decision model is shown: the same summary the receipt keeps, and what the agent said last. */
export const summaryFacts = (run: Run): Record<string, unknown> => ({
  mission: run.mission.text,
  lastMessage: run.last?.message?.text ?? null,
  ...summarise(run),
});
