import type { BackgroundTask, Question } from '../../../contract/index.ts';
import type { Change, RateLimits, RpcId } from './native.ts';

/** A request of the server that waits for an answer. */
export type OpenRequest = { readonly id: RpcId; readonly turn: string } & (
  | { readonly of: 'approval' | 'elicitation' }
  | { readonly of: 'permissions'; readonly permissions: Readonly<Record<string, unknown>> }
  | { readonly of: 'input'; readonly questions: readonly Question[] }
);

/** The state of the translation between frames. Every table is bounded; the oldest row is dropped first. */
export interface CodexState {
  /** Our thread. Every other thread of this process is a sub-agent of it. */
  readonly session: string | null;
  readonly cwd: string | null;
  readonly policy: { readonly approval: string; readonly sandbox: string } | null;
  /** The start-up state of our tool server, and its error if any. */
  readonly tools: { readonly status: string; readonly because: string } | null;
  /** Requests of ours that the server has not answered, by their id. */
  readonly asked: Readonly<Record<string, { readonly method: string; readonly dispatch?: string }>>;
  /** Turns we started, by turn, and the dispatch that did it. */
  readonly dispatches: Readonly<Record<string, string>>;
  /** Client ids of messages that are ours. */
  readonly sent: Readonly<Record<string, true>>;
  /** The running turn: the id in events, and the id for an interrupt. They differ in a review. */
  readonly active: { readonly turn: string; readonly native: string } | null;
  /** The review whose turn has not started yet. */
  readonly reviewing: string | null;
  /** Other ids of a review's turn. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Turns of ours whose prompt message was seen. */
  readonly greeted: Readonly<Record<string, true>>;
  readonly lastMessage: { readonly turn: string; readonly text: string } | null;
  /** File changes that have begun and not ended: the diffs that approvals refer to. */
  readonly changes: Readonly<Record<string, readonly Change[]>>;
  /** Commands that have begun and not ended, including those of sub-agents. */
  readonly commands: Readonly<Record<string, string>>;
  /** Threads of sub-agents whose turn is running. */
  readonly children: Readonly<Record<string, true>>;
  /** What was still running when its turn ended, and has not ended since. */
  readonly background: Readonly<Record<string, BackgroundTask>>;
  /** Requests of the server that wait for an answer, by their id in events. */
  readonly requests: Readonly<Record<string, OpenRequest>>;
  /** Last reported usage, by thread: the server repeats itself. */
  readonly usage: Readonly<Record<string, string>>;
  readonly plan: string | null;
  readonly limits: RateLimits | null;
  readonly limitTold: string | null;
  /** How often each unknown thing was seen. */
  readonly unknown: Readonly<Record<string, number>>;
}

export function startState(session: string | null = null): CodexState {
  return {
    session,
    cwd: null,
    policy: null,
    tools: null,
    asked: {},
    dispatches: {},
    sent: {},
    active: null,
    reviewing: null,
    aliases: {},
    greeted: {},
    lastMessage: null,
    changes: {},
    commands: {},
    children: {},
    background: {},
    requests: {},
    usage: {},
    plan: null,
    limits: null,
    limitTold: null,
    unknown: {},
  };
}

const rowsMax = 200;

/** A copy of the table with one more row, without its oldest if it would exceed the bound. */
export function withRow<T>(
  table: Readonly<Record<string, T>>,
  key: string,
  row: T,
): Readonly<Record<string, T>> {
  const rows = Object.entries(table).filter(([other]) => other !== key);
  return Object.fromEntries([...rows.slice(-(rowsMax - 1)), [key, row]]);
}

export function withoutRow<T>(table: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(table, key)) return table;
  return Object.fromEntries(Object.entries(table).filter(([other]) => other !== key));
}

export function rowOf<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The state after the server's request was answered or withdrawn. */
export function withoutRequest(state: CodexState, id: RpcId): CodexState {
  const name = requestNamed(state, id);
  return name === undefined ? state : { ...state, requests: withoutRow(state.requests, name) };
}

/** The id of an open request in events. Native ids alone restart with every process. */
export function requestNamed(state: CodexState, id: RpcId): string | undefined {
  return Object.keys(state.requests).find((name) => rowOf(state.requests, name)?.id === id);
}
