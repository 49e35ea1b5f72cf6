import {
  type AgentAnswer,
  type AgentEvent,
  AgentFailure,
  type AgentListener,
  type AgentSession,
  type FoundTurn,
} from '../../../contract/index.ts';
import type { StartedChild } from '../shared/process.ts';
import { answerFor } from './approvals.ts';
import type { ReviewStartParams, TurnStartParams, TurnSteerParams, UserInput } from './bindings/wire.ts';
import { connect, RpcRefusal } from './connection.ts';
import { findDispatch } from './find.ts';
import { interruptTurn } from './interrupt.ts';
import { unreadable } from './meaning.ts';
import { openedSchema, startedSchema } from './native.ts';
import type { CodexWaits } from './options.ts';
import { askLimits } from './rate-limits.ts';
import { rowOf, startState } from './state.ts';
import { noteSent, translate } from './translate.ts';
import type { Wire } from './wire.ts';

/** Connects a started app-server to our listener: every frame is translated and reported and, where no decision is needed, answered. */
export function listen(
  child: StartedChild,
  listener: AgentListener,
  waits: CodexWaits,
  session: string | null,
): Wire {
  let state = startState(session);
  const watchers = new Set<() => void>();
  const connection = connect(child, {
    sent: (message, dispatch) => {
      state = noteSent(state, message, dispatch);
    },
    onEvent: (frame) => {
      const meaning =
        'value' in frame
          ? translate(state, frame.value)
          : { live: [], replies: [], events: [], ...unreadable(frame.because, frame.unreadable), state };
      state = meaning.state;
      for (const { event, body } of meaning.events) listener.onEvent(event, body);
      if (meaning.events.some(({ event }) => isUntimedLimit(event))) void askLimits(wire);
      for (const frameNow of meaning.live) listener.onLive(frameNow);
      for (const reply of meaning.replies) connection.reply(reply);
      for (const watch of watchers) watch();
    },
  });
  const wire: Wire = {
    connection,
    waits,
    state: () => state,
    onEvent: (event, body) => listener.onEvent(event, body),
    until: (holds, withinMs) =>
      new Promise((resolve) => {
        const finish = (held: boolean) => {
          clearTimeout(timer);
          watchers.delete(watch);
          resolve(held);
        };
        const watch = () => holds(state) && finish(true);
        const timer = setTimeout(() => finish(false), withinMs);
        watchers.add(watch);
        watch();
      }),
  };
  return wire;
}

/** The turn met a usage limit without a reset time. */
const isUntimedLimit = (event: AgentEvent): boolean =>
  event.type === 'turn-ended' && event.failure?.kind === 'usage-limit' && event.failure.resetAt === undefined;

/** The method that begins a turn, and its parameters. */
interface Starts {
  'turn/start': TurnStartParams;
  'review/start': ReviewStartParams;
}

/** One thread of a running app-server as a session. */
export function sessionOn(wire: Wire, id: string, end: () => Promise<void>): AgentSession {
  /** Prompts whose delivery was not confirmed; while the process runs they may still arrive. */
  const inDoubt = new Set<string>();
  const input = (text: string): UserInput[] => [{ type: 'text', text, text_elements: [] }];
  const mustBeIdle = () => {
    wire.connection.mustLive();
    if (wire.state().active)
      throw new AgentFailure({ kind: 'refused', message: 'a turn is already running in this thread' });
  };
  /** One turn of this thread at a time: a second start would only add to the first. */
  const begin = async <M extends keyof Starts>(
    dispatch: string,
    method: M,
    params: Omit<Starts[M], 'threadId'>,
  ): Promise<{ turn?: string }> => {
    mustBeIdle();
    inDoubt.add(dispatch);
    const refused = () => inDoubt.delete(dispatch);
    const answer = await asked(wire, method, { threadId: id, ...params }, { dispatch, refused });
    inDoubt.delete(dispatch);
    const started = startedSchema.safeParse(answer);
    return started.success ? { turn: started.data.turn.id } : {};
  };
  return {
    id,
    turn: (dispatch, prompt) =>
      begin(dispatch, 'turn/start', { input: input(prompt), clientUserMessageId: dispatch }),
    review: (dispatch, instructions) =>
      begin(dispatch, 'review/start', { target: { type: 'custom', instructions }, delivery: 'inline' }),
    interrupt: (turn) => interruptTurn(wire, id, turn),
    async answer(request: string, answer: AgentAnswer) {
      wire.connection.mustLive();
      const open = rowOf(wire.state().requests, request);
      if (!open)
        throw new AgentFailure({ kind: 'gone', message: 'Codex does not wait for this answer any more' });
      wire.connection.reply({ id: open.id, result: answerFor(open, answer) });
    },
    async steer(turn, dispatch, prompt) {
      const { active } = wire.state();
      const expectedTurnId = active?.turn === turn ? active.native : turn;
      const params: TurnSteerParams = {
        threadId: id,
        expectedTurnId,
        input: input(prompt),
        clientUserMessageId: dispatch,
      };
      await asked(wire, 'turn/steer', params);
    },
    async fork() {
      const forked = openedSchema.safeParse(await asked(wire, 'thread/fork', { threadId: id }));
      if (forked.success) return forked.data.thread.id;
      throw new AgentFailure({ kind: 'other', message: 'Codex answered a fork without a thread' });
    },
    async compact() {
      mustBeIdle();
      await asked(wire, 'thread/compact/start', { threadId: id });
    },
    find: (dispatch): Promise<FoundTurn> =>
      inDoubt.has(dispatch) ? Promise.resolve({ found: 'unknown' }) : findDispatch(wire, id, dispatch),
    working: async () => Object.keys(wire.state().commands).length > 0,
    close: end,
  };
}

/** A request whose refusal is an `AgentFailure`. `refused` is called when the server certainly did nothing. */
async function asked(
  wire: Wire,
  method: string,
  params: object,
  { dispatch, refused }: { dispatch?: string; refused?: () => void } = {},
): Promise<unknown> {
  try {
    return await wire.connection.request(method, params, wire.waits.requestMs, dispatch);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    refused?.();
    const kind = error.message.includes('thread not found') ? 'gone' : 'refused';
    throw new AgentFailure({ kind, message: error.message.slice(0, 2_000), raw: String(error.code) });
  }
}
