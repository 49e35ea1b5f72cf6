import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Settings } from '../contract/config.ts';
import type { Agent } from '../contract/index.ts';
import { codexAgent } from '../edge/agents/codex/adapter.ts';
import { scriptedAgent } from '../edge/agents/scripted/adapter.ts';
import { toolServerVariable } from '../edge/agents/scripted/tool-client.ts';
import type { ToolServer } from '../edge/agents/shared/tool-server.ts';
import type { Env } from '../edge/home.ts';

/** How an agent is started, as recorded with its run: the keeper of a later day starts the same one. */
export type Setup = Readonly<Record<string, string>>;

export interface AgentSite {
  readonly run: string;
  readonly cwd: string;
  readonly env: Env;
  /** Where runs are kept; the tools of this one are served from there. */
  readonly home?: string;
}

interface KnownAgent {
  /** The program people have installed, or null when the agent needs none. */
  readonly program: string | null;
  readonly install: string;
  make(setup: Setup, site: AgentSite): Agent;
}

const known: Readonly<Record<string, KnownAgent>> = {
  codex: {
    program: 'codex',
    install: 'npm install -g @openai/codex',
    make: (setup, { run, cwd, env, ...site }) =>
      codexAgent({
        command: codexCommand('codex', setup),
        cwd,
        env,
        run,
        ...toolsOf(setup, run, site.home),
        ...(setup.model === undefined ? {} : { model: setup.model }),
        sandbox: sandboxOf(setup.sandbox),
      }),
  },
  scripted: {
    program: null,
    install: 'it is built in: tireless run --agent scripted --script FILE',
    make: (setup, { run, cwd, env, home }) =>
      scriptedAgent({
        command: [
          process.execPath,
          ...listOf(setup.self),
          'scripted-agent',
          setup.script ?? '',
          setup.log ?? '',
        ],
        cwd,
        env: { ...env, ...toolVariables(toolsOf(setup, run, home).tools), TIRELESS_RUN: run },
      }),
  },
};

/** Most people answer within half an hour, most checks are through in minutes; nothing waits longer than this. */
const toolCallMs = 3_500_000;

/** The server of a run's own tools, as its agent starts it: it speaks for this run and no other. */
function toolsOf({ self }: Setup, run: string, home: string | undefined): { tools?: ToolServer } {
  if (self === undefined || home === undefined) return {};
  const words = ['mcp', '--run', run, '--wait-ms', String(toolCallMs)];
  return {
    tools: {
      command: [process.execPath, ...listOf(self), ...words],
      env: { TIRELESS_HOME: home, TIRELESS_RUN: run },
      callMs: toolCallMs,
    },
  };
}

const toolVariables = (tools: ToolServer | undefined): Record<string, string> =>
  tools === undefined ? {} : { ...tools.env, [toolServerVariable]: JSON.stringify(tools.command) };

/** How Codex is started beside a run: as the run starts it, where Codex is its agent. */
export const codexCommand = (agent: string, { command, args }: Setup): [string, ...string[]] =>
  agent === 'codex' ? [command ?? 'codex', ...listOf(args)] : ['codex'];

const listOf = (json: string | undefined): string[] =>
  json === undefined ? [] : (JSON.parse(json) as string[]);

const sandboxOf = (name: string | undefined): 'read-only' | 'workspace-write' | 'danger-full-access' =>
  name === 'read-only' ? 'read-only' : name === 'none' ? 'danger-full-access' : 'workspace-write';

export const agentNames = Object.keys(known);

/** The agent behind a recorded setup. Throws nothing: a name we do not know was refused before the run was created. */
export function makeAgent(name: string, setup: Setup, site: AgentSite): Agent | null {
  return known[name]?.make(setup, site) ?? null;
}

export interface FoundAgent {
  readonly name: string;
  readonly path: string;
}

/** The agents whose program is on the path. */
export function installedAgents(env: Env): readonly FoundAgent[] {
  return agentNames.flatMap((name) => {
    const program = known[name]?.program;
    const path = program == null ? null : onPath(program, env);
    return path === null ? [] : [{ name, path }];
  });
}

/** The program people have installed for it, or null when it needs none. */
export const programOf = (name: string): string | null => known[name]?.program ?? null;

export const installHint = (name: string): string => known[name]?.install ?? '';

export function onPath(program: string, env: Env): string | null {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    if (folder !== '' && isExecutable(path)) return path;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not ours to run: not installed for us
  }
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
