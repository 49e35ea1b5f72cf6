import type { Settings } from '../contract/config.ts';
import type { Agent } from '../contract/index.ts';
import { type AgentSite, listOf, type Setup } from '../edge/agents/kind.ts';
import { agentKinds, kindOf } from '../edge/agents/registry.ts';
import { onPath } from '../edge/agents/shared/ask-program.ts';
import type { ToolServer } from '../edge/agents/shared/tool-server.ts';
import type { Env } from '../edge/home.ts';
import type { SocketAddress } from '../edge/sockets/place.ts';

export const agentNames = agentKinds.map((kind) => kind.name);

/** Most people answer within half an hour, most checks are through in minutes; nothing waits longer than this. */
const toolCallMs = 3_500_000;

interface ToolSite {
  /** Where runs are kept. */
  readonly home?: string;
  /** Where the run's keeper listens for its agent. */
  readonly socket?: SocketAddress;
}

/** The server of a run's own tools, as its agent starts it: it acts for this run and no other. */
function toolsOf({ self }: Setup, run: string, { home, socket }: ToolSite): ToolServer | undefined {
  if (self === undefined || home === undefined || socket === undefined) return undefined;
  const words = ['mcp', '--run', run, '--wait-ms', String(toolCallMs)];
  return {
    command: [process.execPath, ...listOf(self), ...words],
    env: {
      TIRELESS_HOME: home,
      TIRELESS_RUN: run,
      TIRELESS_SOCKET: socket.path,
      TIRELESS_TOKEN: socket.token,
    },
    callMs: toolCallMs,
  };
}

/**
 * The agent behind a recorded setup, or null when nobody has that name. Its tools are
 * served by the keeper at `socket`.
 */
export async function makeAgent(
  name: string,
  setup: Setup,
  { home, socket, ...site }: Omit<AgentSite, 'tools'> & ToolSite,
): Promise<Agent | null> {
  return (
    (await kindOf(name)?.make(setup, { ...site, tools: toolsOf(setup, site.run, { home, socket }) })) ?? null
  );
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
