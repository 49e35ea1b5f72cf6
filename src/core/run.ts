import type {
  Action,
  Advice,
  AgentFacts,
  BackgroundTask,
  Baseline,
  Certificate,
  Check,
  CheckResult,
  DeniedAction,
  DiffStat,
  Effect,
  Failure,
  FailureKind,
  Input,
  InputPart,
  PlanStep,
  Policy,
  Reach,
  ReviewOf,
  RunState,
  Site,
  Task,
  Text,
  Tree,
  Verdict,
  Waiting,
  WorkingNote,
} from '../contract/index.ts';
import type { AllowedShape } from './approvals/shapes.ts';

/** The version of this shape and of `fold`: a snapshot of another version is dropped and folded anew. */
export const foldVersion = 6;

/** One turn of ours in flight. */
export interface Turn {
  readonly dispatch: string;
  readonly session: string;
  /** The agent's id of the turn; null until it told us. */
  readonly turn: string | null;
  readonly input: Input;
  /** `sent`: the intent is recorded · `started`: the agent has it · `doubt`: our process died in between. */
  readonly phase: 'sent' | 'started' | 'doubt';
  readonly startedMono: number;
  readonly activeBeforeMs: number;
  readonly items: number;
  readonly failedItems: number;
  readonly denials: number;
  readonly tokensBefore: number | null;
  readonly moneyBefore: number | null;
  readonly planBefore: string | null;
  readonly reported: { readonly status: 'done' | 'blocked' | 'waiting'; readonly text: string } | null;
  readonly error: FailureKind | null;
  readonly interrupt: 'wanted' | 'sent' | null;
  readonly endAs: 'silent' | 'overlong' | 'person' | 'cycle' | null;
  /** What is left of the turn's total time while a gate stops its clock. */
  readonly clockLeftMs: number | null;
  /** Requests the agent made in this turn: one that is repeated is not asked about again. */
  readonly requests: readonly string[];
  /** The agent did not take steering in this turn: it waits for the next input. */
  readonly steerRefused: boolean;
  /** Not work but a look at it. */
  readonly review: ReviewOf | null;
  /** We did not start it, and it counts as ours: work of ours woke it, or the session is the person's. */
  readonly adopted: boolean;
  /** Items so far, by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** What the rules know about the turn that ended last. */
export interface EndedTurn {
  readonly status: 'completed' | 'interrupted' | 'failed';
  readonly failure: Failure | null;
  readonly message: Text | null;
  readonly durationMs: number;
  readonly items: number;
  readonly failedItems: number;
  readonly denials: number;
  readonly reported: 'blocked' | 'waiting' | null;
  readonly reportedText: string;
  /** Waits already served for this turn, by rule: each wait is taken once. */
  readonly waited: readonly string[];
  /** The person interrupted it: no failure, no missing progress. */
  readonly byPerson: boolean;
  readonly review: ReviewOf | null;
  readonly planBefore: string | null;
  readonly kinds: Readonly<Record<string, number>>;
}

/** A decided `continue` on its way to the agent: it starts when session, slot and tree are there. */
export interface Launch {
  readonly input: Input;
  readonly slot: boolean;
  readonly tree: boolean;
}

export interface Gate {
  readonly id: string;
  readonly kind: 'approval' | 'input' | 'accept';
  readonly session: string | null;
  readonly turn: string | null;
  readonly request: string | null;
  readonly asks: Text;
  readonly digest: string;
  readonly because: string;
  readonly rule: string;
  readonly never: boolean;
  readonly action: Action['kind'] | null;
  readonly effects: readonly string[];
  readonly instead: string | null;
  /** Approved, it is done only after a savepoint. */
  readonly destructive: boolean;
  /** What an approval by shape would cover; empty where only this one action may be allowed. */
  readonly shapes: readonly string[];
  readonly kinds: readonly string[];
  readonly options: readonly string[];
  readonly askedAt: number;
  readonly expiresAt: number | null;
}

/** An approval that waits for its action; `late` was given after the question's time was over. */
export interface UnusedApproval {
  readonly digest: string;
  readonly gate: string;
  readonly late?: true;
}

export interface Timer {
  readonly effect: string;
  readonly dueAt: number;
  readonly clock: 'wall' | 'mono';
  readonly afterMs: number;
}

/** What was gathered about the last claim, and how it weighs. */
export interface Proof {
  readonly certificate: Certificate;
  readonly results: readonly CheckResult[];
}

/** An effect whose outcome has not come yet. */
export type UnderWay = Effect & { readonly id: string };

/** One context window's worth of a run. */
export interface Cycle {
  /** 0 before the first; a run of one window stays in its first. */
  readonly n: number;
  /** The entry it began with: what happened in it is read from the ledger. */
  readonly fromSeq: number;
  readonly tokensBefore: number | null;
  /** How full the agent says its window is. */
  readonly context: { readonly session: string; readonly tokens: number; readonly window: number } | null;
  /** The agent ran into the end of its window. */
  readonly overran: boolean;
  /** The wrap-up was told, or is on its way. */
  readonly wrapUp: boolean;
  /** Turns that began and ended since. */
  readonly closingTurns: number;
  /** What the next cycle begins with, once this one is summarised. */
  readonly prepared: { readonly summary: string; readonly recalled: readonly string[] } | null;
}

/** The queue as a value: its tasks stand in the order in which they are due. */
export interface TaskQueue {
  /** The number of the next task: never one twice, also after a removal. */
  readonly next: number;
  /** Characters that all tasks hold together. */
  readonly chars: number;
  /** How many tasks became done. */
  readonly finished: number;
  readonly list: readonly Task[];
  /** Called done, and the checks have not begun since. */
  readonly waiting: readonly string[];
  /** Called done before these checks began: their outcome settles it. */
  readonly checking: readonly { readonly task: string; readonly effect: string }[];
}

/** A note of working memory, as the run keeps it. */
export type Working = WorkingNote & { readonly at: number; readonly by: string };

/** All that a run is, folded from its entries. Bounded: the last few of anything, plus counters. */
export type Run = RunFields & (Waits | DoesNotWait);

/** Who waits says for what; nobody else does. */
interface Waits {
  readonly state: 'waiting';
  readonly waiting: Waiting;
}
interface DoesNotWait {
  readonly state: Exclude<RunState, 'waiting'>;
  readonly waiting: null;
}

interface RunFields {
  // Identity and time.
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly mono: number;
  readonly createdAt: number;

