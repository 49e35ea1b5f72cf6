import type { Question } from '../../../contract/index.ts';
import type { Change, RateLimits, RpcId } from './native.ts';

/** A request of the server that waits for somebody's answer. */
export type OpenRequest = { readonly id: RpcId; readonly turn: string } & (
  | { readonly of: 'approval' | 'elicitation' }
  | { readonly of: 'permissions'; readonly permissions: Readonly<Record<string, unknown>> }
  | { readonly of: 'input'; readonly questions: readonly Question[] }
);

/** All the translation remembers between frames. Every table is bounded; the oldest goes first. */
export interface CodexState {
  /** Our thread. Every other thread of this process is a sub-agent of it. */
  readonly session: string | null;
  readonly cwd: string | null;
  readonly policy: { readonly approval: string; readonly sandbox: string } | null;
  /** How far the server of our own tools is, and what is wrong with it. */
  readonly tools: { readonly status: string; readonly because: string } | null;
  /** Requests of ours that the server has not answered, by their id. */
  readonly asked: Readonly<Record<string, { readonly method: string; readonly dispatch?: string }>>;
  /** Turns we started, by turn, and the dispatch that did it. */
  readonly dispatches: Readonly<Record<string, string>>;
  /** Client ids of messages that are ours. */
  readonly sent: Readonly<Record<string, true>>;
  /** The running turn: the id events carry, and the id an interrupt wants. They differ in a review. */
  readonly active: { readonly turn: string; readonly native: string } | null;
  /** The review whose turn has not started yet. */
  readonly reviewing: string | null;
  /** Other ids under which a review's turn is spoken of. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Turns of ours that have shown the message we sent. */
  readonly greeted: Readonly<Record<string, true>>;
  readonly lastMessage: { readonly turn: string; readonly text: string } | null;
  /** File changes that have begun and not ended: the diff an approval is about. */
  readonly changes: Readonly<Record<string, readonly Change[]>>;
  /** Commands that have begun and not ended, our sub-agents' too. */
  readonly commands: Readonly<Record<string, true>>;
  /** Requests of the server that wait for an answer, by the id events carry. */
  readonly requests: Readonly<Record<string, OpenRequest>>;
  /** Last usage told, by thread: the server repeats itself. */
  readonly usage: Readonly<Record<string, string>>;
  readonly plan: string | null;
  readonly limits: RateLimits | null;
  readonly limitTold: string | null;
  /** How often each thing we do not know was seen. */
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
    requests: {},
    usage: {},
    plan: null,
    limits: null,
    limitTold: null,
    unknown: {},
  };
}

const rowsMax = 200;

/** A copy of the table with one more row, without its oldest when it would grow over the bound. */
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

/** The state once the server's request was answered or given up. */
export function withoutRequest(state: CodexState, id: RpcId): CodexState {
  const name = requestNamed(state, id);
  return name === undefined ? state : { ...state, requests: withoutRow(state.requests, name) };
}

/** The name under which events speak of an open request. Ids alone start anew with every process. */
export function requestNamed(state: CodexState, id: RpcId): string | undefined {
  return Object.keys(state.requests).find((name) => rowOf(state.requests, name)?.id === id);
}
