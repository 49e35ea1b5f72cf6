import { mkdirSync, rmSync } from 'node:fs';
import type { Agent, AgentFacts, Check, Policy } from '../contract/index.ts';
import type { Setup } from '../edge/agents/kind.ts';
import { makeClock } from '../edge/clock.ts';
import { type Config, loadConfig } from '../edge/config/load.ts';
import { trustFolder } from '../edge/config/trust.ts';
import { type Env, type Home, openHome } from '../edge/home.ts';
import { makeIngest } from '../edge/ingest/ingest.ts';
import { makeRedactor, readKey } from '../edge/ingest/redact.ts';
import { holderHere } from '../edge/lock.ts';
import { openInline } from '../edge/store/inline.ts';
import { openWorkspace } from '../edge/workspace/index.ts';
import { agentNames, makeAgent, setupOf } from './agents.ts';
import { createRun } from './create-run.ts';
import { siteHere } from './site.ts';

/** A run that somebody wants. */
export interface WantedRun {
  readonly id: string;
  readonly home: Home;
  readonly env: Env;
  readonly workspace: string;
  /** One of ours by its name, or the caller's own. */
  readonly agent: string | Agent;
  /** What was asked for just now, in the shape of a config file. */
  readonly flags: Record<string, unknown>;
  /** Arguments that start the command line, for the tools it serves to the agent. */
  readonly self: readonly string[];
  /** Accept the config file of the workspace as it is now. */
  readonly trust?: boolean;
  /** More about starting the agent; may write into the run's folder. */
  readonly setup?: (runFolder: string) => Setup;
}

/** A run that can be started: everything is found and checked, nothing is recorded. */
export interface PreparedRun {
  readonly workspace: string;
  readonly config: Config;
  readonly agent: Agent;
  readonly checks: readonly Check[];
  readonly setup: Setup;
}

/** Looks whether a run can be started, before anything is asked or written. A problem is told in words. */
export async function prepareRun(wanted: WantedRun): Promise<PreparedRun | { readonly problem: string }> {
  const { id, home, env, flags } = wanted;
  openHome(home, wanted.workspace);
  const opened = await openWorkspace({ path: wanted.workspace, stateDir: home.dir, clock: makeClock(), env });
  const workspace = opened.path;
  const config = await configOf({ home, workspace, env, flags, nowAt: Date.now() }, wanted.trust === true);
  mkdirSync(home.runFolder(id), { recursive: true, mode: 0o700 });
  const given = typeof wanted.agent === 'string' ? null : wanted.agent;
  const more = { self: JSON.stringify(wanted.self), ...wanted.setup?.(home.runFolder(id)) };
  const setup = given === null ? setupOf(config.agent, more) : {};
  const agent = given ?? (await makeAgent(String(wanted.agent), setup, { run: id, cwd: workspace, env }));
  if (agent === null)
    return { problem: `There is no agent "${wanted.agent}". Known: ${agentNames.join(', ')}` };
  const problem = budgetProblem(config.policy, agent.facts);
  if (problem !== null) return { problem };
  const checks = config.checks === 'auto' ? (await opened.detect()).checks : config.checks;
  return { workspace, config, agent, checks, setup };
}

/** Writes the first entry of a prepared run. */
export async function recordRun(
  { id, home, env }: WantedRun,
  { workspace, config, agent, checks, setup }: PreparedRun,
  { mission, by }: { readonly mission: string; readonly by: string },
): Promise<void> {
  const redact = makeRedactor({ env, declared: config.secrets.env, key: await readKey(home.key) });
  const store = openInline(home.store);
  try {
    const created = {
      agent: agent.facts,
      policy: config.policy,
      configDigest: config.digest,
      mode: config.mode,
      setup,
      by,
      workspace,
      site: siteHere(env, home.dir),
    };
    await createRun(
      { store, ingest: makeIngest({ clock: makeClock(), redact }), holder: holderHere(id) },
      { id, mission, checks, created },
    );
  } finally {
    await store.close();
  }
}

/** Takes back what preparing wrote. */
export const forgetRun = ({ id, home }: Pick<WantedRun, 'id' | 'home'>): void =>
  rmSync(home.runFolder(id), { recursive: true, force: true });

async function configOf(from: Parameters<typeof loadConfig>[0], trust: boolean): Promise<Config> {
  const config = loadConfig(from);
  const { project } = config;
  if (!trust || project === undefined || project.trusted) return config;
  await trustFolder(from.home, from.workspace, project.digest, from.nowAt);
  return loadConfig(from);
}

/** A budget that this agent cannot measure would never stop anything: refused, with what to set instead. */
function budgetProblem({ limits }: Policy, agent: AgentFacts): string | null {
  const measures = (part: 'tokens' | 'money'): boolean => agent.usage === 'both' || agent.usage === part;
  if (limits.tokensMax !== undefined && !measures('tokens'))
    return `${agent.name} does not report tokens, so a token budget cannot stop it. Use --turns or --hours.`;
  if (limits.moneyMax !== undefined && !measures('money'))
    return `${agent.name} does not report cost, so a money budget cannot stop it. Use ${measures('tokens') ? '--tokens, ' : ''}--turns or --hours.`;
  return null;
}
