import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventSchema } from '../contract/event.ts';
import type { Agent, AgentEvent, AgentListener, AgentSession } from '../contract/ports.ts';
import { processStart } from '../edge/lock.ts';

/** What the model behind the agent does with one prompt. Afterwards it says `done` and the turn ends, unless it says otherwise. */
export type Behaviour =
  | { readonly do: 'reply'; readonly text: string }
  /** Runs a shell command in the workspace; asks first if this agent asks. */
  | { readonly do: 'run'; readonly command: string }
  /** Asks a question, waits for its answer and repeats it as its last message. */
  | { readonly do: 'question'; readonly question: string }
  | { readonly do: 'plan'; readonly steps: readonly PlannedStep[] }
  /** Starts a command and ends the turn while that still runs. */
  | { readonly do: 'background'; readonly command: string }
  /** Has a sub-agent run the command, which asks first. */
  | { readonly do: 'subagent'; readonly command: string }
  /** The agent emits something no version of it should. */
  | { readonly do: 'garbage' }
  /** Nothing happens, without end and without a running command. */
  | { readonly do: 'silence' }
  /** The agent's process dies. */
  | { readonly do: 'die' }
  /** The conversation goes by a new id from now on. */
  | { readonly do: 'new-session' };

export interface PlannedStep {
  readonly text: string;
  readonly status: 'pending' | 'active' | 'done';
}

/** What a kind of agent may have no notion of. `asks`: it runs commands without asking. */
export type Ability = Behaviour['do'] | 'asks';

export interface ConformanceSubject {
  /** A fresh agent in an empty workspace: its n-th prompt makes the model behave in the n-th way. */
  make(behaviours: readonly Behaviour[]): Promise<AgentUnderTest>;
  /** What this kind of agent has no notion of; sentences about it are left out. */
  readonly cannot?: readonly Ability[];
  /** How long one thing may take before it counts as never; default 20 s. */
  readonly withinMs?: number;
}

export interface AgentUnderTest {
  readonly agent: Agent;
  readonly workspace: string;
  /** All texts that reached the agent or its model, as the receiver counts them: one for each delivery. */
  received(): readonly string[];
  /** Removes what was made. */
  end(): Promise<void>;
}

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type Asked = Of<'approval-asked' | 'input-asked'>;

/** An opened agent, everything it told, and the usual steps of a case. */
export interface Bench extends AgentUnderTest {
  readonly session: AgentSession;
  readonly events: readonly AgentEvent[];
  /** Events of one type, oldest first. */
  told<T extends AgentEvent['type']>(type: T): readonly Of<T>[];
  /** Waits for something to become true; `what` completes "never: …". */
  until<T>(look: () => T | Promise<T>, what: string): Promise<NonNullable<Exclude<T, false>>>;
  /** Delivers a prompt under a new dispatch and gives that. */
  prompt(text?: string, session?: AgentSession): Promise<{ dispatch: string; turn: string }>;
  /** Delivers a prompt and waits for the end of its turn. */
  complete(text?: string, session?: AgentSession): Promise<Of<'turn-ended'>>;
  ended(dispatch: string): Promise<Of<'turn-ended'>>;
  /** The n-th request, from 0. */
  asked(n?: number): Promise<Asked>;
  /** The same conversation in a new session. */
  resume(id?: string): Promise<AgentSession>;
  /** Whether this file is in the workspace. */
  has(file: string): boolean;
  /** Lets commands made by `waiting` go on. */
  go(): void;
  /** The pid of the command made by `waiting`, once it runs. */
  pid(): Promise<number>;
  lives(pid: number): boolean;
}

const pollMs = 10;

/** A shell command that writes its pid and runs until the case lets it go. */
export const waiting = 'echo $$ > pid; while [ ! -e go ]; do sleep 0.02; done';

/** One promise of an adapter, as a sentence and its proof. */
export interface AgentCase {
  readonly sentence: string;
  /** What the agent must have a notion of. */
  readonly needs: readonly Ability[];
  /** The method it is about: an adapter without it promises nothing. */
  readonly about?: 'steer' | 'find' | 'working' | 'detach' | 'resume';
  /** What its model does with each prompt. */
  readonly behaviours: readonly Behaviour[];
  /** The case answers every request itself; otherwise each is approved at once. */
  readonly asks?: boolean;
  body(bench: Bench): Promise<void>;
}

