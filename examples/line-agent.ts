/**
 * A complete adapter for a program that stays open and speaks JSON lines (line-agent-program.ts): it asks before it
 * runs a command, reports its plan, can be interrupted, and can die.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Agent,
  type AgentEvent,
  AgentFailure,
  type AgentListener,
  type AgentSession,
  jsonLines,
  startChild,
} from '../src/index.ts';
import type { LineAgentInput } from './line-agent-program.ts';

export interface LineAgentOptions {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The program's whole environment, with TIRELESS_RUN. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const openMs = 10_000;
const promptMs = 10_000;
const endGraceMs = 2_000;
const readRestMs = 1_000;

const turn = z.string();
const step = z.object({ text: z.string(), status: z.enum(['pending', 'active', 'done']) });
const outcome = z.enum(['ok', 'failed', 'declined']);
/** What the program says. Unknown fields are ignored, unknown messages are unreadable. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), session: z.string() }),
  z.object({ type: z.literal('started'), turn, dispatch: z.string() }),
  z.object({ type: z.literal('asks'), turn, request: z.string(), command: z.string() }),
  z.object({
    type: z.literal('ran'),
    turn,
    item: z.string(),
    command: z.string(),
    outcome,
    code: z.number().nullable(),
  }),
  z.object({ type: z.literal('plan'), turn, steps: z.array(step) }),
  z.object({
    type: z.literal('ended'),
    turn,
    status: z.enum(['completed', 'interrupted']),
    message: z.string(),
  }),
]);

interface State {
  readonly session: string;
  readonly running?: { readonly turn: string; readonly dispatch: string };
  /** The request that waits for an answer. */
  readonly asked?: string;
}
type Translated = readonly [State, ...AgentEvent[]];

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Pure: the state and one message give the new state and the events. */
export function translate(state: State, value: unknown): Translated {
  const read = messageSchema.safeParse(value);
  if (!read.success) return [state, unreadable('not a known message', JSON.stringify(value))];
  const { session, running, asked } = state;
  const message = read.data;
  switch (message.type) {
    case 'ready':
      return [{ session: message.session }];
    case 'started': {
      const { turn, dispatch } = message;
      return [
        { session, running: { turn, dispatch } },
        { type: 'turn-started', session, turn, dispatch },
      ];
    }
    case 'asks': {
      const { turn, request, command } = message;
      const digest = digestOf(['command', command]);
      const action = { kind: 'command' as const, rendered: { text: command }, digest };
      return [
        { ...state, asked: request },
        { type: 'approval-asked', session, turn, request, action },
      ];
    }
    case 'ran': {
      const { turn, item, command, outcome, code } = message;
      const label = command.slice(0, 1000);
      return [
        state,
        { type: 'item-ended', session, turn, item, kind: 'command', outcome, label, exitCode: code },
      ];
    }
    case 'plan': {
      const { turn, steps } = message;
      const done = steps.filter(({ status }) => status === 'done').length;
      const counts = { digest: digestOf(steps), done, total: steps.length };
      return [state, { type: 'plan-changed', session, turn, ...counts, steps }];
    }
    case 'ended': {
      const { turn, status, message: text } = message;
      const dispatch = running?.dispatch;
      return [
        { session },
        ...withdrawn(session, asked),
        { type: 'turn-ended', session, turn, dispatch, status, message: { text } },
      ];
    }
  }
}

const withdrawn = (session: string, request: string | undefined): AgentEvent[] =>
  request === undefined ? [] : [{ type: 'request-withdrawn', session, request }];

const unreadable = (because: string, sample: string): AgentEvent => {
  return { type: 'unreadable', source: 'line-agent', because, sample: sample.slice(0, 2000) };
};

const crashed = { kind: 'crashed' as const, message: 'the program has ended' };

const within = <T>(promise: Promise<T>, ms: number) =>
  Promise.race([promise, wait(ms, undefined, { ref: false })]);

export function lineAgent(options: LineAgentOptions): Agent {
  return {
    // It runs nothing without asking, and counts no tokens.
    facts: { name: 'line', door: 'json-lines', sees: 'every-action', usage: 'none' },
    open: (listener) => openSession(options, listener),
  };
}

async function openSession(options: LineAgentOptions, listener: AgentListener): Promise<AgentSession> {
  const child = await startChild(options, (pid) => listener.onChildStarted(pid)).catch((error) => {
    throw new AgentFailure({ kind: 'setup', message: `it could not be started: ${error.message}` });
  });
  const { stdin, stdout, stderr } = child.streams;
  const ready = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<never>();
  const started = new Map<string, (turn: string) => void>();
  let state: State = { session: '' };
  let isClosing = false;

  const take = (frames: ReturnType<ReturnType<typeof jsonLines>['push']>) => {
    for (const frame of frames) {
      const [next, ...events]: Translated =
        'value' in frame
          ? translate(state, frame.value)
          : [state, unreadable(frame.because, frame.unreadable)];
      state = next;
      if (state.session !== '') ready.resolve();
      for (const event of events) {
        listener.onEvent(event);
        // Noticed here: the turn's end may be in the same bytes, and the state knows only what runs.
        if (event.type === 'turn-started') started.get(event.dispatch ?? '')?.(event.turn);
      }
    }
  };
  const read = async () => {
    const lines = jsonLines();
    for await (const chunk of stdout) take(lines.push(chunk));
    take(lines.end());
  };
  const send = (message: LineAgentInput) => stdin.write(`${JSON.stringify(message)}\n`);
  stdin.on('error', () => undefined); // `exited` reports its end
  stderr.resume(); // unread, a full pipe would stop the program
  const reading = read();
  gone.promise.catch(() => undefined);
  void child.exited.then(async () => {
    await child.end(endGraceMs); // what it started may run on
    await within(reading, readRestMs); // its last words may still be on their way
    state = { session: state.session };
    gone.reject(new AgentFailure(crashed));
    if (!isClosing && state.session !== '')
      listener.onEvent({ type: 'session-ended', session: state.session, failure: crashed });
  });
  const close = async () => {
    isClosing = true;
    await child.end(endGraceMs);
  };
  await within(Promise.race([ready.promise, gone.promise.catch(() => undefined)]), openMs);
  if (state.session === '') {
    await close();
    throw new AgentFailure({ kind: 'setup', message: 'the program did not become ready' });
  }
  return {
    id: state.session,
    async turn(dispatch, prompt) {
      const delivered = new Promise<string>((resolve) => started.set(dispatch, resolve));
      send({ type: 'prompt', dispatch, prompt });
      // No answer in time is unclear, not a rejection; the death of the program is one.
      return { turn: (await within(Promise.race([delivered, gone.promise]), promptMs)) ?? undefined };
    },
    interrupt: async (turn) => void send({ type: 'interrupt', turn }),
    async answer(request, { answer }) {
      if (state.asked !== request) throw new Error(`nothing waits for an answer to ${request}`);
      state = { ...state, asked: undefined };
      send({ type: 'answer', approved: answer === 'approve' });
    },
    close,
  };
}
