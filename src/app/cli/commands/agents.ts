import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AgentKind } from '../../../edge/agents/kind.ts';
import { agentKinds, kindOf } from '../../../edge/agents/registry.ts';
import { programState } from '../../../edge/agents/shared/ask-program.ts';
import { boundedLines } from '../../../edge/agents/shared/bounded-lines.ts';
import { type Cli, CliError, print } from '../cli.ts';

/** Whose logs can be read. */
const readable = agentKinds.filter((kind) => kind.translateLog !== undefined).map((kind) => kind.name);

export function define(command: Command, cli: Cli): void {
  command
    .command('list', { isDefault: true })
    .description('list the supported agents, and which versions are installed')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless agents\n  tireless agents list --json')
    .action(async (options: { json?: boolean }) => {
      const found = await Promise.all(agentKinds.map((kind) => knownAgent(cli, kind)));
      print(cli, options.json, found, () => found.map((one) => agentText(cli, one)).join('\n'));
    });
  command
    .command('translate')
    .argument('<agent>', `the agent that wrote it: ${readable.join(', ')}`)
    .argument('<file>', 'lines {"t", "dir", "msg"} of a conversation with its server; - is standard input')
    .description('show how an agent’s messages are understood: one JSON line per line of the log')
    .option('--json', 'accepted for scripts; the output is always JSON lines')
    .addHelpText('after', `\nExamples:\n  tireless agents translate ${readable[0]} log.jsonl | jq -c .event`)
    .action((agent: string, file: string) => translateLog(cli, agent, file));
}

interface FoundAgent {
  readonly name: string;
  readonly installed: boolean;
  readonly version: string | null;
  readonly path: string | null;
  readonly install: string;
}

async function knownAgent(cli: Cli, { name, program, install }: AgentKind): Promise<FoundAgent> {
  if (program === null) return { name, installed: true, version: null, path: null, install };
  const state = await programState(program, cli.terminal);
  if (state.state === 'absent') return { name, installed: false, version: null, path: null, install };
  return {
    name,
    installed: true,
    version: state.state === 'works' ? state.version : null,
    path: state.path,
    install,
  };
}

function agentText(cli: Cli, { name, installed, version, path, install }: FoundAgent): string {
  const { paint } = cli.terminal;
  const says = !installed
    ? `not installed: ${install}`
    : path === null
      ? install
      : `${version ?? 'does not start'} (${path})`;
  return `${installed ? paint('green', '✓') : paint('yellow', '·')} ${name.padEnd(10)} ${says}`;
}

async function translateLog(cli: Cli, agent: string, file: string): Promise<void> {
  const translated = await kindOf(agent)?.translateLog?.();
  if (translated === undefined)
    throw new CliError(`Logs of ${agent} cannot be read; known: ${readable.join(', ')}`);
  const bytes: AsyncIterable<Buffer> =
    file === '-' ? cli.terminal.io.stdin : createReadStream(resolve(cli.terminal.cwd, file));
  try {
    for await (const line of boundedLines(bytes)) cli.terminal.out(JSON.stringify(translated(line)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CliError(`${file} cannot be read: ${message}`);
  }
}
