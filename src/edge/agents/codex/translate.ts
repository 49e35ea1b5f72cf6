import { type Meaning, type Translation, unreadable } from './meaning.ts';
import { type Envelope, envelopeSchema } from './native.ts';
import { hearNotification } from './notifications.ts';
import { hearRequest } from './requests.ts';
import { hearResponse } from './responses.ts';
import { type CodexState, withoutRequest, withRow } from './state.ts';

/**
 * Translates one frame from the server. Pure and total: it never throws, and what it cannot read becomes an `unreadable`
 * event. Frames must come in order, with ours passed to `noteSent` as they are sent.
 */
export function translate(state: CodexState, frame: unknown): Translation {
  const envelope = envelopeSchema.safeParse(frame);
  if (!envelope.success) return complete(state, unreadable('a frame that is no message', frame));
  return complete(state, meaningOf(state, envelope.data));
}

function meaningOf(state: CodexState, envelope: Envelope): Meaning {
  const { id, method } = envelope;
  if (method === undefined) {
    if (id === undefined) return unreadable('a frame with neither method nor id', envelope);
    return hearResponse(state, id, envelope);
  }
  return id === undefined
    ? hearNotification(state, method, envelope)
    : hearRequest(state, id, method, envelope);
}

function complete(state: CodexState, meaning: Meaning): Translation {
  return { state, events: [], live: [], replies: [], ...meaning };
}

/** Notes a message we sent: which request a response will answer, which dispatch a turn belongs to. A review carries no id of ours: `known` is its dispatch. */
export function noteSent(state: CodexState, message: unknown, known?: string): CodexState {
  const envelope = envelopeSchema.safeParse(message);
  if (!envelope.success || envelope.data.id === undefined) return state;
  const { id, method, params } = envelope.data;
  if (method === undefined) return withoutRequest(state, id);
  const client = (params as { clientUserMessageId?: unknown } | undefined)?.clientUserMessageId;
  const dispatch = typeof client === 'string' ? client : known;
  return {
    ...state,
    asked: withRow(state.asked, String(id), { method, dispatch }),
    sent: dispatch === undefined ? state.sent : withRow(state.sent, dispatch, true),
  };
}
