import { randomUUID } from 'node:crypto';
import {
  type Agent,
  AgentFailure,
  type AgentListener,
  type AgentSession,
  type FoundTurn,
} from '../../../contract/index.ts';
import { type Frame, jsonLines } from '../shared/frames.ts';
import { startChild } from '../shared/process.ts';
import type { Order, Word } from './native.ts';
import { translate } from './translate.ts';

const readyMs = 10_000;
const findMs = 10_000;
const endGraceMs = 500;

export interface ScriptedOptions {
  /** Starts the agent process; session id is appended as the last argument. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The scripted agent behind the same port as every other. */
export function scriptedAgent(options: ScriptedOptions): Agent {
  return {
    facts: { name: 'scripted', door: 'process', sees: 'every-action', usage: 'tokens' },
    open: (listener) => connect(options, `scripted-${randomUUID()}`, listener),
    resume: (session, listener) => connect(options, session, listener),
  };
}

async function connect(options: ScriptedOptions, id: string, listener: AgentListener): Promise<AgentSession> {
  let session = id;
  const { command, cwd, env } = options;
  const child = await startChild({ command: [...command, id], cwd, env }, (pid) =>
    listener.onChildStarted(pid),
  ).catch((error: unknown) => {
    throw new AgentFailure({
      kind: 'setup',
      message: `the scripted agent could not be started: ${String(error)}`,
    });
  });
  const waiters = new Set<(word: Word) => void>();
  const state = { closing: false };
  const onEvent = (frames: readonly Frame[]): void => {
    for (const frame of frames) {
      const { events, live, word } = translate(session, cwd, frame);
      for (const { event, body } of events) listener.onEvent(event, body);
      for (const one of live) listener.onLive(one);
      if (word?.word === 'session') session = word.to;
      if (word !== null) for (const waiter of waiters) waiter(word);
    }
  };
  const framer = jsonLines();
  let stderr = '';
  child.streams.stdout.on('data', (chunk: Uint8Array) => onEvent(framer.push(chunk)));
  child.streams.stderr.on('data', (chunk: Uint8Array) => {
    stderr = (stderr + Buffer.from(chunk).toString('utf8')).slice(-2_000);
  });
  // A write to an agent that just died fails here; `exited` reports its end.
  child.streams.stdin.on('error', () => undefined);
  const gone = child.exited.then(() => stderr);
  const tell = (order: Order): void => void child.streams.stdin.write(`${JSON.stringify(order)}\n`);
  const expect = <T>(match: (word: Word) => T | undefined, ms: number, what: string): Promise<T> =>
    awaited(waiters, match, ms, what, gone);

  void child.exited.then(({ code, signal }) => {
    if (state.closing) return;
    listener.onEvent({
      type: 'session-ended',
      session,
      failure: {
        kind: 'crashed',
        message: `the agent ended (${signal ?? `exit ${code}`})${stderr === '' ? '' : `: ${stderr.slice(-300)}`}`,
      },
    });
  });
  await expect((word) => (word.word === 'ready' ? true : undefined), readyMs, 'to start');
  return {
    id,
    async turn(dispatch, prompt) {
      const started = expect(
        (word) => (word.word === 'started' && word.dispatch === dispatch ? word.turn : undefined),
        readyMs,
        'to take a prompt',
      );
      tell({ order: 'turn', dispatch, prompt });
      return { turn: await started };
    },
    interrupt: async () => tell({ order: 'interrupt' }),
    answer: async (request, answer) => tell({ order: 'answer', request, ...answer }),
    async steer(_turn, dispatch, prompt) {
      const steered = expect(
        (word) => (word.word === 'steered' && word.dispatch === dispatch ? word : undefined),
        readyMs,
        'to take directions',
      );
      tell({ order: 'steer', dispatch, prompt });
      if ((await steered).refused === true)
        throw new AgentFailure({ kind: 'refused', message: 'no turn is running' });
    },
    async find(dispatch): Promise<FoundTurn> {
      const found = expect(
        (word) => (word.word === 'found' && word.dispatch === dispatch ? word : undefined),
        findMs,
        'to look for a prompt',
      );
      tell({ order: 'find', dispatch });
      return foundOf(await found);
    },
    async close() {
      state.closing = true;
      await child.end(endGraceMs);
    },
  };
}

function foundOf(word: Extract<Word, { word: 'found' }>): FoundTurn {
  const turn = word.turn ?? '';
  if (word.found === 'absent') return { found: 'absent' };
  if (word.found === 'running') return { found: 'running', turn };
  return {
    found: 'ended',
    turn,
    status: word.status ?? 'interrupted',
    message: word.message === undefined ? undefined : { text: word.message },
  };
}

/** The next matching message, or a failure when the agent dies or stays silent. */
function awaited<T>(
  waiters: Set<(word: Word) => void>,
  match: (word: Word) => T | undefined,
  ms: number,
  what: string,
  died: Promise<string>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timeout);
      waiters.delete(look);
    };
    const fail = (message: string): void => {
      done();
      reject(new AgentFailure({ kind: 'crashed', message }));
    };
    const look = (word: Word): void => {
      const found = match(word);
      if (found === undefined) return;
      done();
      resolve(found);
    };
    const timeout = setTimeout(() => fail(`the agent took longer than ${ms} ms ${what}`), ms);
    waiters.add(look);
    void died.then((stderr) =>
      fail(`the agent ended before it got ${what}${stderr === '' ? '' : `: ${stderr}`}`),
    );
  });
}