  // What was asked for.
  readonly mission: Text;
  readonly workspace: string;
  readonly site: Site | null;
  readonly agent: AgentFacts;
  readonly policy: Policy;
  readonly policyVersion: number;
  readonly checks: readonly Check[];
  readonly mode: 'once' | 'autonomous';

  /** Why it stands where it does. */
  readonly cause: string | null;
  readonly because: string;
  readonly epoch: number;

  // What the person wants.
  readonly asked: { readonly stop: boolean; readonly off: boolean; readonly pause: boolean };
  readonly steers: readonly Text[];
  /** Steering on its way into a running turn. */
  readonly steering: {
    readonly dispatch: string;
    readonly texts: readonly Text[];
    readonly wrapUp: boolean;
  } | null;

  // The agent: its session, its turn, and what the next decision waits for.
  readonly session: {
    readonly id: string;
    readonly open: boolean;
    /** Ids the same conversation went by before: what still comes under them belongs here. */
    readonly former: readonly string[];
    /** A fresh context is due before the next turn. */
    readonly stale: boolean;
    /** Left running without us; whoever ends the run ends it too. */
    readonly detached: boolean;
    /** It outlived us, and a turn in it that nobody can trace may still be at work. */
    readonly lost: boolean;
  } | null;
  /** What the guard turned out to see once the session was open; null where nothing was proven. */
  readonly proven: Reach | null;
  /** The person did not agree to that reach. */
  readonly reachDenied: boolean;
  /** Requests of sub-agents in this session: one that is repeated is not answered twice. */
  readonly subagentRequests: readonly string[];
  /** What still runs although its turn may have ended. */
  readonly background: readonly BackgroundTask[];
  readonly turn: Turn | null;
  readonly foreign: string | null;
  readonly endedTurns: readonly string[];
  readonly last: EndedTurn | null;
  readonly launch: Launch | null;
  /** A decision is due and only waits for these. */
  readonly awaiting: { readonly tree: boolean; readonly advice: boolean; readonly find: boolean };
  /** Effects of a dead process to be started again. */
  readonly redo: readonly Effect[];

