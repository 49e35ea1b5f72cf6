import { join } from 'node:path';
import type { Agent, Entry, EventOf, LiveFrame, RunView, Store } from '../contract/index.ts';
import { StoreError } from '../contract/index.ts';
import { bootTime, makeClock, watchSleep } from '../edge/clock.ts';
import { loadConfig } from '../edge/config/load.ts';
import type { Env, Home } from '../edge/home.ts';
import { makeFacts } from '../edge/ingest/action-facts.ts';
import { makeIngest } from '../edge/ingest/ingest.ts';
import { makeRedactor, readKey } from '../edge/ingest/redact.ts';
import { holderHere, processStart } from '../edge/lock.ts';
import { cycleMemory } from '../edge/memory/for-cycles.ts';
import { makeAdvisor, makeToolAdvisor } from '../edge/models/advisor.ts';
import { openEmbedder } from '../edge/models/embed.ts';
import { openModel } from '../edge/models/open-model.ts';
import { makeNotifier } from '../edge/notify/notifier.ts';
import { notifyOnce } from '../edge/notify/once.ts';
import { openSockets } from '../edge/sockets/place.ts';
import { openWorkspace } from '../edge/workspace/index.ts';
import { agentNames, makeAgent } from './agents.ts';
import { openDemoSupport } from './demo/demo-support.ts';
import type { Dependencies } from './dependencies.ts';
import { entryOf } from './entries.ts';
import { endings } from './orphans.ts';
import { ownVersion } from './version.ts';

export interface ComposeParts {
  readonly home: Home;
  readonly env: Env;
  readonly store: Store;
  readonly run: string;
  readonly onHeld?: Dependencies['onHeld'];
  /** The caller's own agent, where the run's is not one of ours. */
  readonly agent?: Agent;
  readonly onLive?: (frame: LiveFrame) => void;
  readonly onView?: (view: RunView) => void;
  readonly onEntry?: (entry: Entry) => void;
  readonly onTrouble?: (trouble: string) => void;
}

/** How the run was created: its first entry. */
async function createdOf(store: Store, run: string): Promise<EventOf<'run-created'>> {
  const [first] = await store.read(run, 1, 1);
  const event = first === undefined ? undefined : entryOf(first).event;
  if (event?.type !== 'run-created')
    throw new StoreError('unknown-run', `there is no run ${run}`, 'list the runs with: tireless runs');
  return event;
}

/** How what an action touches is looked at: as this run's guard reads it. */
function factsHere(run: string, { site, workspace, policy }: EventOf<'run-created'>) {
  if (site === undefined) return undefined;
  return makeFacts({ run, context: { ...site, workspace, config: policy.guards } });
}

/** Config and records become a run's dependencies: everything a run needs from this machine. */
export async function composeDependencies(parts: ComposeParts): Promise<Dependencies> {
  const { home, env, store, run, agent: given, ...told } = parts;
  const created = await createdOf(store, run);
  const demo = await openDemoSupport(created.setup, store, run);
  const clock = demo?.clock ?? makeClock();
  const config = loadConfig({ home, workspace: created.workspace, env, nowAt: clock.at() });
  const key = await readKey(home.key);
  const redact = makeRedactor({ env, declared: config.secrets.env, key });
  const site = {
    run,
    cwd: created.workspace,
    env,
    home: home.dir,
    socket: (await openSockets(home, run, env)).agent,
  };
  const agent = given ?? (await makeAgent(created.agent.name, created.setup, site));
  if (agent === null)
    throw new StoreError(
      'unknown-run',
      `run ${run} needs the agent ${created.agent.name}, which this version does not know`,
      `it knows: ${agentNames.join(', ')}`,
    );
  const holder = holderHere(run);
  const noted = async (pid: number): Promise<void> => {
    const pidStart = processStart(pid);
    if (pidStart !== null) await store.noteChild(run, { pid, pidStart, host: holder.host });
  };
  const { advice } = created.policy;
  const modelSite = { env, run, childStarted: noted, agent: created.agent.name, setup: created.setup };
  const { timeoutMs } = config.advice;
  const model = advice.enabled ? await openModel(config.advice, modelSite) : undefined;
  // Advice that is switched off sends nothing anywhere, also not to distil.
  const remembering = config.memory.model === undefined && advice.enabled ? config.advice : config.memory;
  const cycles = cycleMemory({
    home,
    workspace: created.workspace,
    redact,
    at: () => clock.at(),
    model: await openModel(remembering, modelSite),
    timeoutMs: config.memory.timeoutMs,
    embedder: openEmbedder(config.memory, env),
  });
  const boot = bootTime();
  return {
    advise: model && makeAdvisor({ model, timeoutMs, confidenceMin: advice.confidenceMin }),
    adviseTool: model && advice.answers ? makeToolAdvisor({ model, timeoutMs }) : undefined,
    ...(created.mode === 'autonomous' ? cycles : {}),
    store,
    agent,
    clock,
    version: ownVersion(),
    ...told,
    onView(view) {
      told.onView?.(view);
      demo?.onView(view);
    },
    workspace: await openWorkspace({
      path: created.workspace,
      stateDir: home.dir,
      clock,
      env,
      // A check outlives its shell's start by much; when it cannot be noted, the next write says why.
      started: (pid) => void noted(pid).catch(() => undefined),
    }),
    ingest: makeIngest({ clock, redact, factsOf: factsHere(run, created) }),
    holder,
    notify: notifyOnce(
      makeNotifier(config.notifications, { redact, env, key }),
      join(home.runFolder(run), 'notified'),
    ),
    startOf: processStart,
    ...endings,
    // A clock that skips looks like a machine that slept.
    watchSleep: demo === null ? (slept) => watchSleep(clock, slept, { sinceBootMs: boot }) : undefined,
  };
}
