import { type Meaning, unreadable } from './meaning.ts';
import { type Envelope, limitsAnswerSchema, openedSchema, type RpcId, startedSchema } from './native.ts';
import { limitsReported } from './rate-limits.ts';
import { type CodexState, rowOf, withoutRow, withRow } from './state.ts';

/** An answer to a request of ours: the thread we work in, or the turn a dispatch became. */
export function hearResponse(state: CodexState, id: RpcId, envelope: Envelope): Meaning {
  const asked = rowOf(state.asked, String(id));
  if (!asked) return unreadable(`an answer to request ${id}, which we did not make`, envelope);
  const rest: CodexState = { ...state, asked: withoutRow(state.asked, String(id)) };
  if (envelope.error !== undefined) return { state: rest };
  switch (asked.method) {
    case 'thread/start':
    case 'thread/resume':
      return opened(rest, envelope);
    case 'account/rateLimits/read': {
      const answer = limitsAnswerSchema.safeParse(envelope.result);
      if (!answer.success) return { state: rest, ...unreadable('the answer about the account', envelope) };
      return state.session === null
        ? { state: rest }
        : limitsReported(rest, answer.data.rateLimits, state.session);
    }
    case 'turn/start':
    case 'review/start': {
      const started = startedSchema.safeParse(envelope.result);
      if (!started.success) return { state: rest, ...unreadable(`the answer to ${asked.method}`, envelope) };
      // A start during a turn only adds to that turn, which keeps its id.
      const { id: turn } = started.data.turn;
      if (asked.dispatch === undefined || rowOf(rest.dispatches, turn) !== undefined) return { state: rest };
      return { state: { ...rest, dispatches: withRow(rest.dispatches, turn, asked.dispatch) } };
    }
    default:
      return { state: rest };
  }
}

function opened(state: CodexState, envelope: Envelope): Meaning {
  const answer = openedSchema.safeParse(envelope.result);
  if (!answer.success) return { state, ...unreadable('the answer that opens a thread', envelope) };
  const { thread, cwd, approvalPolicy, sandbox } = answer.data;
  if (state.session !== null && state.session !== thread.id) return { state };
  return {
    state: {
      ...state,
      session: thread.id,
      cwd: cwd ?? null,
      policy: { approval: policyWord(approvalPolicy), sandbox: sandbox?.type ?? 'unknown' },
    },
  };
}

/** A policy is a string, or an object that we name by its only key. */
export function policyWord(policy: unknown): string {
  if (typeof policy === 'string') return policy;
  return typeof policy === 'object' && policy !== null ? (Object.keys(policy)[0] ?? 'unknown') : 'unknown';
}
