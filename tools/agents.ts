import { homedir } from 'node:os';
import { join } from 'node:path';

interface Agent {
  package: string;
  version: string;
  /**
   * What runs, below node_modules. Installs run no install script, and the launchers of Claude Code and OpenCode need
   * theirs, so these two name the platform's binary.
   */
  entry: string;
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The agents that live tests drive, pinned exactly. Never dependencies: some are proprietary. */
export const agents = {
  codex: { package: '@openai/codex', version: '0.166.0', entry: '@openai/codex/bin/codex.js' },
  opencode: { package: 'opencode-ai', version: '1.18.33', entry: `opencode-${platform}/bin/opencode` },
  claude: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    entry: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', entry: '.bin/gemini' },
  qwen: { package: '@qwen-code/qwen-code', version: '0.24.4', entry: '.bin/qwen' },
} as const satisfies Record<string, Agent>;

export type AgentName = keyof typeof agents;

/** One folder per user, shared by every clone. */
export function agentsCache(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tireless-agents');
}

export function agentFolder(name: AgentName): string {
  return join(agentsCache(), `${name}@${agents[name].version}`);
}

/** Program and first arguments that start the agent installed in `folder`. */
export function agentCommand(name: AgentName, folder = agentFolder(name)): [string, ...string[]] {
  const entry = join(folder, 'node_modules', agents[name].entry);
  return entry.endsWith('.js') || entry.includes('.bin') ? [process.execPath, entry] : [entry];
}
