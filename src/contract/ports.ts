import type { AgentFacts, OpenedFacts } from './agent.ts';
import type { Alteration } from './certificate.ts';
import type { Check, CheckResult, Tree } from './check.ts';
import type { Recalled, Summarised, SummaryRequest } from './cycle.ts';
import type { Entry, StoredEntry } from './entry.ts';
import type { Event, EventOf } from './event.ts';
import type { Failure } from './failure.ts';
import type { AdviceFacts, Advised, ToolAdvised, ToolAsked } from './signature.ts';
import type { Text } from './text.ts';
import type { DiffStat } from './turn-facts.ts';
import type { RunView } from './view.ts';

/** What an agent may report. Adapters translate into these; they pass long texts whole, ingest cuts and stores them. */
export type AgentEvent = EventOf<
  | 'session-ended'
  | 'session-changed'
  | 'background-changed'
  | 'turn-started'
  | 'turn-ended'
  | 'item-ended'
  | 'plan-changed'
  | 'usage-reported'
  | 'status-reported'
  | 'compaction-seen'
  | 'error-seen'
  | 'limit-seen'
  | 'mode-raised'
  | 'approval-asked'
  | 'input-asked'
  | 'request-withdrawn'
  | 'unreadable'
>;

/** A delta or terminal bytes: shown live, never stored, may be dropped. */
export interface LiveFrame {
  readonly session: string;
  readonly kind: 'message' | 'output' | 'reasoning' | 'terminal';
  readonly text: string;
}

/** How an adapter reports to the run. `body` is the raw text behind the event, kept by digest. */
export interface AgentListener {
  onEvent(event: AgentEvent, body?: string): void;
  onLive(frame: LiveFrame): void;
  /** Must be awaited before a started child process is used, so that recovery can end an orphan. */
  onChildStarted(pid: number): Promise<void>;
}

export interface AgentAnswer {
  readonly answer: 'approve' | 'deny' | 'text';
  readonly because: string;
  readonly text?: string;
  /** An answer to each question by its id; without them `text` answers all. */
  readonly answers?: readonly { readonly id: string; readonly answer: string }[];
}

export type FoundTurn =
  | { readonly found: 'running'; readonly turn: string }
  | {
      readonly found: 'ended';
      readonly turn: string;
      readonly status: 'completed' | 'interrupted' | 'failed';
      readonly message?: Text;
      readonly failure?: Failure;
    }
  | { readonly found: 'absent' }
  | { readonly found: 'unknown' };

/** One conversation with an agent. Optional methods are capabilities. Failures are thrown as `AgentFailure` or reported as events. */
export interface AgentSession {
  readonly id: string;
  /** What the open session proved: its version, login and sandbox, and what of its actions the guard really sees. */
  readonly facts?: Pick<OpenedFacts, 'version' | 'login' | 'sandbox' | 'sees'>;
  /** Delivers one prompt. Resolves once the agent has it; its end is the event `turn-ended`. Rejects only if the agent does not have it, or died with it. */
  turn(dispatch: string, prompt: string): Promise<{ turn?: string }>;
  /** Asks the turn to end; `turn-ended` follows, or our grace period expires. */
  interrupt(turn: string): Promise<void>;
  answer(request: string, answer: AgentAnswer): Promise<void>;
  /** Starts the agent's own review of the work; `instructions` say what to review and how to answer. Otherwise a turn: its message is the review. */
  review?(dispatch: string, instructions: string): Promise<{ turn?: string }>;
  steer?(turn: string, dispatch: string, prompt: string): Promise<void>;
  /** Makes a new conversation that continues from here; `resume` accepts its id once this session is closed. */
  fork?(): Promise<string>;
  /** Has the agent compact its history now. That is a turn without a dispatch. */
  compact?(): Promise<void>;
  /** Was this dispatch delivered? For a turn that was adopted it is the turn's own id. Without it a turn in doubt gets the recovery input, never the same text. */
  find?(dispatch: string): Promise<FoundTurn>;
  /** Is a child process of the agent running? Then the turn does not count as silent. */
  working?(): Promise<boolean>;
  /** Begins a fresh context in this session; resolves with the id it goes by from then on. */
  renew?(): Promise<{ session: string }>;
  /** Leaves the session running without us. With `find`, and `resume` to attach to it again, it says that the session survives a keeper. */
  detach?(): Promise<void>;
  /** Ends the agent process and everything it started. */
  close(): Promise<void>;
}

/** A coding agent behind an adapter. The core never asks which one it is. */
export interface Agent {
  readonly facts: AgentFacts;
  open(listener: AgentListener): Promise<AgentSession>;
  resume?(session: string, listener: AgentListener): Promise<AgentSession>;
}

/** Grants turns. The default grants at once; a fleet's scheduler can implement the same port. */
export interface Slots {
  request(run: string): Promise<void>;
}

