import type { Readable, Writable } from 'node:stream';
import { type Frame, jsonLines } from '../shared/frames.ts';
import { openAgentLog } from './agent-log.ts';
import { type Order, orderSchema, type Word } from './native.ts';
import { perform, type Stage } from './perform.ts';
import type { Script } from './script.ts';

export interface ScriptedAgentOptions {
  readonly script: Script;
  readonly logPath: string;
  readonly cwd: string;
  readonly session: string;
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * The scripted agent as a process: a conversation on stdin and stdout. It notes every prompt with its dispatch id in
 * its own log before it acts, so that deliveries are counted by the one who received them.
 */
export async function runScriptedAgent(options: ScriptedAgentOptions): Promise<void> {
  const { script, session, input, output } = options;
  const log = openAgentLog(options.logPath);
  const say = (word: Word): void => void output.write(`${JSON.stringify(word)}\n`);
  const stage: Stage = {
    say,
    cwd: options.cwd,
    asks: script.asks,
    paceMs: script.paceMs,
    answers: new Map(),
    interrupted: false,
    turn: '',
    tokens: 1_000 * log.lines().filter((l) => l.kind === 'ended').length,
  };
  let playing: { dispatch: string; turn: string } | null = null;

  const play = async (dispatch: string, prompt: string): Promise<void> => {
    const n = log.lines().filter((line) => line.kind === 'turn').length;
    log.append({ at: Date.now(), session, dispatch, kind: 'turn', prompt });
    const turn = `turn-${n + 1}`;
    playing = { dispatch, turn };
    Object.assign(stage, { turn, interrupted: false });
    say({ word: 'started', turn, dispatch });
    const scripted = script.turns[Math.min(n, script.turns.length - 1)];
    const ended = await perform(scripted ?? { steps: [], message: '' }, stage);
    log.append({
      at: Date.now(),
      session,
      dispatch,
      kind: 'ended',
      status: ended.status,
      message: ended.message,
    });
    playing = null;
    stage.tokens += 1_000;
    say({ word: 'usage', usage: { totalTokens: stage.tokens } });
    say({
      word: 'ended',
      turn,
      dispatch,
      status: ended.status,
      message: ended.message,
      ...(ended.failure === undefined ? {} : { failure: ended.failure }),
    });
  };

  const find = (dispatch: string): Word => {
    const lines = log.lines().filter((line) => line.dispatch === dispatch);
    if (lines.length === 0) return { word: 'found', dispatch, found: 'absent' };
    const order = log.lines().filter((line) => line.kind === 'turn');
    const turn = `turn-${order.findIndex((line) => line.dispatch === dispatch) + 1}`;
    if (playing?.dispatch === dispatch) return { word: 'found', dispatch, found: 'running', turn };
    const end = lines.find((line) => line.kind === 'ended');
    return {
      word: 'found',
      dispatch,
      found: 'ended',
      turn,
      status: end?.status ?? 'interrupted',
      message: end?.message ?? '',
    };
  };

  const obey = (order: Order): void => {
    switch (order.order) {
      case 'turn':
        void play(order.dispatch, order.prompt);
        return;
      case 'steer':
        log.append({
          at: Date.now(),
          session,
          dispatch: order.dispatch,
          kind: 'steer',
          prompt: order.prompt,
        });
        return;
      case 'interrupt':
        stage.interrupted = true;
        for (const [, answered] of stage.answers) answered({ answer: 'deny', because: 'interrupted' });
        return;
      case 'answer':
        stage.answers.get(order.request)?.(
          order.text === undefined
            ? { answer: order.answer, because: order.because }
            : { answer: order.answer, because: order.because, text: order.text },
        );
        return;
      case 'find':
        say(find(order.dispatch));
    }
  };

  say({ word: 'ready', session });
  const framer = jsonLines();
  const take = (frames: readonly Frame[]): void => {
    for (const frame of frames) if ('value' in frame) obey(orderSchema.parse(frame.value));
  };
  for await (const chunk of input) take(framer.push(chunk as Uint8Array));
  take(framer.end());
}
