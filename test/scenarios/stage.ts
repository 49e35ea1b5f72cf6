import type { Dependencies } from '../../src/app/dependencies.ts';
import { entriesOf } from '../../src/app/entries.ts';
import { supervise } from '../../src/app/supervise.ts';
import type {
  AgentEvent,
  AgentListener,
  AgentSession,
  Entry,
  Event,
  Holder,
  RunView,
  Tree,
} from '../../src/contract/index.ts';
import { policySchema } from '../../src/contract/index.ts';
import { policyVersion, step, viewOf } from '../../src/core/index.ts';
import { type MemoryStore, memoryStore } from '../../src/testkit/memory-store.ts';
import { type SimulatedClock, simulatedClock } from '../../src/testkit/simulated-clock.ts';

export const runId = '20260101-000000-00stag';

/** A run loop around an agent that does exactly what the test says. */
export interface Stage {
  readonly clock: SimulatedClock;
  readonly store: MemoryStore;
  readonly deps: Dependencies;
  /** Everything that was asked of the outside, in order. */
  readonly calls: string[];
  readonly troubles: string[];
  /** The listener of the newest session. */
  listener: AgentListener;
  tree: Tree;
  /** Methods of the agent to behave otherwise. */
  acting: Partial<AgentSession>;
  say(event: AgentEvent): Promise<void>;
  post(event: Event): Promise<string>;
  entries(): Promise<readonly Entry[]>;
  view(): Promise<RunView>;
  keep(deps?: Partial<Dependencies>, signal?: AbortSignal): Kept;
}

/** A keeper at work, and what became of it. */
export interface Kept {
  readonly result: Promise<RunView>;
  ended: 'no' | 'yes' | Error;
}

/** Lets everything that can happen without time passing happen. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const holder = (session: string): Holder => ({ session, pid: 7, pidStart: 'boot', host: 'here' });

export async function makeStage(
  policy: Record<string, unknown> = {},
  checks: readonly string[] = [],
  mode: 'once' | 'autonomous' = 'once',
  judgedBy: number = policyVersion,
): Promise<Stage> {
  const clock = simulatedClock();
  const store = memoryStore(clock);
  const calls: string[] = [];
  const troubles: string[] = [];
  const silent: AgentListener = {
    onEvent: () => undefined,
    onLive: () => undefined,
    onChildStarted: async () => undefined,
  };
  const open = async (listener: AgentListener, session = 's1'): Promise<AgentSession> => {
    calls.push('open');
    stage.listener = listener;
    return {
      id: session,
      turn: async (dispatch) => {
        calls.push(`turn ${dispatch}`);
        return { turn: `t${calls.length}` };
      },
      interrupt: async (turn) => void calls.push(`interrupt ${turn}`),
      answer: async (request, { answer }) => void calls.push(`${answer} ${request}`),
      close: async () => void calls.push('close'),
      ...stage.acting,
    };
  };
  const deps: Dependencies = {
    store,
    clock,
    holder: holder('k1'),
    version: '0.0.0',
    ingest: (event, _body, cause) => ({
      stamped: { at: clock.at(), mono: clock.mono(), event, cause },
      bodies: [],
    }),
    agent: {
      facts: {
        name: 'staged',
        door: 'in-process',
        sees: 'every-action',
        usage: 'tokens',
        finds: true,
        steers: false,
        resumes: true,
      },
      open,
      resume: (session, listener) => open(listener, session),
    },
    workspace: {
      path: '/work',
      tree: async () => stage.tree,
      check: async ({ name, command }, timeoutMs) => {
        calls.push(`check ${name} within ${timeoutMs} ms`);
        return {
          name,
          command,
          outcome: 'passed',
          exitCode: 0,
          durationMs: 1,
          tail: { text: '' },
          outputDigest: '0'.repeat(64),
        };
      },
    },
    notify: async ({ title }) => void calls.push(`notify ${title}`),
    endOrphan: async () => undefined,
    startOf: () => null,
    onTrouble: (trouble) => void troubles.push(trouble),
  };
  const stage: Stage = {
    clock,
    store,
    deps,
    calls,
    troubles,
    listener: silent,
    acting: {},
    tree: { tree: 'unknown', head: null },
    async say(event) {
      stage.listener.onEvent(event);
      await settled();
    },
    async post(event) {
      const id = await store.post(runId, event);
      await settled();
      return id;
    },
    entries: () => Array.fromAsync(entriesOf(store, runId)),
    async view() {
      const view = await store.view(runId);
      if (view === null) throw new Error('there is no run');
      return view;
    },
    keep(over = {}, signal) {
      const result = supervise({ ...deps, ...over }, { run: runId, signal });
      const kept: Kept = { result, ended: 'no' };
      result.then(
        () => {
          kept.ended = 'yes';
        },
        (error: Error) => {
          kept.ended = error;
        },
      );
      return kept;
    },
  };
  await created(stage, policy, checks, mode, judgedBy);
  return stage;
}

async function created(
  { deps, store }: Stage,
  policy: Record<string, unknown>,
  checks: readonly string[],
  mode: 'once' | 'autonomous',
  judgedBy: number,
) {
  const { stamped } = deps.ingest({
    type: 'run-created',
    mission: { text: 'make it work' },
    workspace: '/work',
    agent: deps.agent.facts,
    policyVersion: judgedBy,
    policy: policySchema.parse(policy),
    configDigest: '0'.repeat(64),
    checks: checks.map((name) => ({ name, command: name, cwd: '.', source: 'config' })),
    mode,
    setup: {},
    by: 'test',
  });
  const { run, entry } = step(null, stamped, runId);
  const lease = await store.acquire(`run:${runId}`, holder('maker'));
  if (!('got' in lease)) throw new Error('a new run is held');
  await store.append(runId, lease.got.epoch, 1, [entry], { view: viewOf(run) });
  await store.release(lease.got);
}

/** Moves the clock on, letting things happen in between. */
export async function pass(stage: Stage, ms: number): Promise<void> {
  const end = stage.clock.mono() + ms;
  await settled();
  while (stage.clock.next(end - stage.clock.mono())) await settled();
  stage.clock.advance(end - stage.clock.mono());
  await settled();
}
