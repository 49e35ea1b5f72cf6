import { AgentFailure, type AgentListener, type AgentSession } from '../contract/index.ts';
import { cleanLine } from '../core/index.ts';
import { rename, standing } from './sim-background.ts';
import type { SimProcess } from './sim-process.ts';
import { playTurn } from './sim-script.ts';
import {
  finish,
  type SimAgents,
  type SimChild,
  type SimStage,
  type SimThread,
  type SimTurn,
} from './sim-stage.ts';
import { drawFailure, drawSteps } from './sim-turn.ts';

export function simAgents(stage: SimStage): SimAgents {
  const agents: SimAgents = {
    stage,
    children: new Map(),
    threads: new Map(),
    unanswered: new Map(),
    prompts: [],
    drawn: 0,
    endChild(child) {
      child.isAlive = false;
      agents.children.delete(child.pid);
      child.thread.background = [];
      child.thread.asked.clear();
      const { current } = child.thread;
      if (current !== null) finish(agents, child, current, 'interrupted');
    },
    wake: (child) => void begin(agents, child, null, '', true),
    startForeign() {
      const child = [...agents.children.values()].find((c) => c.isAlive && c.keeper.isAlive());
      if (child === undefined || child.thread.current !== null) return;
      stage.fault('foreign turn');
      begin(agents, child, null);
    },
    agentOf: (keeper) => ({
      facts: stage.facts,
      open: (listener) => keeper.act(() => connect(agents, keeper, listener, newThread(agents))),
      resume: stage.facts.resumes
        ? (session, listener) =>
            keeper.act(() =>
              connect(agents, keeper, listener, agents.threads.get(session) ?? newThread(agents)),
            )
        : undefined,
    }),
  };
  return agents;
}

function newThread(agents: SimAgents): SimThread {
  const id = `s${++agents.drawn}`;
  const thread: SimThread = {
    id,
    turns: new Map(),
    steered: new Set(),
    background: [],
    asked: new Map(),
    current: null,
    usedTokens: 0,
    usedMoney: 0,
  };
  agents.threads.set(id, thread);
  return thread;
}

function begin(
  agents: SimAgents,
  child: SimChild,
  dispatch: string | null,
  prompt = '',
  isWoken = false,
): SimTurn {
  const { dice, temper } = agents.stage;
  // Somebody is there to end what somebody began.
  const stepsOf = (by: string | null) =>
    drawSteps(dice, temper).filter((step) => by !== null || step !== 'hang');
  const turn: SimTurn = {
    id: `t${++agents.drawn}`,
    dispatch,
    isWoken,
    steps: stepsOf(dispatch),
    status: 'running',
    isReview: prompt.includes(cleanLine),
    end: {},
    isAnnounced: false,
    waitsFor: null,
    asked: null,
    isHanging: false,
  };
  child.thread.current = turn;
  if (dispatch !== null || isWoken) child.thread.turns.set(dispatch ?? turn.id, turn);
  playTurn(agents, child, turn);
  return turn;
}

async function connect(
  agents: SimAgents,
  keeper: SimProcess,
  listener: AgentListener,
  thread: SimThread,
): Promise<AgentSession> {
  const { stage } = agents;
  const left = stage.facts.outlives === true ? livingOf(agents, thread) : undefined;
  if (left !== undefined) return attach(agents, left, keeper, listener);
  if (!stage.isCalm() && stage.dice.chance(stage.temper.failing / 5)) {
    stage.fault('agent did not start');
    throw new AgentFailure(drawFailure(stage.dice, stage.clock.at()));
  }
  const pid = 10_000 + ++agents.drawn;
  const child: SimChild = {
    ...{ pid, thread, keeper, listener, held: [] },
    ...{ isAlive: true, isNoted: false, isDetached: false },
  };
  agents.children.set(pid, child);
  await listener.onChildStarted(pid);
  child.isNoted = true;
  return sessionOf(agents, child, keeper);
}

const livingOf = ({ children }: SimAgents, thread: SimThread): SimChild | undefined =>
  [...children.values()].find((child) => child.isAlive && child.thread === thread);

/** Somebody attaches to a session that went on without them, and is told how it stands. */
function attach(
  agents: SimAgents,
  child: SimChild,
  keeper: SimProcess,
  listener: AgentListener,
): AgentSession {
  agents.stage.fault('attached again');
  Object.assign(child, { keeper, listener, isDetached: false });
  agents.stage.clock.after(1, () => standing(agents, child));
  return sessionOf(agents, child, keeper);
}

const nobody: AgentListener = {
  onEvent: () => undefined,
  onLive: () => undefined,
  onChildStarted: async () => undefined,
};

