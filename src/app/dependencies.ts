import type {
  Advisor,
  Agent,
  AgentEvent,
  Child,
  Clock,
  Entry,
  Holder,
  LiveFrame,
  NewMemory,
  Notifier,
  Recall,
  RunView,
  Slots,
  Store,
  Summariser,
  ToolAdvisor,
  Workspace,
} from '../contract/index.ts';
import type { Run } from '../core/index.ts';
import type { Ingest } from '../edge/ingest/ingest.ts';
import type { HookJudge } from '../edge/sockets/judge.ts';

/** A run as the process that holds it offers it to its sockets. */
export interface HeldRun {
  readonly epoch: number;
  run(): Run;
  /** Looks at the inbox now. */
  wake(): void;
  /** Something the agent's side reports. */
  put(event: AgentEvent): void;
  /** Answers to hooks and plugins go there. */
  hooks(judge: Pick<HookJudge, 'deliver'>): void;
}

/** Everything one run needs from outside, passed in: no module state, no clock, no environment of its own. */
export interface Dependencies {
  readonly store: Store;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly ingest: Ingest;
  readonly holder: Holder;
  readonly version: string;
  readonly notify: Notifier;
  readonly slots?: Slots;
  readonly advise?: Advisor;
  /** Answers an agent's questions where the policy lets a model do so. */
  readonly adviseTool?: ToolAdvisor;
  /** Distils a cycle; without it the facts are kept as they are. */
  readonly summarise?: Summariser;
  readonly recall?: Recall;
  readonly remember?: (memories: readonly NewMemory[]) => Promise<readonly string[]>;
  /** Ends a process of an earlier keeper of the run that outlived it, and everything it started. */
  readonly endOrphan: (child: Child, run: string) => Promise<void>;
  /** Ends what carries the run's mark and was never recorded: its keeper died between starting and noting it. */
  readonly endStrays?: (run: string) => Promise<void>;
  /** When a process started, to tell it from a later one with the same pid. */
  readonly startOf: (pid: number) => string | null;
  /** Reports sleeps of the machine; returns how to stop watching. */
  readonly watchSleep?: (slept: (slept: { sleptMs: number; countedMs: number }) => void) => () => void;
  /**
   * Told when this process holds the run: opens the run's sockets, for as long as it does. What it gives back closes
   * them.
   */
  readonly onHeld?: (held: HeldRun) => Promise<() => Promise<void>>;
  readonly onLive?: (frame: LiveFrame) => void;
  readonly onView?: (view: RunView) => void;
  /** Told of every entry after it was written. */
  readonly onEntry?: (entry: Entry) => void;
  /** Told when something cannot be written and the run stands still. */
  readonly onTrouble?: (trouble: string) => void;
}
