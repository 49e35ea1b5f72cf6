/**
 * Every bound that is not a person's to set. What a person may set stands in `contract/policy.ts`.
 * Names end in their unit.
 */
export const bounds = {
  /** Ids one conversation went by before. */
  formerSessionsMax: 8,
  /** What is remembered of one step of the agent's plan. */
  planStepCharsMax: 300,
  /** First wait after a failure; doubles up to the maximum. */
  backoffMs: 60_000,
  backoffMaxMs: 1_800_000,
  /** After a usage limit's reset: providers reset late, and many runs must not wake at once. */
  limitMarginMs: 120_000,
  limitJitterMs: 60_000,
  /** How often a limit without a reset time is probed. */
  limitProbeMs: 1_800_000,
  /** A turn shorter than this that changed nothing is a spin: it cools down. */
  shortTurnMs: 5_000,
  cooldownMs: 1_000,
  cooldownMaxMs: 60_000,
  /** Compactions are counted over this many turns. */
  compactionWindowTurns: 10,
  /** What a run remembers of anything that grows: a snapshot stays under 256 KB. */
  seenMarksMax: 64,
  endedTurnsMax: 16,
  compactionsMax: 1_000,
  requestsMax: 64,
  gatesMax: 16,
  gateAsksCharsMax: 4_096,
  /** Lines of the guard's findings, shapes and options that a question keeps, and their length. */
  gateLinesMax: 8,
  gateLineCharsMax: 160,
  /** A judgement that lists this many effects may not list all. */
  effectsKnownMax: 50,
  shapesMax: 50,
  shapeCharsMax: 200,
  deniedMax: 10,
  actionCharsMax: 500,
  unansweredMax: 20,
  unansweredCharsMax: 500,
  sessionsMax: 16,
  recentTurnsMax: 5,
  recentCharsMax: 300,
  becauseCharsMax: 2_000,
  reportedCharsMax: 1_000,
  claimCharsMax: 500,
  steersMax: 20,
  steersCharsMax: 24_576,
  /** Reviews of claimed work that found something before a person is asked. */
  reviewsMax: 2,
  evidenceMax: 5,
  evidenceCharsMax: 4_096,
  pendingMax: 40,
  /** Notes of working memory that a run keeps at hand. */
  workingMax: 16,
  /** Tasks that may wait for the checks at once. */
  tasksWaitingMax: 256,
  taskProofCharsMax: 500,
  /** Recalled memories that one input carries: their token budget, in characters. */
  recalledCharsMax: 16_384,
} as const;
