import { z } from 'zod';

/** How much of what an agent does the guard can see before it happens. */
export const reachSchema = z.enum(['every-action', 'asks', 'nothing']);
export type Reach = z.infer<typeof reachSchema>;

/** What an agent proves of itself once a session is open. */
const provenShape = {
  version: z.string().max(100).optional(),
  sandbox: z.string().max(200).optional(),
  login: z.string().max(200).optional(),
};

/** What a session can do: derived at the edge from the methods it has, never claimed by an adapter. */
const capabilityShape = {
  finds: z.boolean().optional(),
  steers: z.boolean().optional(),
  resumes: z.boolean().optional(),
  reviews: z.boolean().optional(),
  forks: z.boolean().optional(),
  compacts: z.boolean().optional(),
  /** A fresh context without closing the session. */
  renews: z.boolean().optional(),
  /** The session survives the keeper: recovery attaches to it again and ends nothing. */
  outlives: z.boolean().optional(),
};

/**
 * What the run knows about its agent: facts the core may read without asking which agent it is. Recorded when the run
 * is created; what is known only later, or only by trying, is recorded when a session opens and counts from then on.
 */
export const agentFactsSchema = z.object({
  name: z.string().min(1).max(100),
  door: z.string().max(100),
  /** What the person confirmed that the guard can see. */
  sees: reachSchema,
  usage: z.enum(['tokens', 'money', 'both', 'none']),
  /** Whose session it is: in the person's own, their turns count as ours. Absent: ours. */
  session: z.enum(['ours', 'person']).optional(),
  ...provenShape,
  ...capabilityShape,
});
export type AgentFacts = z.infer<typeof agentFactsSchema>;

/** What was found out when a session opened. */
export const openedFactsSchema = z.object({
  sees: reachSchema.optional(),
  ...provenShape,
  ...capabilityShape,
});
export type OpenedFacts = z.infer<typeof openedFactsSchema>;
