import { toolServerName } from '../../../contract/index.ts';
import type { ToolServer } from '../shared/tool-server.ts';
import type { Wire } from './wire.ts';

/** Starting takes half a second; on a busy machine many times that. */
const startSeconds = 60;
/** Codex gives up a little later than we do, so that our answer arrives. */
const marginSeconds = 60;

/** Our tools in the settings of one thread. Codex need not ask about them: they only write to the run's own ledger. */
export function toolServerConfig(server: ToolServer | undefined): Readonly<Record<string, unknown>> {
  if (server === undefined) return {};
  const [command, ...args] = server.command;
  return {
    [`mcp_servers.${toolServerName}`]: {
      command,
      args,
      env: server.env,
      enabled: true,
      default_tools_approval_mode: 'approve',
      startup_timeout_sec: startSeconds,
      tool_timeout_sec: Math.ceil(server.callMs / 1_000) + marginSeconds,
    },
  };
}

/**
 * Codex starts servers in the background: a turn that begins before ours is ready would begin without its tools. A run
 * can do without them, so a problem is only reported.
 */
export async function toolsReady(wire: Wire, withinMs: number): Promise<void> {
  const isSettled = await wire.until(({ tools }) => tools !== null && tools.status !== 'starting', withinMs);
  const { tools } = wire.state();
  if (tools?.status === 'ready') return;
  const why = isSettled ? `${tools?.status}: ${tools?.because}` : `not within ${withinMs} ms`;
  const because = `Codex works without our tools; their server did not start (${why})`.slice(0, 1_000);
  wire.onEvent({ type: 'unreadable', source: 'codex', because, sample: '' });
}
