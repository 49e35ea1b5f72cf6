import type {
  Agent,
  AgentEvent,
  AgentFacts,
  AgentListener,
  BackgroundTask,
  Reach,
} from '../contract/index.ts';
import type { Dice } from './dice.ts';
import type { SimProcess } from './sim-process.ts';
import type { SimStep, SimTemper } from './sim-turn.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** What the simulated agent may touch outside itself. */
export interface SimStage {
  readonly clock: SimulatedClock;
  readonly dice: Dice;
  readonly temper: SimTemper;
  /** What its sessions can do, whatever the run was created with. */
  readonly facts: AgentFacts;
  readonly proven: Reach | undefined;
  /** Nothing goes wrong any more: the world comes to rest. */
  readonly isCalm: () => boolean;
  readonly edit: () => void;
  readonly commit: () => void;
  readonly fault: (what: string) => void;
  /** A promise of ours was broken, as the agent saw it. */
  readonly complain: (what: string) => void;
}

/** A turn as the agent knows it, whoever asked for it. */
export interface SimTurn {
  readonly id: string;
  readonly dispatch: string | null;
  /** Woken by background work. */
  readonly isWoken: boolean;
  readonly steps: SimStep[];
  readonly isReview: boolean;
  status: 'running' | 'completed' | 'interrupted' | 'failed';
  end: Pick<Extract<AgentEvent, { type: 'turn-ended' }>, 'failure' | 'message'>;
  isAnnounced: boolean;
  waitsFor: string | null;
  /** What it asked and waits for, to be asked again of whoever attaches. */
  asked: AgentEvent | null;
  isHanging: boolean;
}

/** A conversation as the agent keeps it: it outlives every process. */
export interface SimThread {
  id: string;
  background: readonly BackgroundTask[];
  /** What its sub-agents asked and wait for. */
  readonly asked: Map<string, AgentEvent>;
  readonly turns: Map<string, SimTurn>;
  readonly steered: Set<string>;
  current: SimTurn | null;
  usedTokens: number;
  usedMoney: number;
}

/** One agent process. */
export interface SimChild {
  readonly pid: number;
  readonly thread: SimThread;
  keeper: SimProcess;
  listener: AgentListener;
  /** Left running, with nobody attached. */
  isDetached: boolean;
  readonly held: AgentEvent[];
  isAlive: boolean;
  isNoted: boolean;
}

export interface SimAgents {
  readonly stage: SimStage;
  readonly children: Map<number, SimChild>;
  readonly threads: Map<string, SimThread>;
  /** Every request that was made, until it is answered or its turn is over. */
  readonly unanswered: Map<string, SimTurn>;
  /** Everything the agent was told. */
  readonly prompts: string[];
  drawn: number;
  agentOf(keeper: SimProcess): Agent;
  /** The agent process is gone, and its turn with it. */
  endChild(child: SimChild): void;
  /** A turn begins because background work ended. */
  wake(child: SimChild): void;
  /** Somebody else starts a turn in an open session. */
  startForeign(): void;
}

/** The agent's side of a turn is over. */
export function finish(
  agents: SimAgents,
  child: SimChild,
  turn: SimTurn,
  status: Exclude<SimTurn['status'], 'running'>,
): void {
  turn.status = status;
  if (child.thread.current === turn) child.thread.current = null;
  turn.asked = null;
  for (const [request, asker] of agents.unanswered) if (asker === turn) agents.unanswered.delete(request);
}
