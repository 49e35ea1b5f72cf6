import type {
  Actor,
  AgentFacts,
  Check,
  CheckResult,
  Failure,
  Policy,
  RunState,
  RunView,
  Verdict,
} from '../../contract/index.ts';
import type { Excerpt } from './excerpt.ts';

/** What a person reads about a run, derived from its ledger: never read back, nothing decided from it. */
export interface Report {
  readonly v: 1;
  readonly run: string;
  /** Made for strangers: no text anybody wrote, no path, no name. Texts are empty then. */
  readonly isPublic: boolean;
  readonly asked: Asked;
  /** The run as it stands: state, reason, budgets, open gates. */
  readonly view: RunView;
  readonly ending: Ending;
  /** Actions that were denied because nobody answered in time: a report opens with them. */
  readonly unanswered: readonly GateStory[];
  readonly spent: Spent;
  readonly bands: readonly Band[];
  readonly points: readonly Point[];
  readonly turns: Excerpt<TurnStory>;
  readonly decisions: Excerpt<DecisionStory>;
  readonly rules: readonly RuleCount[];
  readonly gates: Excerpt<GateStory>;
  readonly answers: readonly AnswerCount[];
  /** Denials by a guard rule, without a person. */
  readonly denials: Excerpt<Denial>;
  readonly checkRuns: Excerpt<CheckRun>;
  readonly certificate: Certificate | null;
  /** Claims that our own evidence refused. */
  readonly refusals: number;
  readonly changes: Changes;
  readonly people: Excerpt<PersonAct>;
  readonly troubles: Troubles;
  /** The ledger could be followed only up to here. */
  readonly broken: { readonly seq: number; readonly because: string } | null;
  /** Whether the stored chain holds; absent when nobody looked. */
  readonly chain?: { readonly ok: boolean; readonly damage: readonly string[] };
}

export interface Asked {
  readonly mission: string;
  readonly by: string;
  readonly at: number;
  readonly workspace: string;
  readonly agent: AgentFacts;
  readonly mode: 'once' | 'autonomous';
  readonly policy: Policy;
  readonly policyVersion: number;
  readonly configDigest: string;
  readonly checks: readonly Check[];
}

/** Why the run stands where it stands. */
export interface Ending {
  readonly state: RunState;
  readonly at: number;
  readonly entries: number;
  readonly rule: string | null;
  readonly because: string;
  readonly actor: Actor | null;
  readonly cause: string | null;
  /** What the agent said last. Its words are a claim, not evidence. */
  readonly lastMessage: string;
  /** The one safe next action; null when nothing is to be done. */
  readonly next: string | null;
}

export interface Spent {
  readonly turns: number;
  readonly tokens: number | null;
  readonly money: number | null;
  readonly activeMs: number;
  readonly elapsedMs: number;
  readonly byBand: Readonly<Record<BandKind, number>>;
}

export const bandKinds = [
  'working',
  'checking',
  'deciding',
  'waiting-person',
  'waiting-world',
  'paused',
  'asleep',
  'unkept',
] as const;
/** `unkept`: no process held the run, so nothing could happen. */
export type BandKind = (typeof bandKinds)[number];

/** A stretch of wall time and what it went into. */
export interface Band {
  readonly kind: BandKind;
  readonly from: number;
  readonly to: number;
}

/** One turn, or several merged where there are too many to draw. */
export interface Point {
  readonly fromTurn: number;
  readonly toTurn: number;
  readonly at: number;
  readonly tokens: number | null;
  readonly money: number | null;
  readonly durationMs: number;
  /** Turns among them that left a result. */
  readonly changed: number;
  readonly failed: number;
  readonly plan: { readonly done: number; readonly total: number } | null;
}

export interface Spoken {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly because: string;
  readonly to: RunState;
}

export interface TurnStory {
  /** Its number; a turn that cost none (a usage limit, the world away) repeats the number of the next. */
  readonly turn: number;
  /** Somebody else started it: followed and billed, never ours. */
  readonly isForeign: boolean;
  readonly startedAt: number;
  /** Null while it runs. */
  readonly endedAt: number | null;
  readonly durationMs: number;
  readonly status: 'running' | 'completed' | 'interrupted' | 'failed';
  readonly failure: Failure | null;
  readonly tokens: number | null;
  readonly money: number | null;
  /** What its input was made of. */
  readonly input: readonly string[];
  readonly items: Readonly<Record<'command' | 'edit' | 'tool' | 'message' | 'other', number>>;
  readonly failedItems: number;
  readonly denials: number;
  readonly changed: readonly string[];
  readonly trees: { readonly before: string | null; readonly after: string | null };
  readonly plan: { readonly done: number; readonly total: number } | null;
  readonly claimed: boolean;
  readonly message: string;
  /** What was decided after it, in order. */
  readonly decided: readonly Spoken[];
}

