/** Writes the reference of the command line from the program itself: `node tools/cli-doc.ts`. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Help } from 'commander';
import type { Cli } from '../src/app/cli/cli.ts';
import { exit } from '../src/app/cli/exit-codes.ts';
import { makeProgram } from '../src/app/cli/program.ts';

const help = new Help();
const root = resolve(import.meta.dirname, '..');
export const cliDocPath = 'docs/cli.md';

/** What each command looks like in use, where its own help does not show enough. A command without an example is refused. */
const examples: Readonly<Record<string, readonly string[]>> = {
  run: [
    'tireless run "make the tests pass"',
    'tireless run --agent codex --turns 50 --until 07:30 "port the parser to Rust"',
    'tireless run --foreground --yes --check "make test" "fix the build"',
    'tireless run --worktree --detach "try the new router"',
  ],
  demo: ['tireless demo', 'tireless demo --dir ./demo --pace 1000'],
  status: ['tireless status', 'tireless status --why', "tireless status --json | jq -r '.state'"],
  runs: ['tireless runs', "tireless runs --json | jq '.[0].state'"],
  logs: ['tireless logs -f', 'tireless logs --json | jq -c .decision'],
  pause: ['tireless pause', 'tireless pause --now'],
  resume: ['tireless resume', 'tireless resume --turns 400'],
  stop: ['tireless stop', 'tireless stop --all --now'],
  steer: ['tireless steer "leave the public API as it is"'],
  inbox: ['tireless inbox'],
  approve: ['tireless approve g12', 'tireless approve g12 --shape'],
  deny: ['tireless deny g12 "not on this branch"'],
  answer: ['tireless answer g14 "PostgreSQL"', 'tireless answer g14 2'],
  'answer-link': ['tireless answer-link "https://runs.example.com/answer?token=…"'],
  replay: ['tireless replay', 'tireless replay --policy stricter.yaml'],
  diff: ['tireless diff', 'tireless diff k3f 2 --stat'],
  restore: ['tireless restore k3f@2', 'tireless restore @1 src/'],
  'savepoint list': ['tireless savepoint list'],
  'savepoint restore': ['tireless savepoint restore before-restore-1794737894332'],
  checks: ['tireless checks', 'tireless checks --list'],
  export: ['tireless export > run.jsonl', 'tireless export --public > public.jsonl'],
  doctor: ['tireless doctor', 'tireless doctor --json'],
  completion: ['tireless completion bash > ~/.local/share/bash-completion/completions/tireless'],
  report: ['tireless report', 'tireless report --html -o night.html', 'tireless report --md --public'],
  metrics: ['tireless metrics > /var/lib/node_exporter/tireless.prom'],
  init: ['tireless init', 'tireless init --trust'],
  'guard check': ["tireless guard check 'git push -f'", 'tireless guard check --jsonl < commands.jsonl'],
  'service install': ['tireless service install', 'tireless service install --print'],
  'service uninstall': ['tireless service uninstall'],
  'service status': ['tireless service status'],
  'agents list': ['tireless agents'],
  'agents translate': ['tireless agents translate codex session.jsonl'],
  'tasks list': ['tireless tasks', 'tireless tasks --status blocked --json'],
  mcp: ['tireless mcp --run 20260101-000000-00aaaa'],
  'memory search': [
    'tireless memory search "how do we deploy"',
    'tireless memory search --jsonl < queries.jsonl',
  ],
  'memory add': [
    'tireless memory add "the build needs Node 24" --type fact',
    'tireless memory add --jsonl < memories.jsonl',
  ],
  'memory forget': ['tireless memory forget m12 --why "no longer true"'],
  'memory restore': ['tireless memory restore m12'],
  'memory export': ['tireless memory export --json'],
  'memory list': ['tireless memory list --forgotten', 'tireless memory list --scope workspace --json'],
  'memory prune': ['tireless memory prune --dry-run'],
};

/** What a reader must know beside the flags. */
const notes: Readonly<Record<string, string>> = {
  run: 'With `--mode autonomous` the run works in up to `--cycles` context windows ([cycles](cycles.md)). Ctrl-C in the view asks the run to stop after its turn, a second Ctrl-C stops it now; closing the terminal leaves it running.',
  mcp: 'You need not call it: Tireless registers it with the agents it starts ([the tools](mcp.md)).',
  resume:
    'Limits are sticky: resuming does not reset what was spent. After too many failures it grants one more try.',
  approve:
    'An approval holds for this one action, byte for byte, and is used once. With `--shape` later actions with the same program, subcommand and options, and no other kind of effect, are approved until the run ends ([gates](gates.md)).',
  replay:
    'Every entry is judged on the run as it was recorded up to there. With `--policy` differences are the answer, so the exit code stays 0 unless the chain is damaged.',
};

const exitMeanings: Readonly<Record<keyof typeof exit, string>> = {
  done: 'the run is certified done; for every other command: it did what was asked',
  error: 'something went wrong: the run failed, a ledger is damaged or diverges, a file cannot be written',
  usage: 'the command line or the configuration is wrong, or there is no such run; nothing was changed',
  needsPerson: 'the run waits for an answer, or is paused for a reason a person should look at',
  limit: 'a limit stopped it; raise the limit and resume',
  usageLimit: 'the provider’s usage limit is reached; the run waits and goes on by itself',
  interrupted: 'the run was stopped by a person, or you left before it started',
};

