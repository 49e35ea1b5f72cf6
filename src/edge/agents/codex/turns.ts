import type { AgentEvent } from '../../../contract/index.ts';
import { failureOf } from './failures.ts';
import type { Meaning } from './meaning.ts';
import { type Envelope, itemSchema, type Notification, type Turn } from './native.ts';
import { type CodexState, rowOf, withoutRow, withRow } from './state.ts';

/** A turn of our thread begins: one we dispatched, or a foreign one. */
export function turnStarted(state: CodexState, native: Turn, session: string): Meaning {
  // A review's turn starts under another id than the one `review/start` returned, which everything else uses.
  const isReview = state.reviewing !== null && native.rootTurnId === state.reviewing;
  const turn = isReview ? (state.reviewing ?? native.id) : native.id;
  const dispatch = rowOf(state.dispatches, turn);
  return {
    state: {
      ...state,
      active: { turn, native: native.id },
      aliases: turn === native.id ? state.aliases : withRow(state.aliases, native.id, turn),
    },
    events: [{ event: { type: 'turn-started', session, turn, dispatch } }],
  };
}

/** A turn is over. Its open items will not end any more, except commands still in the background. */
export function turnCompleted(
  state: CodexState,
  said: Notification<'turn/completed'>,
  session: string,
  envelope: Envelope,
): Meaning {
  const prefix = JSON.stringify([said.threadId, said.turn.id]).slice(0, -1);
  const others = <T>(table: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(table).filter(([key]) => !key.startsWith(prefix)));
  const changes = others(state.changes);
  const commands = others(state.commands);
  if (said.threadId !== session) {
    const children = withoutRow(state.children, said.threadId);
    const background = withoutRow(state.background, said.threadId);
    const next = { ...state, changes, commands, children, background };
    return background === state.background
      ? { state: next }
      : { state: next, events: [backgroundOf(next, session)] };
  }

  const turn = rowOf(state.aliases, said.turn.id) ?? said.turn.id;
  const dispatch = rowOf(state.dispatches, turn);
  const last = state.lastMessage?.turn === turn ? state.lastMessage.text : messageIn(said.turn);
  const text = last === noReview ? undefined : last;
  const event: AgentEvent = {
    type: 'turn-ended',
    session,
    turn,
    dispatch,
    ...endOf(state, said.turn, envelope),
    message: text === undefined ? undefined : { text },
  };
  const background = leftBehind(state, said, prefix);
  const isTold = Object.keys(background).length !== Object.keys(state.background).length;
  return {
    state: {
      ...state,
      changes,
      commands,
      background,
      active: state.active?.turn === turn ? null : state.active,
      reviewing: state.reviewing === turn ? null : state.reviewing,
      dispatches: withoutRow(state.dispatches, turn),
      greeted: withoutRow(state.greeted, turn),
      lastMessage: null,
    },
    events: [
      ...(isTold ? [backgroundOf({ background }, session)] : []),
      { event, body: JSON.stringify(said.turn) },
    ],
  };
}

/** What still runs when its turn has ended well. After an interrupt we end it ourselves. */
function leftBehind(
  state: CodexState,
  said: Notification<'turn/completed'>,
  prefix: string,
): CodexState['background'] {
  if (said.turn.status === 'interrupted') return {};
  if (said.turn.status !== 'completed') return state.background;
  const shells = Object.entries(state.commands)
    .filter(([key]) => key.startsWith(prefix))
    .map(([id, label]) => ({ id: id.slice(-300), kind: 'shell' as const, label: label.slice(0, 300) }));
  const agents = Object.keys(state.children).map((id) => ({
    id,
    kind: 'agent' as const,
    label: 'sub-agent',
  }));
  let left = state.background;
  for (const task of [...shells, ...agents]) left = withRow(left, task.id, task);
  return left;
}

const backgroundMax = 50;

/** All that runs in the background. */
export const backgroundOf = (
  { background }: Pick<CodexState, 'background'>,
  session: string,
): { event: AgentEvent } => ({
  event: { type: 'background-changed', session, tasks: Object.values(background).slice(-backgroundMax) },
});

/** Codex's text in place of a failed review. */
const noReview = 'Reviewer failed to output a response.';

type End = Pick<Extract<AgentEvent, { type: 'turn-ended' }>, 'status' | 'failure'>;

function endOf(state: CodexState, turn: Turn, envelope: Envelope): End {
  const failure = () => failureOf(turn.error, state.limits, envelope.emittedAtMs);
  switch (turn.status) {
    case 'completed':
      return { status: 'completed' };
    case 'interrupted':
      return turn.error ? { status: 'interrupted', failure: failure() } : { status: 'interrupted' };
    case 'failed':
      return { status: 'failed', failure: failure() };
    default: {
      const message = `the turn ended as ${String(turn.status).slice(0, 200)}, a word this version does not know`;
      return { status: 'failed', failure: { kind: 'other', message } };
    }
  }
}

/** The agent's last message in a turn, from the items the server lists with it. */
export function messageIn(turn: Turn): string | undefined {
  const messages = (turn.items ?? []).flatMap((raw) => {
    const item = itemSchema.safeParse(raw);
    return item.success && item.data.type === 'agentMessage' ? [item.data.text ?? ''] : [];
  });
  return messages.at(-1);
}