export interface DecisionStory extends Spoken {
  readonly seq: number;
  readonly at: number;
  readonly turn: number;
  readonly confidence: number;
  readonly actor: Actor;
  readonly cause: string | null;
  readonly advice: {
    readonly action: string;
    readonly confidence: number | null;
    readonly reason: string;
    readonly problems: readonly string[];
    readonly model: string | null;
    /** Given, and another rule spoke first. */
    readonly overridden: boolean;
  } | null;
}

export interface RuleCount {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly times: number;
}

export interface AnswerCount {
  readonly answer: 'approve' | 'deny' | 'text';
  readonly rule: string;
  readonly times: number;
}

export type GateEnd = 'open' | 'approved' | 'denied' | 'answered' | 'expired' | 'withdrawn';

export interface GateStory {
  readonly id: string;
  readonly kind: 'approval' | 'input' | 'accept';
  readonly turn: number;
  readonly asks: string;
  readonly because: string;
  readonly rule: string;
  readonly never: boolean;
  readonly digest: string;
  readonly askedAt: number;
  readonly expiresAt: number | null;
  readonly closedAt: number | null;
  readonly end: GateEnd;
  readonly by: string | null;
  readonly said: string;
}

export interface Denial {
  readonly at: number;
  readonly turn: number;
  readonly rule: string;
  readonly because: string;
  readonly action: string;
  readonly never: boolean;
}

export interface CheckRun {
  readonly at: number;
  readonly turn: number;
  /** Before the first turn, to know how things stood; or after a claim, to weigh it. */
  readonly purpose: 'baseline' | 'claim' | 'task';
  /** Somebody worked meanwhile, or nobody waited for it any more: it proves nothing. */
  readonly isVoid: boolean;
  readonly results: readonly CheckResult[];
  readonly treeBefore: string;
  readonly treeAfter: string;
}

/** The evidence that the mission is finished. What is absent was not judged. */
export interface Certificate {
  readonly at: number;
  readonly seq: number;
  readonly claim: { readonly via: string; readonly text: string };
  /** Who accepted the work where no check could prove it. */
  readonly acceptedBy: string | null;
  readonly checks: readonly CheckResult[];
  readonly tree: {
    readonly beforeChecks: string;
    readonly afterChecks: string;
    readonly atEnd: string;
    /** The tree that was checked is the tree that is there. */
    readonly isFresh: boolean;
  };
  readonly plan: { readonly done: number; readonly total: number } | null;
  readonly baseline?: readonly { readonly name: string; readonly outcome: string }[];
  readonly altered?: readonly { readonly what: string; readonly because: string }[];
  readonly flaky?: readonly string[];
  /** Paths the checks themselves wrote. */
  readonly wrote?: readonly string[];
}

export interface Changes {
  readonly firstTree: string | null;
  readonly lastTree: string | null;
  readonly firstHead: string | null;
  readonly lastHead: string | null;
  /** Turns that left a result. */
  readonly turns: number;
  /** Absent when nobody compared the trees. */
  readonly files?: readonly FileChange[];
  /** How many paths differ, also where `files` is cut. */
  readonly paths?: number;
}

export interface FileChange {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  readonly added: number | null;
  readonly removed: number | null;
}

export interface PersonAct {
  readonly at: number;
  readonly by: string;
  readonly act: 'stop' | 'off' | 'pause' | 'resume' | 'steer' | 'limits';
  readonly text: string;
}

export interface Troubles {
  readonly failures: readonly {
    readonly kind: string;
    readonly times: number;
    readonly lastAt: number;
    readonly lastMessage: string;
  }[];
  readonly retriedErrors: number;
  readonly compactions: number;
  readonly lostSessions: number;
  readonly keepers: number;
  /** Turns that were in doubt after a crash of ours. */
  readonly recoveries: number;
  readonly sleeps: { readonly times: number; readonly ms: number };
  readonly foreignTurns: number;
  /** Heard too late to change anything, by event; our own shutdowns are not counted. */
  readonly late: readonly { readonly name: string; readonly times: number }[];
  readonly unreadable: { readonly times: number; readonly samples: readonly string[] };
}
