import type { AgentEvent, BackgroundTask } from '../contract/index.ts';
import { announce, commands, hex, say } from './sim-say.ts';
import type { SimAgents, SimChild, SimThread } from './sim-stage.ts';

const tasksMax = 3;

const tell = (agents: SimAgents, child: SimChild): void =>
  say(agents, child, {
    type: 'background-changed',
    session: child.thread.id,
    tasks: [...child.thread.background],
  });

/** Work that outlives its turn. When it ends it may wake the agent; an agent among it may ask meanwhile. */
export function startBackground(agents: SimAgents, child: SimChild): void {
  const { thread } = child;
  const { clock, dice } = agents.stage;
  if (thread.background.length >= tasksMax) return;
  const id = `b${++agents.drawn}`;
  const task: BackgroundTask = { id, kind: dice.pick(['shell', 'agent', 'timer']), label: `work ${id}` };
  thread.background = [...thread.background, task];
  tell(agents, child);
  const isRunning = (): boolean => child.isAlive && thread.background.includes(task);
  const takesMs = dice.between(1_000, dice.chance(0.2) ? 3_600_000 : 90_000);
  if (task.kind === 'agent' && dice.chance(0.5))
    clock.after(dice.between(1, takesMs), () => isRunning() && askAsSubagent(agents, child, id));
  clock.after(takesMs, () => isRunning() && endBackground(agents, child, task));
}

function endBackground(agents: SimAgents, child: SimChild, task: BackgroundTask): void {
  const { thread } = child;
  const { dice } = agents.stage;
  thread.background = thread.background.filter((one) => one !== task);
  const isTold = dice.chance(0.5);
  if (isTold) tell(agents, child);
  if (thread.current === null && dice.chance(0.4)) agents.wake(child);
  if (!isTold) tell(agents, child);
}

/** Asks in the root session's name; the turn it names is the sub-agent's own. */
export function askAsSubagent(agents: SimAgents, child: SimChild, turn: string): void {
  const { dice } = agents.stage;
  const request = `a${++agents.drawn}`;
  const command = dice.pick(commands);
  const event: AgentEvent = {
    type: 'approval-asked',
    session: child.thread.id,
    turn,
    request,
    action: { kind: 'command', rendered: { text: command }, digest: hex(command) },
    subagent: { id: `child-${request}` },
  };
  child.thread.asked.set(request, event);
  say(agents, child, event);
}

/** The same conversation under a new id; it can be resumed under either. */
export function rename(agents: SimAgents, thread: SimThread): void {
  thread.id = `s${++agents.drawn}`;
  agents.threads.set(thread.id, thread);
}

/** Told at once and in order, sometimes twice: what comes later names the new id. */
export function changeSession(agents: SimAgents, child: SimChild): void {
  const { thread } = child;
  const { dice } = agents.stage;
  const session = thread.id;
  rename(agents, thread);
  const because = dice.pick(['clear', 'fork', 'compact'] as const);
  const event: AgentEvent = { type: 'session-changed', session, to: thread.id, because };
  for (let times = dice.chance(0.2) ? 2 : 1; times > 0; times--)
    if (child.keeper.isAlive()) child.listener.onEvent(event);
}

/** How the session stands, for whoever attaches to it. */
export function standing(agents: SimAgents, child: SimChild): void {
  const { thread } = child;
  if (!child.isAlive || child.isDetached) return;
  const { current } = thread;
  if (current?.isAnnounced === true) {
    current.isAnnounced = false;
    announce(agents, child, current);
  }
  tell(agents, child);
  for (const event of [...(current?.asked == null ? [] : [current.asked]), ...thread.asked.values()])
    say(agents, child, 'session' in event ? { ...event, session: thread.id } : event);
}
