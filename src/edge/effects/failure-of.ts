import { AgentFailure, type Failure } from '../../contract/index.ts';

/** A thrown failure of the agent or the world, in the words the rules understand. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AgentFailure) return error.failure;
  return { kind: 'other', message: (error instanceof Error ? error.message : String(error)).slice(0, 2_000) };
}
