import { Argument, type Command, Help } from 'commander';
import { type Cli, CliError } from '../cli.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function define(command: Command, cli: Cli): void {
  command
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      "\nInstall:\n  bash  echo 'source <(tireless completion bash)' >> ~/.bashrc\n  zsh   echo 'source <(tireless completion zsh)' >> ~/.zshrc\n  fish  tireless completion fish > ~/.config/fish/completions/tireless.fish",
    )
    .action((shell: string) => {
      const chosen = shells.find((one) => one === shell);
      if (chosen === undefined) throw new CliError(`No completion for ${shell}.`);
      cli.terminal.out(completionScript(command.parent ?? command, chosen));
    });
}

interface CompletedOption {
  readonly names: readonly string[];
  readonly description: string;
  /** Values to choose from; empty: any word or file; null: it takes none. */
  readonly values: readonly string[] | null;
}

interface CompletedCommand {
  /** From the program's name down: `tireless service install`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
  readonly takesRun: boolean;
  readonly values: readonly string[];
}

/** What people may type, read off the very commands that run. Hidden ones stay hidden. */
function commandTree(command: Command, parent = ''): CompletedCommand {
  const help = new Help();
  const path = parent === '' ? command.name() : `${parent} ${command.name()}`;
  const [first] = command.registeredArguments;
  const options = help
    .visibleOptions(command)
    .map(
      (option): CompletedOption => ({
        names: [option.short, option.long].filter((name) => name !== undefined),
        description: option.description,
        values:
          option.isBoolean() || (!option.required && !option.optional) ? null : (option.argChoices ?? []),
      }),
    );
  return {
    path,
    name: command.name(),
    description: command.description(),
    options,
    commands: help
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help' || parent === '')
      .map((child) => commandTree(child, path)),
    takesRun: first?.name() === 'run',
    values: first?.argChoices ?? [],
  };
}

const allOf = (command: CompletedCommand): CompletedCommand[] => [
  command,
  ...command.commands.flatMap(allOf),
];

function completionScript(program: Command, shell: Shell): string {
  const commands = allOf(commandTree(program));
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

/** For sh, bash and zsh: as it is, between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** Ids of runs, asked for when they are wanted. */
const runIds = `tireless runs --json 2>/dev/null | sed -n 's/^    "id": "\\([^"]*\\)".*/\\1/p'`;

/** One `case` arm per option that takes a value: its choices, or files. */
function valueArms(
  commands: readonly CompletedCommand[],
  choices: (values: string) => string,
  files: string,
): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap(({ names, values }) =>
        values === null
          ? []
          : [
              `    ${names.map((name) => quoted(`${path} ${name}`)).join('|')}) ${values.length > 0 ? choices(values.join(' ')) : files}; return ;;`,
            ],
      ),
    )
    .join('\n');
}

const pathArms = (commands: readonly CompletedCommand[]): string =>
  commands
    .slice(1)
    .map(({ path }) => quoted(path))
    .join('|');

function bashScript(commands: readonly CompletedCommand[]): string {
  const words = commands.map(({ path, options, commands: below, values, takesRun }) => {
    const all = [...below.map((child) => child.name), ...values, ...options.flatMap(({ names }) => names)];
    return `    ${quoted(path)}) words=${quoted(all.join(' '))}${takesRun ? `; [[ $cur == -* ]] || words="$words $(${runIds})"` : ''} ;;`;
  });
  return `# bash completion of tireless
_tireless() {
  local cur prev where i words
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  where=tireless
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$where \${COMP_WORDS[i]}" in
      ${pathArms(commands)}) where="$where \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$where $prev" in
${valueArms(commands, (values) => `COMPREPLY=($(compgen -W ${quoted(values)} -- "$cur"))`, 'COMPREPLY=()')}
  esac
  case "$where" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _tireless tireless`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const described = (name: string, text: string): string => quoted(`${name.replaceAll(':', '\\:')}:${text}`);
  const arms = commands.map(({ path, options, commands: below, values, takesRun }) => {
    const names = [
      ...below.map((child) => described(child.name, child.description)),
      ...values.map((value) => quoted(value)),
    ];
    const flags = options.flatMap((option) =>
      option.names.map((name) => described(name, option.description)),
    );
    const ids = takesRun ? `; ids=(\${(f)"$(${runIds})"})` : '';
    return `    ${quoted(path)}) names=(${names.join(' ')}); flags=(${flags.join(' ')})${ids} ;;`;
  });
  return `#compdef tireless
# zsh completion of tireless
_tireless() {
  local where=tireless i
  local -a names flags ids
  for ((i = 2; i < CURRENT; i++)); do
    case "$where \${words[i]}" in
      ${pathArms(commands)}) where="$where \${words[i]}" ;;
    esac
  done
  case "$where \${words[CURRENT-1]}" in
${valueArms(commands, (values) => `compadd -- ${values}`, '_files')}
  esac
  case "$where" in
${arms.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option flags
  else
    _describe command names
    (( $#ids )) && compadd -- $ids
    (( $#names + $#ids )) || _files
  fi
}
if [[ "\${funcstack[1]}" == _tireless ]]; then _tireless "$@"; else compdef _tireless tireless; fi`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const word = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const at = (path: string): string => `complete -c tireless -n "__tireless_at '${path}'"`;
  const lines = commands.flatMap(({ path, options, commands: below, values, takesRun }) => [
    ...below.map((child) => `${at(path)} -a ${child.name} -d ${word(child.description)}`),
    ...values.map((value) => `${at(path)} -a ${value}`),
    ...(takesRun ? [`${at(path)} -a '(__tireless_runs)'`] : []),
    ...options.map(({ names, description, values: choices }) => {
      const flags = names.map((name) =>
        name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      const takes =
        choices === null ? '' : choices.length > 0 ? ` -x -a ${word(choices.join(' '))}` : ' -r -F';
      return `${at(path)} ${flags.join(' ')}${takes} -d ${word(description)}`;
    }),
  ]);
  const paths = commands.slice(1).map(({ path }) => `'${path}'`);
  return `# fish completion of tireless
function __tireless_at
    set -l where tireless
    for word in (commandline -opc)[2..-1]
        switch "$where $word"
            case ${paths.join(' ')}
                set where "$where $word"
        end
    end
    test "$where" = "$argv[1]"
end
function __tireless_runs
    ${runIds}
end
complete -c tireless -f
${lines.join('\n')}`;
}
