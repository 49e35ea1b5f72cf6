import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { judgeVariable } from '../environment.ts';
import { resolvePath } from '../paths.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';
import { parallel, xargs } from './each-item.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** `env`: variables first, then a command; without one it prints everything. */
const env: Knowledge = {
  stops: true,
  takes: 'text',
  options: {
    '-u --unset -C --chdir -S --split-string -P --argv0 -a': 'text',
    '--block-signal --default-signal --ignore-signal': 'text',
  },
  prints: (args, call, world) => {
    for (const name of args.values('-u', '--unset')) {
      if (name === 'TIRELESS_RUN')
        report(world, 'touch-tireless', 'TIRELESS_RUN, which marks a supervised session');
    }
    const folder = args.value('-C', '--chdir');
    const state =
      folder === undefined ? call.state : { ...call.state, cwd: resolvePath(folder, call.state.cwd) };
    const split = args.value('-S', '--split-string');
    const words = [...args.operands];
    const names = new Map(call.env);
    while (words[0] !== undefined && /^[A-Za-z_]\w*=/.test(words[0])) {
      const [name = '', ...value] = (words.shift() as string).split('=');
      names.set(name, value.join('='));
      judgeVariable(name, value.join('='), call, world);
    }
    if (split !== undefined) return world.script([split, ...words].join(' '), call, { state, env: names });
    if (words.length > 0) return world.run(words, call, { state, env: names });
    report(world, 'read-secret', 'every variable of the environment');
    return unknownFlow;
  },
};

const assignmentsFirst = (words: readonly string[]): readonly string[] => {
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return at === -1 ? [] : words.slice(at);
};

const sudo: Knowledge = {
  is: 'privilege',
  stops: true,
  takes: 'text',
  options: {
    '-u --user -g --group -p --prompt -C --close-from -h --host -r --role -t --type -D --chdir -R --chroot -T --command-timeout -U --other-user':
      'text',
  },
  prints: (args, call, world) => {
    const words = assignmentsFirst(args.operands);
    if (words.length > 0) return world.run(words, call);
    return unknownFlow;
  },
};

/** Wrappers that hand the rest of their words to a shell. */
function runsJoined(skip: number) {
  return (args: Arguments, call: Call, world: World): Flow => {
    const words = args.operands.slice(skip);
    if (words.length === 0) return unknownFlow;
    return words.length === 1 ? world.script(words[0] as string, call) : world.run(words, call);
  };
}

const flock: Knowledge = {
  stops: true,
  takes: 'text',
  options: { '-c --command': 'shell', '-w --timeout -E --conflict-exit-code': 'text' },
  prints: (args, call, world) => {
    const [file, ...words] = args.operands;
    if (file !== undefined && !/^\d+$/.test(file)) writes(world, call, file);
    if (words[0] === '-c' && words[1] !== undefined) return world.script(words[1], call);
    return words.length > 0 ? world.run(words, call) : unknownFlow;
  },
};

const script: Knowledge = {
  stops: true,
  takes: 'write',
  options: {
    '-c --command': 'shell',
    '-t --timing -T --log-timing -O --log-out -I --log-in -B --log-io': 'write',
    '-E --echo -o --output-limit -m': 'text',
  },
  also: (args, _call, world) => {
    if (!args.has('-c', '--command')) report(world, 'run-shell', 'script');
  },
};