/** The part of AbortSignal that this layer may know. */
export interface Aborting {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The workspace: facts about the tree and the checks the host runs itself. */
export interface Workspace {
  readonly path: string;
  tree(): Promise<Tree>;
  check(check: Check, timeoutMs: number, signal?: Aborting): Promise<CheckResult>;
  /** What changed between two trees, in numbers. */
  diffStat?(from: string, to: string): Promise<DiffStat>;
  /** Paths that differ between two trees. */
  changedPaths?(from: string, to: string): Promise<readonly string[]>;
  /** Keeps the current files under a name. Rejects when that cannot be done. */
  savepoint?(name: string, because: string): Promise<unknown>;
  /** How the proof itself (tests, scripts, what the checks run, CI) differs between two trees. */
  suiteAlterations?(from: string, to: string, checks?: readonly Check[]): Promise<readonly Alteration[]>;
}

/** The decision model. If it is slow, down or incoherent, that only makes the run more careful. Rejects with `ModelFailure`. */
export type Advisor = (facts: AdviceFacts, signal?: Aborting) => Promise<Advised>;

/**
 * Distils a cycle into long-term memories, each with its evidence, and a summary for the next cycle. Safe to repeat for
 * the same run and cycle: it writes nothing twice. When it rejects, the facts are kept as they are.
 */
export type Summariser = (request: SummaryRequest, signal?: Aborting) => Promise<Summarised>;

/** Finds memories for a cycle, within a token budget. */
export type Recall = (
  query: string,
  bounds: { readonly tokensMax: number; readonly entriesMax: number },
) => Promise<Recalled>;

/** The decision model, answering in the person's place. Rejects with `ModelFailure`. */
export type ToolAdvisor = (asked: ToolAsked, signal?: Aborting) => Promise<ToolAdvised>;

export interface Note {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly run: string;
  /** The question behind it, if it can be approved or denied. */
  readonly gate?: { readonly id: string; readonly digest: string; readonly expiresAt: number | null };
}

export type Notifier = (note: Note) => Promise<void>;

/** Time as the run loop sees it; simulated in tests. */
export interface Clock {
  at(): number;
  mono(): number;
  /** Calls `fire` once after `ms` of monotonic time; returns a function that cancels it. */
  after(ms: number, fire: () => void): () => void;
}

// ─── store ──────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Holder {
  readonly session: string;
  readonly pid: number;
  readonly pidStart: string;
  readonly host: string;
}

export interface Lease {
  readonly key: string;
  readonly epoch: number;
  readonly holder: Holder;
}

/** A lease as somebody holds it. A heartbeat that cannot be read is null. */
export interface LeaseHeld {
  readonly heldBy: Holder;
  readonly heartbeatAt: number | null;
}

export type LeaseAnswer = { readonly got: Lease } | { readonly heldBy: Holder; readonly heartbeatAt: number };

export interface InboxRow {
  readonly id: string;
  readonly run: string;
  readonly at: number;
  readonly event: Event;
}

export interface Body {
  readonly digest: string;
  readonly text: string;
}

export interface Snapshot {
  readonly seq: number;
  readonly foldVersion: number;
  readonly hash: string;
  readonly json: string;
}

export interface Child {
  readonly pid: number;
  readonly pidStart: string;
  readonly host: string;
}

/** What goes into one durable commit beside the entries. */
export interface AppendExtras {
  readonly view: RunView;
  readonly bodies?: readonly Body[];
  readonly snapshot?: Omit<Snapshot, 'hash'>;
}

export type StoreFault =
  | 'stale-epoch'
  | 'not-next'
  | 'disk-full'
  | 'read-only'
  | 'corrupt'
  | 'newer'
  | 'busy'
  | 'unknown-run'
  | 'io';

/**
 * The ledger and what is stored beside it. Asynchronous and in batches; no SQL, rowid or cross-run order leaks out.
 * Every failure is a `StoreError` with one of the `StoreFault`s, naming the place and the fix.
 */
export interface Store {
  /** Appends in one durable commit. Refused when `fromSeq` is not next or `epoch` is not the lease's. Inbox rows named as causes are consumed in the same commit. */
  append(
    run: string,
    epoch: number,
    fromSeq: number,
    entries: readonly Entry[],
    extras: AppendExtras,
  ): Promise<void>;
  read(run: string, fromSeq: number, limit: number): Promise<readonly StoredEntry[]>;
  snapshot(run: string): Promise<Snapshot | null>;
  /** Calls `changed` soon (≤ 100 ms) after anything of the run (entries, inbox) was written by any process. */
  subscribe(run: string, changed: () => void): () => void;

  /** Takes a lease, or says who holds it. A provably dead holder and one without heartbeat for the stale time are replaced. */
  acquire(key: string, holder: Holder): Promise<LeaseAnswer>;
  /** Heartbeat. False when the lease was lost. */
  renew(lease: Lease): Promise<boolean>;
  release(lease: Lease): Promise<void>;
  /** Who holds a lease now, living or not, and when they last said so. Takes nothing. */
  holder(key: string): Promise<LeaseHeld | null>;

  /** Posts a message for the run's keeper, processed exactly once. Returns the row's id. */
  post(run: string, event: Event): Promise<string>;
  inbox(run: string): Promise<readonly InboxRow[]>;

  body(digest: string): Promise<string | null>;
  /** Newest first. */
  runs(): Promise<readonly RunView[]>;
  view(run: string): Promise<RunView | null>;

  noteChild(run: string, child: Child): Promise<void>;
  children(run: string): Promise<readonly Child[]>;
  forgetChild(run: string, child: Child): Promise<void>;

  close(): Promise<void>;
}
