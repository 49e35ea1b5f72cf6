import type { AgentEvent, LiveFrame } from '../../../contract/index.ts';
import type { RpcId } from './native.ts';
import { type CodexState, rowOf, withRow } from './state.ts';

/** What one frame of the app-server means. `replies` need no decision and must be sent. */
export interface Translation {
  readonly state: CodexState;
  readonly events: readonly Reported[];
  readonly live: readonly LiveFrame[];
  readonly replies: readonly Reply[];
}

/** An event and the raw text behind it. */
interface Reported {
  readonly event: AgentEvent;
  readonly body?: string;
}

export type Reply = { readonly id: RpcId } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
);

/** What a handler adds to an empty translation of its frame. */
export type Meaning = Partial<Translation>;

const sampleCharsMax = 2_000;

export function unreadable(because: string, frame: unknown): Meaning {
  const body = typeof frame === 'string' ? frame : (JSON.stringify(frame) ?? String(frame));
  const event = {
    type: 'unreadable' as const,
    source: 'codex app-server',
    because: because.slice(0, 1_000),
    sample: body.slice(0, sampleCharsMax),
  };
  return { events: [{ event, body }] };
}

/** Counts something unknown; it is reported the first time only. */
export function unknownSeen(state: CodexState, what: string, frame: unknown): Meaning {
  const seen = rowOf(state.unknown, what) ?? 0;
  const counted = { ...state, unknown: withRow(state.unknown, what, seen + 1) };
  return { state: counted, ...(seen === 0 ? unreadable(`${what} is not known to this version`, frame) : {}) };
}
