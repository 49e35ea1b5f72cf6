import type { AgentEvent } from '../contract/index.ts';
import type { Dice } from './dice.ts';
import { askAsSubagent, changeSession, startBackground } from './sim-background.ts';
import { announce, commands, hex, say } from './sim-say.ts';
import { finish, type SimAgents, type SimChild, type SimTurn } from './sim-stage.ts';
import { drawEnd, drawReview, type SimStep } from './sim-turn.ts';

const floodItems = 40;
/** Goes on with a turn from wherever it stands. Everything it says may be repeated, held back or misaddressed. */
export function playTurn(agents: SimAgents, child: SimChild, turn: SimTurn): void {
  const { clock, dice } = agents.stage;
  if (!agents.stage.temper.dispatchTold || dice.chance(0.5)) announce(agents, child, turn);
  const go = (): void => {
    if (!child.isAlive || child.thread.current !== turn || turn.isHanging || turn.waitsFor !== null) return;
    announce(agents, child, turn);
    const step = turn.status === 'running' ? turn.steps.shift() : undefined;
    if (step === undefined) {
      endTurn(agents, child, turn);
      return;
    }
    play(agents, child, turn, step);
    clock.after(dice.between(10, dice.chance(0.2) ? 30_000 : 3_000), go);
  };
  clock.after(dice.between(1, 1_000), go);
}

function turnEnd({ stage }: SimAgents, { isReview }: SimTurn): ReturnType<typeof drawEnd> {
  const end = drawEnd(stage.dice, stage.temper, stage.clock.at());
  return isReview && end.status === 'completed' ? { ...end, ...drawReview(stage.dice, stage.temper) } : end;
}

function endTurn(agents: SimAgents, child: SimChild, turn: SimTurn): void {
  const { dice, temper, isCalm, fault } = agents.stage;
  const cut = turn.status === 'interrupted';
  const end = cut ? { status: 'interrupted' as const } : turnEnd(agents, turn);
  const { status, ...rest } = end;
  turn.end = rest;
  if (status === 'failed') fault('turn failed');
  finish(agents, child, turn, status);
  const told = turn.dispatch !== null && temper.dispatchTold ? { dispatch: turn.dispatch } : {};
  const at = { session: child.thread.id, turn: turn.id };
  say(agents, child, { type: 'turn-ended', ...at, ...told, ...end });
  if (!isCalm() && dice.chance(temper.trouble / 10)) {
    fault('late item');
    say(agents, child, item(at, `i${++agents.drawn}`, 'ok'));
  }
}

const item = (at: { session: string; turn: string }, id: string, outcome: 'ok' | 'failed'): AgentEvent => ({
  type: 'item-ended',
  ...at,
  item: id,
  kind: 'command',
  outcome,
  label: 'npm test',
});

const question = (at: { session: string; turn: string }, request: string): AgentEvent => ({
  type: 'input-asked',
  ...at,
  request,
  questions: [{ id: 'q', question: 'which way?' }],
  digest: hex(request),
});

function approval(dice: Dice, at: { session: string; turn: string }, request: string): AgentEvent {
  const command = dice.pick(commands);
  const action = { kind: 'command' as const, rendered: { text: command }, digest: hex(command) };
  return { type: 'approval-asked', ...at, request, action };
}

/** Does one step and says what there is to say about it. */
function play(agents: SimAgents, child: SimChild, turn: SimTurn, step: SimStep): void {
  const event = spoken(agents, child, turn, step) ?? playRare(agents, child, turn, step);
  if (event !== null) say(agents, child, event);
}

function spoken(agents: SimAgents, { thread }: SimChild, turn: SimTurn, step: SimStep): AgentEvent | null {
  const { stage } = agents;
  const { dice } = stage;
  const session = thread.id;
  const at = { session, turn: turn.id };
  const id = `i${++agents.drawn}`;
  switch (step) {
    case 'item':
    case 'failed-item':
      return item(at, id, step === 'item' ? 'ok' : 'failed');
    case 'edit':
      stage.edit();
      return item(at, id, 'ok');
    case 'commit':
      stage.commit();
      return item(at, id, 'ok');
    case 'plan':
      return { type: 'plan-changed', ...at, digest: hex(id), done: 1, total: 3 };
    case 'retry':
    case 'error': {
      const failure = { kind: dice.pick(['server-error', 'rate-limited'] as const), message: 'busy' };
      return { type: 'error-seen', ...at, failure, willRetry: step === 'retry' };
    }
    case 'compaction':
      return { type: 'compaction-seen', ...at };
    case 'blocked':
    case 'waits':
    case 'done': {
      const status = step === 'waits' ? 'waiting' : step;
      return { type: 'status-reported', ...at, status, text: { text: `I am ${status}` } };
    }
    case 'mode':
      return { type: 'mode-raised', session, mode: 'full access' };
    case 'limit': {
      const resetAt = dice.chance(0.5) ? stage.clock.at() + 60_000 : null;
      return { type: 'limit-seen', session, resetAt, because: 'the weekly limit' };
    }
    case 'unreadable':
      stage.fault('unreadable');
      return { type: 'unreadable', source: 'agent', because: 'no JSON', sample: '{' };
    default:
      return null;
  }
}

function usageOf(agents: SimAgents, { thread }: SimChild): AgentEvent {
  const { dice, temper } = agents.stage;
  thread.usedTokens += dice.between(10, 2_000);
  thread.usedMoney += dice.roll();
  const usage = {
    totalTokens: temper.tokens ? thread.usedTokens : undefined,
    money: temper.money ? thread.usedMoney : undefined,
  };
  return { type: 'usage-reported', session: thread.id, usage };
}

/** The steps that do something to the turn itself. */
function playRare(agents: SimAgents, child: SimChild, turn: SimTurn, step: SimStep): AgentEvent | null {
  const { stage } = agents;
  const { dice } = stage;
  const at = { session: child.thread.id, turn: turn.id };
  const id = `i${++agents.drawn}`;
  switch (step) {
    case 'usage':
      return usageOf(agents, child);
    case 'approval':
    case 'question': {
      turn.waitsFor = id;
      agents.unanswered.set(id, turn);
      turn.asked = step === 'question' ? question(at, id) : approval(dice, at, id);
      return turn.asked;
    }
    case 'background':
      startBackground(agents, child);
      return null;
    case 'subagent':
      askAsSubagent(agents, child, turn.id);
      return null;
    case 'rename':
      changeSession(agents, child);
      return null;
    case 'flood':
      stage.fault('flood');
      for (let n = 0; n < floodItems; n++) say(agents, child, item(at, `${id}-${n}`, 'ok'));
      return null;
    case 'hang':
      if (stage.isCalm()) return null;
      stage.fault('hang');
      turn.isHanging = true;
      return null;
    case 'die':
      if (stage.isCalm()) return null;
      stage.fault('agent died');
      agents.endChild(child);
      return { type: 'session-ended', session: child.thread.id };
    default:
      return null;
  }
}
