import type {
  Advisor,
  Agent,
  AgentAnswer,
  AgentListener,
  AgentSession,
  EffectOf,
  EffectType,
  Entry,
  NewMemory,
  Notifier,
  Outcome,
  Recall,
  Slots,
  Summariser,
  ToolAdvisor,
  Workspace,
} from '../../contract/index.ts';
import type { Run } from '../../core/index.ts';

/** What effect handlers may use. Made once per supervised run; holds the open sessions. */
export interface HandlerContext {
  readonly run: () => Run;
  readonly agent: Agent;
  readonly listener: AgentListener;
  readonly sessions: Map<string, AgentSession>;
  readonly workspace: Workspace;
  /** Runs one piece of work after the other: two passes of checks in one folder would disturb each other. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly slots: Slots;
  /** Answers a hook or plugin that waits at the agent's socket; false when none does. */
  readonly answerHook: ((request: string, answer: AgentAnswer) => boolean) | undefined;
  readonly notify: Notifier;
  readonly advise: Advisor | undefined;
  readonly adviseTool: ToolAdvisor | undefined;
  readonly summarise: Summariser | undefined;
  readonly recall: Recall | undefined;
  /** Writes memories as they are, for want of a summariser; each id once. Gives the ids that are there now. */
  readonly remember: ((memories: readonly NewMemory[]) => Promise<readonly string[]>) | undefined;
  /** What was recorded from this entry on. */
  readonly entries: (fromSeq: number) => Promise<readonly Entry[]>;
  /** The whole of a text whose fact was cut, or null when its body has expired. */
  readonly bodyOf: (digest: string) => Promise<string | null>;
}

/** What came of an effect, and the raw text behind it, if any. */
export interface Done {
  readonly outcome: Outcome;
  readonly body?: string;
}

/** Does one kind of effect. Never decides; expected failures are outcomes, anything thrown is our bug. */
export type Handler<T extends EffectType> = (effect: EffectOf<T>, context: HandlerContext) => Promise<Done>;