function sessionOf(agents: SimAgents, child: SimChild, keeper: SimProcess): AgentSession {
  const { stage } = agents;
  const { dice, facts } = stage;
  const { thread } = child;
  const alive = (): void => {
    if (!child.isAlive) throw new AgentFailure({ kind: 'crashed', message: 'the agent is gone' });
  };
  return {
    id: thread.id,
    facts: { sees: stage.proven },
    turn: (dispatch, prompt) => keeper.act(async () => takeTurn(agents, child, dispatch, prompt)),
    interrupt: (id) =>
      keeper.act(async () => {
        alive();
        const turn = thread.current;
        if (turn === null || turn.id !== id) throw new Error('no such turn');
        if (turn.dispatch === null && !turn.isWoken) stage.complain(`the foreign turn ${id} was interrupted`);
        if (turn.isHanging && !stage.isCalm() && dice.chance(0.5)) return; // deaf as well
        turn.isHanging = false;
        turn.waitsFor = null;
        turn.steps.length = 0;
        turn.status = 'interrupted';
        stage.clock.after(dice.between(1, 2_000), () => playTurn(agents, child, turn));
      }),
    answer: (request) =>
      keeper.act(async () => {
        alive();
        if (thread.asked.delete(request)) return;
        const turn = thread.current;
        if (turn === null || turn.waitsFor !== request) throw new Error('nobody asked');
        turn.waitsFor = null;
        turn.asked = null;
        agents.unanswered.delete(request);
        playTurn(agents, child, turn);
      }),
    working: async () => dice.chance(0.2) && !stage.isCalm(),
    close: () =>
      keeper.act(async () => {
        if (!child.isAlive) return;
        agents.endChild(child);
        if (dice.chance(0.5)) child.listener.onEvent({ type: 'session-ended', session: thread.id });
      }),
    detach:
      facts.outlives === true
        ? () =>
            keeper.act(async () => {
              if (child.keeper === keeper) Object.assign(child, { listener: nobody, isDetached: true });
            })
        : undefined,
    renew: facts.renews === true ? () => keeper.act(async () => renew(agents, child)) : undefined,
    steer: facts.steers
      ? (id, dispatch, prompt) => keeper.act(async () => steer(agents, child, id, dispatch, prompt))
      : undefined,
    review:
      facts.reviews === true
        ? (dispatch, instructions) => keeper.act(async () => takeTurn(agents, child, dispatch, instructions))
        : undefined,
    find: facts.finds ? (dispatch) => keeper.act(async () => find(agents, child, dispatch)) : undefined,
  };
}

function renew(agents: SimAgents, { isAlive, thread }: SimChild): { session: string } {
  const { stage } = agents;
  if (!isAlive || thread.current !== null)
    throw new AgentFailure({ kind: 'other', message: 'no fresh context now' });
  if (!stage.isCalm() && stage.dice.chance(0.1)) {
    stage.fault('not renewed');
    throw new AgentFailure(drawFailure(stage.dice, stage.clock.at()));
  }
  rename(agents, thread);
  return { session: thread.id };
}

function takeTurn(agents: SimAgents, child: SimChild, dispatch: string, prompt: string): { turn?: string } {
  const { stage } = agents;
  const { dice } = stage;
  if (!child.isAlive) throw new AgentFailure({ kind: 'crashed', message: 'the agent is gone' });
  if (prompt.trim() === '') stage.complain('an empty prompt was sent');
  if (child.thread.current !== null && child.thread.current.dispatch === null)
    throw new AgentFailure({ kind: 'other', message: 'somebody else is at work' });
  for (const other of agents.children.values())
    if (other.isAlive && other.thread.current?.dispatch != null)
      stage.complain(`${dispatch} was sent while ${other.thread.current.dispatch} was under way`);
  for (const thread of agents.threads.values())
    if (thread.turns.has(dispatch)) stage.complain(`${dispatch} was delivered twice`);
  if (!stage.isCalm() && dice.chance(stage.temper.failing / 4)) {
    stage.fault('turn refused');
    throw new AgentFailure(drawFailure(dice, stage.clock.at()));
  }
  agents.prompts.push(prompt);
  const turn = begin(agents, child, dispatch, prompt);
  if (!stage.isCalm() && dice.chance(stage.temper.trouble / 10)) {
    stage.fault('agent died of a turn');
    agents.endChild(child);
    child.listener.onEvent({ type: 'session-ended', session: child.thread.id });
    throw new AgentFailure({ kind: 'stream-cut', message: 'the answer was cut' });
  }
  return dice.chance(0.9) || !stage.temper.dispatchTold ? { turn: turn.id } : {};
}

function steer(
  agents: SimAgents,
  { thread, isAlive }: SimChild,
  id: string,
  dispatch: string,
  prompt: string,
): void {
  const { stage, prompts } = agents;
  if (!isAlive || thread.current?.id !== id) throw new Error('no such turn');
  if (thread.current.dispatch === null && !thread.current.isWoken)
    stage.complain('a foreign turn was steered');
  if (stage.dice.chance(0.2)) throw new Error('not now');
  if (thread.steered.has(dispatch)) stage.complain(`the steering ${dispatch} was delivered twice`);
  thread.steered.add(dispatch);
  prompts.push(prompt);
}

function find(
  { stage }: SimAgents,
  { thread }: SimChild,
  dispatch: string,
): Awaited<ReturnType<NonNullable<AgentSession['find']>>> {
  if (!stage.isCalm() && stage.dice.chance(0.15)) return { found: 'unknown' };
  const turn = thread.turns.get(dispatch);
  if (turn === undefined)
    return thread.steered.has(dispatch) && thread.current !== null
      ? { found: 'running', turn: thread.current.id }
      : { found: thread.steered.has(dispatch) ? 'unknown' : 'absent' };
  if (turn.status === 'running') return { found: 'running', turn: turn.id };
  const { failure, message } = turn.end;
  return { found: 'ended', turn: turn.id, status: turn.status, failure, message };
}