export const wrappers: Family = {
  xargs,
  parallel,
  env,
  sudo,
  doas: { ...sudo, options: { '-u -C -a': 'text' } },
  ...many('su runuser', {
    is: 'privilege',
    takes: 'text',
    options: {
      '-c --command --session-command': 'shell',
      '-s --shell -g --group -G --supp-group -w --whitelist-environment -u --user': 'text',
    },
    also: (args: Arguments, call: Call, world: World) => {
      if (args.has('-u', '--user') && args.operands.length > 0) world.run(args.operands, call);
    },
  }),
  ...many('pkexec gosu su-exec setpriv', { is: 'privilege', wraps: 0, options: { '--user -u': 'text' } }),
  ...many('chroot nsenter unshare capsh proot bwrap firejail systemd-nspawn machinectl ip-netns', {
    is: 'privilege',
    takes: 'text',
    prints: runsJoined(0),
    stops: true,
  }),
  ...many('nice', { wraps: 0, options: { '-n --adjustment': 'text' } }),
  ...many('ionice', { wraps: 0, options: { '-c --class -n --classdata -p --pid -P -u': 'text' } }),
  ...many('chrt', { wraps: 1, options: { '-T -P -D': 'text' } }),
  ...many('taskset', { wraps: 1, options: { '-p': 'text' } }),
  ...many('timeout gtimeout', { wraps: 1, options: { '-s --signal -k --kill-after': 'text' } }),
  ...many(
    'nohup setsid time stdbuf unbuffer catchsegv eatmydata caffeinate noglob nocorrect dbus-run-session fakeroot tsocks torsocks proxychains proxychains4 ltrace-exec ccache sccache distcc winpty',
    {
      wraps: 0,
      options: { '-o --output': 'write', '-i --input -e --error -f --format': 'text', '-l': 'text' },
    },
  ),
  ...many('gtime', { wraps: 0, options: { '-o --output': 'write', '-f --format': 'text' } }),
  ...many('setarch linux32 linux64 i386 x86_64 uname26', { wraps: 0 }),
  ...many('faketime datefudge', { wraps: 1, options: { '-C -N -m -g -l -p -e -i': 'text' } }),
  ...many('strace ltrace ktrace truss', {
    wraps: 0,
    options: {
      '-o --output': 'write',
      '-p --attach': 'is:process',
      '-e --trace -s --string-limit -u --user -E --env -P -S -a -b -I -O -X -U': 'text',
    },
  }),
  ...many('valgrind heaptrack', { wraps: 0, options: { '-o --log-file --xml-file': 'write' } }),
  ...many('rlwrap', {
    wraps: 0,
    options: {
      '-z --filter': 'is:run-any',
      '-l --logfile': 'write',
      '-H --history-filename -f --file': 'text',
    },
  }),
  ...many('xvfb-run', {
    wraps: 0,
    options: { '-n --server-num -s --server-args -e --error-file -f --auth-file -w --wait': 'text' },
  }),
  ...many('watch', {
    stops: true,
    takes: 'text',
    options: { '-n --interval -q --equexit': 'text' },
    prints: (args: Arguments, call: Call, world: World) => world.script(args.operands.join(' '), call),
  }),
  flock,
  script,
  ...many('hyperfine', {
    takes: 'shell',
    options: {
      '-w --warmup -r --runs -m --min-runs -M --max-runs -L --parameter-list -P --parameter-scan -n --command-name -D -S --shell --style --sort -u --time-unit':
        'text',
      '-p --prepare -s --setup -c --cleanup --conclude': 'shell',
      '--export-markdown --export-json --export-csv --export-asciidoc --export-orgmode': 'write',
    },
  }),
  ...many('concurrently', {
    takes: 'shell',
    options: {
      '-n --names -c --prefix-colors -p --prefix -m --max-processes -s --success -l --prefix-length --restart-tries --restart-after --name-separator':
        'text',
    },
  }),
  ...many('cross-env cross-env-shell', {
    stops: true,
    takes: 'text',
    prints: (args: Arguments, call: Call, world: World) => {
      const words = assignmentsFirst(args.operands);
      return words.length > 0 ? world.run(words, call) : unknownFlow;
    },
  }),
  ...many('dotenv dotenvx', {
    stops: true,
    takes: 'text',
    options: { '-e -f -c -v -p': 'text' },
    prints: (args: Arguments, call: Call, world: World) => {
      reads(world, call, args.value('-e', '-f') ?? '.env.example');
      const words =
        args.operands[0] === 'run' ? args.operands.slice(1).filter((word) => word !== '--') : args.operands;
      return words.length > 0 ? world.run(words, call) : unknownFlow;
    },
  }),
  ...many('nodemon entr watchexec chokidar onchange reflex air', {
    takes: 'text',
    is: 'build',
    options: {
      '-x --exec -c --command': 'shell',
      '-w --watch -e --ext --exts -i --ignore --delay -d': 'text',
    },
    also: (args: Arguments, call: Call, world: World) => {
      const at = call.args.indexOf('--');
      if (at !== -1) world.run(call.args.slice(at + 1), call);
      else if (args.operands[0] && call.program === 'entr') world.run(args.operands, call);
    },
  }),
  tmux: {
    subs: { ...many('ls list-sessions list-windows list-panes display-message show-options', 'text') },
    otherwise: 'is:run-any',
    bare: 'run-shell',
  },
  ...many('screen byobu dtach abduco zellij', {
    own: true,
    also: (_args: Arguments, call: Call, world: World) =>
      report(world, call.args[0] === '-ls' || call.args[0] === '-list' ? 'read' : 'run-any', call.program),
  }),
  ...many('at batch', { is: 'persistence', takes: 'text' }),
  ...many('systemd-run', {
    is: 'persistence',
    wraps: 0,
    options: {
      '--unit -u --on-calendar --on-active --uid --gid -p --property -E --setenv --slice --description':
        'text',
    },
  }),
  ...many('start-stop-daemon daemonize run-parts', { is: 'run-any', takes: 'text' }),
  ...many('busybox toybox', {
    stops: true,
    takes: 'text',
    prints: (args: Arguments, call: Call, world: World) => {
      if (args.operands.length > 0) return world.run(args.operands, call);
      return unknownFlow;
    },
  }),
  ...many('direnv', {
    subs: {
      exec: { wraps: 1 },
      allow: 'is:pipeline-change',
      ...many('status version export hook reload', 'text'),
    },
  }),
  ...many('mise asdf rbenv pyenv nodenv rtx', {
    subs: {
      exec: {
        stops: true,
        takes: 'text',
        prints: (_args: Arguments, call: Call, world: World) => {
          const at = call.args.indexOf('--');
          return world.run(at === -1 ? call.args.slice(1) : call.args.slice(at + 1), call);
        },
      },
      ...many('x', { wraps: 0 }),
      ...many(
        'current ls list which version versions root where info doctor ls-remote local rehash reshim latest',
        'text',
      ),
      ...many('install use local uninstall update upgrade plugin global plugin-add', 'is:install-outside'),
      run: { is: 'run-workspace', takes: ['task', 'text'] },
    },
  }),
  ...many('numactl trickle', {
    wraps: 0,
    options: { '-C -N -m -l -i -u -d -s --cpunodebind --membind --physcpubind --interleave': 'text' },
  }),
  ...many('cgexec', { wraps: 0, options: { '-g': 'text' } }),
  ...many('gdbserver rr cpulimit', { is: 'run-any', takes: 'text' }),
};
