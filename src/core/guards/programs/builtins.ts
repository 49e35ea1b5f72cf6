import { reads } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { judgeVariable } from '../environment.ts';
import { anything, hasAnything, isLiteral, plain } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { executes } from '../run-file.ts';
import { unescapeText } from '../shell/escapes.ts';
import { type Flow, isSecretVariable, nothing, unknownFlow } from '../shell/state.ts';
import { type Arguments, type Family, many, printsPlain } from './family.ts';

const textOf = (text: string): Flow => ({ of: 'text', text });

/** Printing a variable that holds a secret shows the secret. */
function showsSecrets(_args: Arguments, call: Call, world: World): void {
  for (const name of call.secrets) report(world, 'read-secret', `the variable ${name}`);
}

function printfText(args: readonly string[]): Flow {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  if (format.startsWith('-v')) return nothing;
  let out = '';
  let rest = [...values];
  do {
    const before = rest.length;
    out += unescapeText(
      format.replaceAll(/%(%|-?\d*(?:\.\d+)?([sbqdiouxXcfeg]))/g, (whole, all: string, kind: string) => {
        if (all === '%') return '%';
        const value = rest.shift() ?? '';
        if (kind === 'b') return unescapeText(value).replaceAll('\\', '\\\\');
        return kind === 's' || kind === 'q' || kind === 'd' || kind === 'i'
          ? value.replaceAll('\\', '\\\\')
          : whole === ''
            ? ''
            : plain;
      }),
    );
    if (rest.length === before) rest = [];
  } while (rest.length > 0 && out.length < 16_000);
  return textOf(out);
}

function echoText(args: readonly string[]): Flow {
  let at = 0;
  let interprets = false;
  let newline = '\n';
  for (; at < args.length && /^-[neE]+$/.test(args[at] as string); at++) {
    if (args[at]?.includes('e')) interprets = true;
    if (args[at]?.includes('n')) newline = '';
  }
  const text = args.slice(at).join(' ');
  return textOf((interprets ? unescapeText(text) : text) + newline);
}

function changeFolder(target: string | undefined, call: Call, world: World): void {
  const { state } = call;
  const before = state.cwd;
  if (target === undefined || target === '') state.cwd = world.context.home;
  else if (target === '-') state.cwd = state.previous;
  else state.cwd = hasAnything(target) ? undefined : resolvePath(target, state.cwd);
  state.previous = before;
}

/** `NAME=value` words of `export`, `declare` and the like. */
function declares(args: Arguments, call: Call, world: World): void {
  if (args.operands.length === 0 && (args.has('-p', '-x') || args.options.length === 0)) {
    report(world, 'read-secret', 'every variable of the environment');
    return;
  }
  for (const word of args.operands) {
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals).replace(/\+$/, '');
    if (equals === -1) {
      if (isLiteral(name) && args.has('-p') && isSecretVariable(name))
        report(world, 'read-secret', `the variable ${name}`);
      continue;
    }
    const value = word.slice(equals + 1);
    const list = /^\((.*)\)$/s.exec(value);
    call.state.variables.set(
      name,
      list
        ? { of: 'list', items: (list[1] as string).split(' ').filter(Boolean) }
        : { of: 'scalar', values: [value] },
    );
    judgeVariable(name, value, call, world);
  }
}

function unsets(args: Arguments, call: Call, world: World): void {
  for (const name of args.operands) {
    if (name === 'TIRELESS_RUN')
      report(world, 'touch-tireless', 'TIRELESS_RUN, which marks a supervised session');
    if (name === 'HISTFILE') report(world, 'erase-traces', 'HISTFILE');
    call.state.variables.set(name, { of: 'scalar', values: [''] });
  }
}

/** What `read` may put into its variables. */
function readsInto(args: Arguments, call: Call): void {
  const names = args.operands.length > 0 ? args.operands : ['REPLY'];
  const { stdin } = call;
  const whole =
    stdin.of === 'paths'
      ? [...stdin.paths]
      : stdin.of === 'text'
        ? stdin.text.split('\n').filter(Boolean).slice(0, 20)
        : [anything];
  names.forEach((name) => {
    if (!/^\w+$/.test(name)) return;
    call.state.variables.set(name, { of: 'scalar', values: names.length === 1 ? whole : [anything] });
  });
}

function mapsInto(args: Arguments, call: Call): void {
  const name = args.operands[0] ?? 'MAPFILE';
  const items = call.stdin.of === 'paths' ? call.stdin.paths : [anything];
  call.state.variables.set(name, { of: 'list', items });
}