  // What was used.
  readonly turns: number;
  readonly recentTurns: readonly {
    readonly tokens: number | null;
    readonly money: number | null;
    readonly activeMs: number;
  }[];
  readonly usage: {
    readonly tokens: number | null;
    readonly money: number | null;
    readonly bySession: Readonly<
      Record<string, { readonly tokens: number | null; readonly money: number | null }>
    >;
  };
  readonly activeMs: number;
  readonly cycle: Cycle;

  // Progress.
  readonly tree: Tree | null;
  readonly seenMarks: readonly string[];
  readonly changed: readonly string[];
  readonly noProgressTurns: number;
  readonly shortTurns: number;
  readonly plan: {
    readonly digest: string;
    readonly done: number;
    readonly total: number;
    readonly current: string | null;
    readonly steps: readonly PlanStep[];
  } | null;
  /** What the last turn changed, where that could be told. */
  readonly diff: DiffStat | null;

  /** The queue of an autonomous run; a new run begins with an empty one. */
  readonly tasks: TaskQueue;
  /** Working memory: the newest notes since the cycle began. The ledger has them all. */
  readonly working: readonly Working[];

  // Completion.
  readonly claim: { readonly via: 'reported' | 'closing-line' | 'advice'; readonly text: string } | null;
  /** The checks as they were before the first turn. */
  readonly baseline: Baseline | null;
  readonly proof: Proof | null;
  readonly proofVoid: boolean;
  /** Claims in a row that the same check refused. */
  readonly refusals: { readonly check: string; readonly times: number } | null;
  /** What a person looked at and accepted; it counts for exactly that. */
  readonly accepted: { readonly by: string; readonly because: readonly string[] } | null;

  /** What a review said and the agent was not told yet; `count` as in the input part. */
  readonly review: { readonly text: Text; readonly count: number | null } | null;
  /** How reviews of claimed work went since the last one that passed. */
  readonly reviewed: { readonly rounds: number; readonly isPassed: boolean; readonly isUnclear: boolean };

  // Trouble.
  readonly limit: { readonly until: number | null; readonly because: string } | null;
  readonly failuresInRow: number;
  readonly awayInRow: number;
  readonly sameError: { readonly kind: FailureKind; readonly times: number } | null;
  readonly compactions: readonly number[];
  readonly unsafe: string | null;

  // Approvals.
  readonly gates: readonly Gate[];
  /** Approvals given for a request the agent no longer waits on: each applies once to the same action. */
  readonly unusedApprovals: readonly UnusedApproval[];
  /** Shapes of actions a person allowed for this run. */
  readonly shapes: readonly AllowedShape[];
  /** What was denied since the last input: the next one says so. */
  readonly denied: readonly DeniedAction[];
  readonly expiriesInRow: number;
  readonly unansweredStop: string | null;
  /** Questions whose time ran out; an action among them can still be approved, for the next time it is asked. */
  readonly unanswered: readonly Gate[];

  // Advice, and what the next input owes the agent.
  readonly advice: Advice | null;
  readonly adviceAsked: boolean;
  readonly adviceMisses: number;
  /** Parts of a prompt the agent never saw; they join the next input. */
  readonly carry: readonly InputPart[];
  /** The last instruction may have been lost half way: the next input says so. */
  readonly inDoubt: boolean;

  // Effects under way, and the last decisions.
  readonly timers: Readonly<Record<string, Timer>>;
  readonly pending: readonly UnderWay[];
  readonly recent: readonly {
    readonly verdict: Verdict;
    readonly rule: string;
    readonly because: string;
    readonly confidence: number;
    readonly at: number;
  }[];
}

export const isTerminal = (state: RunState): boolean =>
  state === 'done' || state === 'stopped' || state === 'failed';

/** Keeps the last `max` of a growing list. */
export function lastOf<T>(list: readonly T[], item: T, max: number): readonly T[] {
  return list.length < max ? [...list, item] : [...list.slice(list.length - max + 1), item];
}

export const without = <T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> => {
  if (!(key in record)) return record;
  const { [key]: _gone, ...rest } = record;
  return rest;
};
