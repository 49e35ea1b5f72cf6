import type { Settings } from '../contract/config.ts';
import type { Agent } from '../contract/index.ts';
import { type AgentSite, listOf, type Setup } from '../edge/agents/kind.ts';
import { agentKinds, kindOf } from '../edge/agents/registry.ts';
import { onPath } from '../edge/agents/shared/ask-program.ts';
import type { ToolServer } from '../edge/agents/shared/tool-server.ts';
import type { Env } from '../edge/home.ts';

export const agentNames = agentKinds.map((kind) => kind.name);

/** Most people answer within half an hour, most checks are through in minutes; nothing waits longer than this. */
const toolCallMs = 3_500_000;

/** The server of a run's own tools, as its agent starts it: it acts for this run and no other. */
function toolsOf({ self }: Setup, run: string, home: string | undefined): ToolServer | undefined {
  if (self === undefined || home === undefined) return undefined;
  const words = ['mcp', '--run', run, '--wait-ms', String(toolCallMs)];
  return {
    command: [process.execPath, ...listOf(self), ...words],
    env: { TIRELESS_HOME: home, TIRELESS_RUN: run },
    callMs: toolCallMs,
  };
}

/**
 * The agent behind a recorded setup, or null when nobody has that name. `home` is where runs are kept; the tools of
 * this one are served from there.
 */
export async function makeAgent(
  name: string,
  setup: Setup,
  { home, ...site }: Omit<AgentSite, 'tools'> & { readonly home?: string },
): Promise<Agent | null> {
  return (await kindOf(name)?.make(setup, { ...site, tools: toolsOf(setup, site.run, home) })) ?? null;
}

/** The agents whose program is on the path. */
export function installedAgents(env: Env): readonly { readonly name: string; readonly path: string }[] {
  return agentKinds.flatMap(({ name, program }) => {
    const path = program === null ? null : onPath(program, env);
    return path === null ? [] : [{ name, path }];
  });
}

/** A setup from the settings and flags of a new run. */
export function setupOf(agent: Settings['agent'], more: Setup): Setup {
  return {
    ...(agent.command === undefined ? {} : { command: agent.command }),
    ...(agent.args.length === 0 ? {} : { args: JSON.stringify(agent.args) }),
    ...(agent.model === undefined ? {} : { model: agent.model }),
    sandbox: agent.sandbox,
    ...more,
  };
}
