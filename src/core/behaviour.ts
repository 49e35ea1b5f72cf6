import type { Run } from './run.ts';

/**
 * What a run does differently since a policy version, where folding the same events would give another run. An older
 * ledger keeps the behaviour of the version it was recorded with. To change how events are folded: raise
 * `policyVersion`, add a flag with a paragraph, and ask for it with `behaves`. A flag is never removed or reused.
 */
const since = {
  /**
   * An agent raised its own permission mode: its turn is interrupted at once, since it could go on acting unasked.
   * Before, the turn was left to end by itself, and the run paused only then.
   */
  interruptsRaisedMode: 2,
  /**
   * A wait says one thing: the provider, the agent, a turn of somebody else's, or a summary that is being written.
   * Before, all four were `external` and told apart by what was absent.
   */
  namesWaits: 3,
  /**
   * The end of a turn nobody had heard of is remembered, so that its start, if it is told later, is not waited for.
   * Before, such a turn was followed for ever.
   */
  remembersEnds: 3,
  /** The summary of a turn holds the steps of the plan, what changed and what was done by kind. */
  summarisesMore: 3,
} as const;

export const behaves = ({ policyVersion }: Run, flag: keyof typeof since): boolean =>
  policyVersion >= since[flag];