/** The commands people may type, by name. Those Tireless gives itself are left out. */
export async function publicCommands(): Promise<ReadonlyMap<string, Command>> {
  const program = await makeProgram({} as Cli, () => true); // only described, none is run
  const shown = help.visibleCommands(program).filter((command) => command.name() !== 'help');
  return new Map(shown.map((command) => [command.name(), command]));
}

export async function cliDoc(): Promise<string> {
  const commands = [...(await publicCommands()).values()];
  const list = commands.map((c) => `| [\`${c.name()}\`](#tireless-${c.name()}) | ${c.description()} |`);
  const table = `| command | what it does |\n| --- | --- |\n${list.join('\n')}`;
  const sections = commands.flatMap((command) => sectionsOf(command, command.name()));
  return `${[introduction, table, ...sections, exitCodes(), environment].join('\n\n')}\n`;
}

/** A command, or for a family of commands each of its members. */
function sectionsOf(command: Command, name: string): readonly string[] {
  const members = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  if (members.length === 0) return [section(command, name, '##')];
  const inner = members.flatMap((one) => section(one, `${name} ${one.name()}`, '###'));
  return [`## tireless ${name}\n\n${sentence(command.description())}`, ...inner];
}

function section(command: Command, name: string, heading: string): string {
  const shown = examples[name] ?? examplesInHelp(command);
  if (shown.length === 0)
    throw new Error(`\`tireless ${name}\` has no example: add one to its help, or to tools/cli-doc.ts`);
  const rows = [
    ...command.registeredArguments.map(
      (one) => [help.argumentTerm(one), one.required, one.description] as const,
    ),
    ...help.visibleOptions(command).map((one) => [one.flags, null, optionWords(one)] as const),
  ].filter(([flag]) => !flag.includes('--help'));
  const table = rows.map(([flag, isRequired, words]) => {
    const term = isRequired === null ? flag : isRequired ? `<${flag}>` : `[${flag}]`;
    return `| \`${term}\` | ${words.replaceAll('|', '\\|')} |`;
  });
  return [
    `${heading} tireless ${name}`,
    sentence(command.description()),
    `\`\`\`sh\ntireless ${name} ${command.usage()}\n\`\`\``,
    `| | |\n| --- | --- |\n${table.join('\n')}`,
    `\`\`\`sh\n${shown.join('\n')}\n\`\`\``,
    ...(notes[name] === undefined ? [] : [notes[name]]),
  ].join('\n\n');
}

/** What the command's own help shows under "Examples". */
function examplesInHelp(command: Command): readonly string[] {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp();
  const [, shown = ''] = parts.join('').split(/^Examples?:\n/m);
  return shown.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function optionWords({
  description,
  argChoices,
}: {
  description: string;
  argChoices?: string[] | undefined;
}): string {
  return argChoices === undefined ? description : `${description}: ${argChoices.join(', ')}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function exitCodes(): string {
  const names = Object.keys(exit) as (keyof typeof exit)[];
  const rows = names.map((name) => `| ${exit[name]} | ${exitMeanings[name]} |`);
  return `## Exit codes\n\n| code | meaning |\n| --- | --- |\n${rows.join('\n')}`;
}

const introduction = `# The command line

<!-- Generated by tools/cli-doc.ts from the program itself. Do not edit: change the command and run it again. -->

A command without a run takes the newest run of the folder you stand in. A run can be named by its id or by any part of
it that fits only one. Every command takes \`--json\`. \`tireless --help\` shows the everyday commands,
\`tireless --all --help\` every one.

\`approve\`, \`deny\`, \`answer\`, \`pause\`, \`resume\`, \`stop\`, \`steer\`, \`restore\` and \`savepoint restore\` are for people: they
refuse to work in a shell that a supervised agent started.`;

const environment = `## Environment

| variable | meaning |
| --- | --- |
| \`TIRELESS_HOME\` | where records are kept; an absolute path. Without it \`$XDG_STATE_HOME/tireless\`, usually \`~/.local/state/tireless\` |
| \`XDG_CONFIG_HOME\` | your own configuration lies in \`tireless/config.yaml\` under it, usually \`~/.config/tireless/config.yaml\` |
| \`TIRELESS_RUN\` | set by Tireless for the agents it starts; commands for people refuse where it is set |
| \`TIRELESS_ALLOW_NETWORK_STORE=1\` | opens a store on a network file system, which is refused otherwise |
| \`NO_COLOR\`, \`FORCE_COLOR\`, \`TERM=dumb\` | no colours; colours without a terminal; no colours and no live view |
| \`CI\` | set: nobody is asked anything, so \`tireless run\` needs \`--yes\`, and the view prints plain lines |`;

if (process.argv[1] === import.meta.filename) writeFileSync(resolve(root, cliDocPath), await cliDoc());
