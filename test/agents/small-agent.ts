import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import {
  type Agent,
  type AgentAnswer,
  type AgentEvent,
  AgentFailure,
  type AgentListener,
  type AgentSession,
  type FoundTurn,
} from '../../src/contract/index.ts';
import type { AgentUnderTest, Behaviour } from '../../src/testkit/agent-conformance.ts';

/** An agent in this process that can do everything the contract has a word for; only its commands are real. */
export interface SmallAgent extends AgentUnderTest {
  readonly deliveries: string[];
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

export function smallAgent(behaviours: readonly Behaviour[]): SmallAgent {
  const workspace = mkdtempSync(join(tmpdir(), 'tireless-small-'));
  const memory: Memory = { workspace, behaviours, deliveries: [], turns: new Map(), commands: new Set() };
  const agent: Agent = {
    facts: { name: 'small', door: 'in-process', sees: 'every-action', usage: 'tokens' },
    open: async (listener) => sessionOf(randomUUID(), listener, memory),
    resume: async (session, listener) => sessionOf(session, listener, memory),
  };
  return {
    agent,
    workspace,
    deliveries: memory.deliveries,
    received: () => memory.deliveries,
    async end() {
      endAll(memory.commands);
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

interface Memory {
  readonly workspace: string;
  readonly behaviours: readonly Behaviour[];
  readonly deliveries: string[];
  /** How each dispatch stands. */
  readonly turns: Map<string, FoundTurn & { turn: string }>;
  readonly commands: Set<ChildProcess>;
}

function endAll(commands: Set<ChildProcess>): void {
  for (const { pid } of commands) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  commands.clear();
}

interface Stage {
  session: string;
  readonly turn: string;
  readonly tell: (event: AgentEvent) => void;
  readonly shell: (command: string) => Promise<void>;
  /** Asks, and gives the answer. */
  readonly ask: (event: AgentEvent & { request: string }) => Promise<AgentAnswer>;
}

function sessionOf(id: string, listener: AgentListener, memory: Memory): AgentSession {
  const { workspace, behaviours, deliveries, turns, commands } = memory;
  let session = id;
  let isDead = false;
  let running: { turn: string; interrupt: () => void } | null = null;
  const requests = new Map<string, (answer: AgentAnswer) => void>();
  const shell = (command: string): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn('sh', ['-c', command], { cwd: workspace, detached: true, stdio: 'ignore' });
      commands.add(child);
      child.once('close', () => {
        commands.delete(child);
        resolve();
      });
    });
  const end = async (dispatch: string, turn: string, behaviour: Behaviour): Promise<void> => {
    const stage: Stage = {
      session,
      turn,
      tell: (event) => listener.onEvent(event),
      shell,
      ask: (event) =>
        new Promise((resolve) => {
          requests.set(event.request, resolve);
          listener.onEvent(event);
        }),
    };
    const interrupted = new Promise<null>((resolve) => {
      running = { turn, interrupt: () => resolve(null) };
    });
    const text = await Promise.race([interrupted, play(behaviour, stage)]);
    running = null;
    session = stage.session;
    if (behaviour.do === 'die') isDead = true;
    if (isDead) return;
    const status = text === null ? 'interrupted' : 'completed';
    const message = { text: text ?? '' };
    turns.set(dispatch, { found: 'ended', turn, status, message });
    const totalTokens = 100 * turns.size;
    listener.onEvent({ type: 'usage-reported', session, usage: { totalTokens } });
    listener.onEvent({ type: 'turn-ended', session, turn, dispatch, status, message });
  };
  return {
    id,
    async turn(dispatch, prompt) {
      if (isDead) throw new AgentFailure({ kind: 'crashed', message: 'it is dead' });
      const behaviour = behaviours[turns.size] ?? { do: 'reply', text: '' };
      const turn = `turn-${turns.size + 1}`;
      deliveries.push(prompt);
      turns.set(dispatch, { found: 'running', turn });
      listener.onEvent({ type: 'turn-started', session, turn, dispatch });
      void end(dispatch, turn, behaviour);
      return { turn };
    },
    interrupt: async (turn) => {
      if (running?.turn === turn) running.interrupt();
    },
    answer: async (request, answer) => requests.get(request)?.(answer),
    async steer(turn, _dispatch, prompt) {
      if (running?.turn !== turn) throw new AgentFailure({ kind: 'refused', message: 'it is over' });
      deliveries.push(prompt);
    },
    find: async (dispatch) => turns.get(dispatch) ?? { found: 'absent' },
    working: async () => commands.size > 0,
    async close() {
      isDead = true;
      running?.interrupt();
      endAll(commands);
    },
  };
}

/** What the behaviour does, and the last message. */
async function play(behaviour: Behaviour, stage: Stage): Promise<string> {
  const { session, turn, tell, shell, ask } = stage;
  await soon();
  const allowed = async (command: string, subagent?: { id: string }): Promise<boolean> => {
    const action = { kind: 'command' as const, rendered: { text: command }, digest: digest(command) };
    const asked = { session, turn, request: `${turn}#1`, action, subagent };
    return (await ask({ type: 'approval-asked', ...asked })).answer === 'approve';
  };
  switch (behaviour.do) {
    case 'reply':
      return behaviour.text;
    case 'run':
    case 'subagent': {
      const who = behaviour.do === 'subagent' ? { id: 'helper' } : undefined;
      if (await allowed(behaviour.command, who)) await shell(behaviour.command);
      break;
    }
    case 'question': {
      const questions = [{ id: 'q', question: behaviour.question }];
      const asked = { session, turn, request: `${turn}#1`, questions, digest: digest(behaviour.question) };
      return (await ask({ type: 'input-asked', ...asked })).text ?? 'no answer';
    }
    case 'plan': {
      const steps = [...behaviour.steps];
      const done = steps.filter(({ status }) => status === 'done').length;
      tell({ type: 'plan-changed', session, turn, digest: digest('plan'), done, total: steps.length, steps });
      break;
    }
    case 'background': {
      if (!(await allowed(behaviour.command))) break;
      tell({
        type: 'background-changed',
        session,
        tasks: [{ id: 'b', kind: 'shell', label: behaviour.command }],
      });
      void shell(behaviour.command).then(() => tell({ type: 'background-changed', session, tasks: [] }));
      break;
    }
    case 'garbage':
      tell({ type: 'unreadable', source: 'small', because: 'not JSON', sample: '{"half' });
      break;
    case 'silence':
      await new Promise<never>(() => undefined);
      break;
    case 'die':
      tell({ type: 'session-ended', session, failure: { kind: 'crashed', message: 'killed' } });
      break;
    case 'new-session':
      stage.session = randomUUID();
      tell({ type: 'session-changed', session, to: stage.session, because: 'clear' });
  }
  return 'done';
}