/** Opens the agent, gives it to the case, and closes everything whatever comes of it. Rejects when the promise is broken. */
export async function onBench(
  subject: ConformanceSubject,
  { about, behaviours, asks = false, body }: AgentCase,
): Promise<'kept' | 'not offered'> {
  const under = await subject.make(behaviours);
  const events: AgentEvent[] = [];
  const sessions: AgentSession[] = [];
  const listener: AgentListener = {
    onEvent: (event) => {
      events.push(event);
      if (event.type !== 'approval-asked' || asks) return;
      const answer = { answer: 'approve', because: 'the case allows it' } as const;
      // A lost answer shows in what follows: the action does not happen.
      setImmediate(
        () =>
          void sessions
            .at(-1)
            ?.answer(event.request, answer)
            .catch(() => undefined),
      );
    },
    onLive: () => undefined,
    onChildStarted: async () => undefined,
  };
  const opened = async (opening: Promise<AgentSession>): Promise<AgentSession> => {
    const session = await opening;
    sessions.push(session);
    return session;
  };
  try {
    const session = await opened(under.agent.open(listener));
    const method = about === 'resume' ? under.agent.resume : about === undefined || session[about];
    if (method === undefined) return 'not offered';
    const resume = (id = session.id): Promise<AgentSession> => {
      const resumed = under.agent.resume?.(id, listener);
      if (resumed === undefined) throw new Error('the agent has no `resume`');
      return opened(resumed);
    };
    await body({ ...stepsOver(subject, under, events, session), ...under, session, events, resume });
    for (const event of events) fits(event);
    return 'kept';
  } finally {
    for (const session of sessions) await session.close();
    await under.end();
  }
}

/** The report as the ledger would take it. */
function fits(event: AgentEvent): void {
  const read = eventSchema.safeParse(event);
  assert.ok(read.success, `an event does not fit the contract: ${JSON.stringify(event)} ${read.error}`);
}

function stepsOver(
  { withinMs = 20_000 }: ConformanceSubject,
  { workspace }: AgentUnderTest,
  events: readonly AgentEvent[],
  opened: AgentSession,
): Omit<Bench, keyof AgentUnderTest | 'session' | 'events' | 'resume'> {
  const told = <T extends AgentEvent['type']>(type: T): readonly Of<T>[] =>
    events.filter((event): event is Of<T> => event.type === type);
  const wait: Bench['until'] = async (look, what) => {
    const since = performance.now();
    for (;;) {
      const seen = await look();
      if (seen !== null && seen !== undefined && seen !== false) return seen as never;
      if (performance.now() - since > withinMs)
        throw new Error(`never: ${what}. It told: ${events.map(brief).join(', ')}`);
      await pause(pollMs);
    }
  };
  const ended: Bench['ended'] = (dispatch) =>
    wait(() => told('turn-ended').find((end) => end.dispatch === dispatch), 'the end of its turn');
  const prompt: Bench['prompt'] = async (text = 'please', session = opened) => {
    const dispatch = randomUUID();
    await session.turn(dispatch, text);
    const started = (): Of<'turn-started'> | undefined =>
      told('turn-started').find((start) => start.dispatch === dispatch);
    return { dispatch, turn: (await wait(started, 'the start of its turn')).turn };
  };
  const read = (file: string): string =>
    existsSync(join(workspace, file)) ? readFileSync(join(workspace, file), 'utf8').trim() : '';
  return {
    told,
    until: wait,
    ended,
    prompt,
    complete: async (text, session) => ended((await prompt(text, session)).dispatch),
    asked: (n = 0) =>
      wait(
        () =>
          events.filter(
            (event): event is Asked => event.type === 'approval-asked' || event.type === 'input-asked',
          )[n],
        'a request',
      ),
    has: (file) => existsSync(join(workspace, file)),
    go: () => writeFileSync(join(workspace, 'go'), ''),
    pid: async () => Number(await wait(() => read('pid') || null, 'the command to run')),
    lives: (pid) => processStart(pid) !== null,
  };
}

const brief = (event: AgentEvent): string =>
  'status' in event ? `${event.type} ${event.status}` : event.type;