export const builtins: Family = {
  ...many(
    ': true false test [ sleep wait jobs times shopt umask dirs caller getopts let break continue return exit logout tput stty clear reset tabs compopt bg fg disown suspend cal ncal sync',
    'text',
  ),
  echo: { takes: 'text', also: showsSecrets, prints: (_args, call) => echoText(call.args) },
  printf: { takes: 'text', also: showsSecrets, prints: (_args, call) => printfText(call.args) },
  tty: { takes: 'text', prints: () => textOf('/dev/tty') },
  pwd: { takes: 'text', prints: (_args, call) => textOf(call.state.cwd ?? anything) },
  cd: {
    stops: true,
    takes: 'look',
    also: (args, call, world) => changeFolder(args.operands[0], call, world),
  },
  pushd: {
    stops: true,
    takes: 'look',
    also: (args, call, world) => changeFolder(args.operands[0], call, world),
  },
  popd: { takes: 'text', also: (_args, call, world) => changeFolder('-', call, world) },
  export: { takes: 'text', also: declares },
  declare: { takes: 'text', also: declares },
  typeset: { takes: 'text', also: declares },
  local: { takes: 'text', also: declares },
  readonly: { takes: 'text', also: declares },
  unset: { takes: 'text', also: unsets },
  set: {
    takes: 'text',
    options: { '-o': 'text' },
    also: (args, call, world) => {
      if (call.args.length === 0) report(world, 'read-secret', 'every variable of the shell');
      if (call.args.includes('--')) call.state.parameters = args.operands;
    },
  },
  shift: {
    takes: 'text',
    also: (_args, call) => {
      call.state.parameters = call.state.parameters?.slice(1);
    },
  },
  read: { takes: 'text', options: { '-p -t -n -N -d -u -a -i': 'text' }, also: readsInto },
  mapfile: { takes: 'text', options: { '-d -n -O -s -u -c': 'text', '-C': 'shell' }, also: mapsInto },
  readarray: { takes: 'text', options: { '-d -n -O -s -u -c': 'text', '-C': 'shell' }, also: mapsInto },
  eval: {
    stops: true,
    takes: 'text',
    also: (_args, call, world) => void world.script(call.args.join(' '), call),
  },
  source: { stops: true, takes: 'text', also: (args, call, world) => sources(args, call, world) },
  '.': { stops: true, takes: 'text', also: (args, call, world) => sources(args, call, world) },
  exec: { wraps: 0, options: { '-a': 'text' } },
  builtin: { wraps: 0 },
  command: {
    stops: true,
    takes: 'text',
    also: (args, call, world) => {
      if (args.has('-v', '-V')) report(world, 'read', 'where a program lies');
      else if (args.operands.length > 0) world.run(args.operands, call);
    },
    prints: (args) => (args.operands[0] ? textOf(args.operands[0]) : unknownFlow),
  },
  type: {
    takes: 'text',
    prints: (args) => (args.has('-p', '-P') && args.operands[0] ? textOf(args.operands[0]) : unknownFlow),
  },
  ...many('which whereis hash', {
    flags: { '-p': 'is:run-any' },
    takes: 'text',
    prints: (args: Arguments) => (args.operands[0] ? textOf(args.operands[0]) : unknownFlow),
  }),
  trap: {
    stops: true,
    takes: 'text',
    also: (args, call, world) => {
      const action = args.operands[0];
      if (action && args.operands.length > 1 && action !== '-') world.script(action, call);
    },
  },
  alias: {
    takes: 'text',
    also: (args, call, world) => {
      for (const word of args.operands) {
        const [name = '', ...value] = word.split('=');
        if (value.length === 0) continue;
        const text = value.join('=');
        world.script(text, call);
        if (isLiteral(text)) call.state.aliases.set(name, text);
      }
    },
  },
  unalias: {
    takes: 'text',
    also: (args, call) => {
      for (const name of args.operands) call.state.aliases.delete(name);
    },
  },
  ...many('compgen complete', {
    takes: 'text',
    options: { '-C': 'escape', '-F -W -A -G -X -P -S -o': 'text' },
  }),
  ulimit: 'text',
  help: 'text',
  history: {
    takes: 'text',
    flags: { '-c -d -w': 'is:erase-traces' },
    options: { '-r -a -n': 'is:erase-traces' },
  },
  fc: { is: 'interactive', takes: 'text' },
  bind: { takes: 'text', options: { '-x': 'is:run-any', '-f': 'is:run-any' } },
  enable: { takes: 'text', options: { '-f': 'is:run-any' } },
  printenv: {
    takes: 'text',
    also: (args, _call, world) => {
      const isOpen =
        args.operands.length === 0 ||
        args.operands.some((name) => !isLiteral(name) || isSecretVariable(name));
      if (isOpen)
        report(
          world,
          'read-secret',
          args.operands.length === 0 ? 'every variable of the environment' : args.operands.join(' '),
        );
    },
  },
  ...many('nproc whoami logname arch hostid uname', { takes: 'word', prints: printsPlain }),
};

/** Files that set up a shell for a tool, and that people source every day. */
const setups =
  /\/(\.nvm\/nvm\.sh|\.cargo\/env|\.sdkman\/bin\/sdkman-init\.sh|\.asdf\/asdf\.sh|\.bashrc|\.bash_profile|\.profile|\.zshrc|etc\/profile|bin\/activate|\.ghcup\/env|\.opam\/opam-init\/init\.sh|emsdk_env\.sh|conda\.sh|\.rvm\/scripts\/rvm|etc\/bash_completion)$/;

function sources(args: Arguments, call: Call, world: World): void {
  const path = args.operands[0];
  if (path === undefined) return;
  const absolute = resolvePath(path, call.state.cwd);
  if (absolute !== undefined && setups.test(absolute)) {
    report(world, 'run-workspace', path);
    return;
  }
  reads(world, call, path);
  executes(world, call, path);
}
