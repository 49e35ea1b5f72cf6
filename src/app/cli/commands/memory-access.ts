import { join } from 'node:path';
import { Option } from 'commander';
import { memoryLimitMax } from '../../../contract/index.ts';
import { loadConfig } from '../../../edge/config/load.ts';
import { realPath } from '../../../edge/home.ts';
import { makeRedactor, readKey } from '../../../edge/ingest/redact.ts';
import { type Memories, openMemories } from '../../../edge/memory/memories.ts';
import { workspaceScope } from '../../../edge/memory/scope.ts';
import { type Embedder, openEmbedder } from '../../../edge/models/embed.ts';
import { type Cli, CliError } from '../cli.ts';

const defaultLimit = 10;

export function limitOption(): Option {
  return new Option('--limit <n>', 'at most this many answers').default(defaultLimit).argParser((text) => {
    const limit = Number(text);
    if (Number.isInteger(limit) && limit >= 1 && limit <= memoryLimitMax) return limit;
    throw new CliError(`--limit takes a number from 1 to ${memoryLimitMax}, not "${text}".`);
  });
}

/** Opens the memories of this person for one command. */
export async function withMemories<T>(
  cli: Cli,
  use: (memories: Memories, embedder: Embedder | undefined) => T | Promise<T>,
): Promise<T> {
  const { home, terminal } = cli;
  const workspace = realPath(terminal.cwd);
  const config = loadConfig({ home, workspace, env: terminal.env, nowAt: Date.now() });
  const redact = makeRedactor({
    env: terminal.env,
    declared: config.secrets.env,
    key: await readKey(home.key),
  });
  const memories = openMemories(join(home.dir, 'memory.db'), { redact });
  try {
    return await use(memories, openEmbedder(config.memory, terminal.env));
  } finally {
    memories.close();
  }
}

/** `workspace` means the folder one stands in: a scope of its own for each. */
export function scopeHere(cli: Cli, scope: string): string {
  return scope === 'workspace' ? workspaceScope(cli.terminal.cwd) : scope;
}
