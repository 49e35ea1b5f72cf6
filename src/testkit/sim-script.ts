import type { AgentEvent } from '../contract/index.ts';
import { finish, type SimAgents, type SimChild, type SimTurn } from './sim-stage.ts';
import { drawEnd, drawReview, type SimStep } from './sim-turn.ts';

const floodItems = 40;
const commands = [
  ...['npm test', 'git push -f origin main', 'rm -rf /', 'rm -rf ./build', 'make deploy', 'ls'],
  ...['git reset --hard HEAD~3', 'rm -rf ./src'],
];
const hex = (text: string): string => {
  let out = '';
  for (const char of text) out += (char.codePointAt(0) ?? 0).toString(16);
  return out.padEnd(64, '0').slice(0, 64);
};

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

function announce(agents: SimAgents, child: SimChild, turn: SimTurn): void {
  if (turn.isAnnounced) return;
  turn.isAnnounced = true;
  const told = turn.dispatch !== null && agents.stage.temper.dispatchTold ? { dispatch: turn.dispatch } : {};
  say(agents, child, { type: 'turn-started', session: child.thread.id, turn: turn.id, ...told });
}

/** Speaks, as badly as agents do. */
function say(agents: SimAgents, child: SimChild, event: AgentEvent): void {
  const { dice, temper, fault, isCalm } = agents.stage;
  const onEvent = (said: AgentEvent): void => {
    if (child.keeper.isAlive()) child.listener.onEvent(said);
  };
  const isTrouble = !isCalm() && dice.chance(temper.trouble / 4);
  const kind = isTrouble ? dice.pick(['repeat', 'hold', 'elsewhere'] as const) : 'plain';
  if (kind === 'hold' && child.held.length === 0) {
    fault('reordered');
    child.held.push(event);
    // What is held back comes late, never never.
    agents.stage.clock.after(dice.between(1, 5_000), () => {
      for (const late of child.held.splice(0)) onEvent(late);
    });
    return;
  }
  onEvent(event);
  if (kind === 'repeat') {
    fault(event.type === 'turn-ended' ? 'turn ended twice' : 'repeated');
    onEvent(event);
  } else if (kind === 'elsewhere' && 'session' in event) {
    fault('wrong session');
    onEvent({ ...event, session: 'elsewhere' });
  }
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
      if (step === 'question') {
        const questions = [{ id: 'q', question: 'which way?' }];
        return { type: 'input-asked', ...at, request: id, questions, digest: hex(id) };
      }
      const command = dice.pick(commands);
      const action = { kind: 'command' as const, rendered: { text: command }, digest: hex(command) };
      return { type: 'approval-asked', ...at, request: id, action };
    }
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
