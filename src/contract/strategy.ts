import { z } from 'zod';

/** Who answers an agent's requests: the guard where it allows and a person otherwise, always a person, or nobody. */
export const approvalStrategySchema = z.enum(['policy', 'pause', 'never-ask']);
export type ApprovalStrategy = z.infer<typeof approvalStrategySchema>;
