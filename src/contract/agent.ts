import { z } from 'zod';

/** What the run knows about its agent: facts the core may read without asking which agent it is. */
export const agentFactsSchema = z.object({
  name: z.string().min(1).max(100),
  door: z.string().max(100),
  version: z.string().max(100).optional(),
  /** What the guard can see of this agent's actions. */
  sees: z.enum(['every-action', 'asks', 'nothing']),
  usage: z.enum(['tokens', 'money', 'both', 'none']),
  /** Capabilities by presence of the optional methods of the port. */
  finds: z.boolean(),
  steers: z.boolean(),
  resumes: z.boolean(),
  reviews: z.boolean().optional(),
  sandbox: z.string().max(200).optional(),
  login: z.string().max(200).optional(),
});
export type AgentFacts = z.infer<typeof agentFactsSchema>;
