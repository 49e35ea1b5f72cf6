import type { Readable, Writable } from 'node:stream';
import { type Frame, jsonLines } from '../shared/frames.ts';
import { type AgentLog, openAgentLog } from './agent-log.ts';
import { type Order, orderSchema, type Word } from './native.ts';
import { perform, type Stage } from './perform.ts';
import type { Script } from './script.ts';
import { toolClient } from './tool-client.ts';

const tokensPerTurn = 1_000;

export interface ScriptedAgentOptions {
  readonly script: Script;
  readonly logPath: string;
  readonly cwd: string;
  readonly session: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** One conversation: its log is its memory, its stage is what it does. */
interface Player {
  readonly script: Script;
  readonly session: string;
  readonly log: AgentLog;
  readonly stage: Stage;
  /** The dispatch that is being played. */
  playing: string | null;
}

/**
 * The scripted agent as a process: a conversation on stdin and stdout. It writes every prompt with its dispatch id to its
 * own log before it acts, so that deliveries are counted by the receiver.
 */
export async function runScriptedAgent(options: ScriptedAgentOptions): Promise<void> {
  const { script, session, input, output, cwd } = options;
  const log = openAgentLog(options.logPath);
  const say = (word: Word): void => void output.write(`${JSON.stringify(word)}\n`);
  const ended = log.lines().filter((line) => line.kind === 'ended' && line.session === session);
  const tokens = tokensPerTurn * ended.length;
  const tools = toolClient(process.env);
  const stage: Stage = {
    tools,
    say,
    garble: (text) => void output.write(`${text}\n`),
    background: [],
    cwd,
    asks: script.asks,
    paceMs: script.paceMs,
    answers: new Map(),
    interrupted: false,
    turn: '',
    tokens,
  };
  const player: Player = { script, session, log, stage, playing: null };
  say({ word: 'ready', session });
  const framer = jsonLines();
  const take = (frames: readonly Frame[]): void => {
    for (const frame of frames) if ('value' in frame) obey(player, orderSchema.parse(frame.value));
  };
  for await (const chunk of input) take(framer.push(chunk as Uint8Array));
  take(framer.end());
  tools.close();
}

function obey(player: Player, order: Order): void {
  const { log, session, stage } = player;
  switch (order.order) {
    case 'turn':
      void play(player, order.dispatch, order.prompt);
      return;
    case 'steer':
      if (player.playing !== null)
        log.append({
          at: Date.now(),
          session,
          dispatch: order.dispatch,
          kind: 'steer',
          prompt: order.prompt,
        });
      stage.say({
        word: 'steered',
        dispatch: order.dispatch,
        refused: player.playing === null ? true : undefined,
      });
      return;
    case 'interrupt':
      stage.interrupted = true;
      for (const [, answered] of stage.answers) answered({ answer: 'deny', because: 'interrupted' });
      return;
    case 'answer': {
      const { answer, because, text } = order;
      stage.answers.get(order.request)?.({ answer, because, text });
      return;
    }
    case 'find':
      stage.say(find(player, order.dispatch));
  }
}

async function play(player: Player, dispatch: string, prompt: string): Promise<void> {
  const { script, session, log, stage } = player;
  const n = log.lines().filter((line) => line.kind === 'turn').length;
  log.append({ at: Date.now(), session, dispatch, kind: 'turn', prompt });
  const turn = `turn-${n + 1}`;
  player.playing = dispatch;
  Object.assign(stage, { turn, interrupted: false });
  stage.say({ word: 'started', turn, dispatch });
  const scripted = script.turns[Math.min(n, script.turns.length - 1)];
  const { status, message, failure } = await perform(scripted ?? { steps: [], message: '' }, stage);
  log.append({ at: Date.now(), session, dispatch, kind: 'ended', status, message });
  player.playing = null;
  stage.tokens += tokensPerTurn;
  stage.say({ word: 'usage', usage: { totalTokens: stage.tokens } });
  stage.say({ word: 'ended', turn, dispatch, status, message, failure });
}

/** Did this prompt arrive, and how did it end? The log knows; a turn without an end was interrupted. */
function find({ log, playing }: Player, dispatch: string): Word {
  const lines = log.lines();
  const mine = lines.filter((line) => line.dispatch === dispatch);
  if (mine.length === 0) return { word: 'found', dispatch, found: 'absent' };
  const turns = lines.filter((line) => line.kind === 'turn');
  const turn = `turn-${turns.findIndex((line) => line.dispatch === dispatch) + 1}`;
  if (playing === dispatch) return { word: 'found', dispatch, found: 'running', turn };
  const end = mine.find((line) => line.kind === 'ended');
  const { status, message } = end ?? { status: 'interrupted' as const, message: '' };
  return { word: 'found', dispatch, found: 'ended', turn, status, message };
}
