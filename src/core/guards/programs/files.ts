import { deletes, reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { hasAnything, plain, shown, star } from '../marks.ts';
import { isInside, parentOf, resolvePath } from '../paths.ts';
import { placeOf } from '../places.ts';
import { type Flow, nothing, unknownFlow } from '../shell/state.ts';
import { type Arguments, type Family, type Knowledge, many, printsPlain } from './family.ts';

/** `rm`: recursive or not, every operand. */
function judgeRm(args: Arguments, call: Call, world: World): void {
  const tree = args.has('-r', '-R', '--recursive');
  for (const path of args.operands) deletes(world, call, path, tree);
}

/** Sources, then a destination, or `-t` names it. */
function sourcesAndTarget(args: Arguments): { sources: readonly string[]; target: string | undefined } {
  const given = args.value('-t', '--target-directory');
  if (given !== undefined) return { sources: args.operands, target: given };
  return { sources: args.operands.slice(0, -1), target: args.operands.at(-1) };
}

function judgeCopy(args: Arguments, call: Call, world: World): void {
  const { sources, target } = sourcesAndTarget(args);
  const isTree = args.has('-r', '-R', '-a', '--recursive', '--archive');
  for (const source of sources) reads(world, call, source, isTree ? 'tree' : 'content');
  if (target === undefined) return;
  writes(world, call, target);
  for (const source of sources) rememberCopy(source, target, call, world);
  if (sources.length === 0 && args.operands.length === 1) reads(world, call, target);
}

/** A copy holds what its source holds, and lies where the target and the source's name say. */
function rememberCopy(source: string, target: string, call: Call, world: World): void {
  const from = resolvePath(source, call.state.cwd);
  const to = resolvePath(target, call.state.cwd);
  if (from === undefined || to === undefined) return;
  const content = call.state.files.get(from);
  if (content) call.state.files.set(to, content);
  // A copy of something from elsewhere is not code of the workspace.
  else if (!isInside(from, world.context.workspace)) {
    const base = from.slice(from.lastIndexOf('/') + 1);
    call.state.files.set(to, { of: 'unknown' });
    call.state.files.set(`${to}/${base}`, { of: 'unknown' });
  }
  const name = source.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const place = placeOf(to, world.context);
  // Into a folder: `cp settings.json .claude`, `cp config.yaml .tireless/`.
  if (
    place === 'workspace' ||
    place === 'outside' ||
    place === 'agent-settings' ||
    place === 'home' ||
    place === 'workspace-root'
  ) {
    const inside = placeOf(`${to}/${name}`, world.context);
    if (
      inside === 'agent-hooks' ||
      inside === 'tireless' ||
      inside === 'startup' ||
      inside === 'pipeline' ||
      inside === 'git'
    ) {
      writes(world, call, `${target.replace(/\/+$/, '')}/${name}`);
    }
  }
}

function judgeMove(args: Arguments, call: Call, world: World): void {
  const { sources, target } = sourcesAndTarget(args);
  if (target === undefined) return;
  const targetPlace = placeOf(resolvePath(target, call.state.cwd), world.context);
  if (targetPlace !== 'nowhere') writes(world, call, target);
  for (const source of sources) {
    const path = resolvePath(source, call.state.cwd);
    const place = placeOf(path, world.context);
    if (targetPlace === 'nowhere') deletes(world, call, source, true);
    else if (place === 'temp') report(world, 'write-temp', shown(source));
    else if (place !== 'workspace') deletes(world, call, source, true);
    else reads(world, call, source);
    rememberCopy(source, target, call, world);
  }
}

function judgeLink(args: Arguments, call: Call, world: World): void {
  const { sources, target } = sourcesAndTarget(args);
  const link = args.operands.length === 1 ? '.' : (target ?? '.');
  const pointed = args.operands.length === 1 ? args.operands : sources;
  writes(world, call, link);
  const at = resolvePath(link, call.state.cwd);
  const from =
    args.has('-s', '--symbolic') && at !== undefined
      ? link.endsWith('/') || link === '.'
        ? at
        : parentOf(at)
      : call.state.cwd;
  for (const source of pointed) {
    const path = resolvePath(source, from);
    const isOurs = path !== undefined && isInside(path, world.context.workspace);
    if (
      !isOurs &&
      !(
        args.has('-s', '--symbolic') &&
        !source.startsWith('/') &&
        !source.startsWith('..') &&
        !hasAnything(source)
      )
    ) {
      report(world, 'write-outside', `a link that leads to ${shown(source)}`);
    }
  }
}

/** Modes that let a program run as its owner, or anybody write. */
const setsId = /^[0-7]?[2467][0-7]{3}$|[ugoa]*[+=][rwxXt]*s/;
const opensAll = /^0?[0-7]?[0-7][0-7][2367]$|^(a|o|ugo|ug?o|go)?[+=][rxXst]*w/;

function judgeMode(args: Arguments, call: Call, world: World): void {
  const isReference = args.has('--reference');
  const [mode = '', ...rest] = isReference ? ['', ...args.operands] : modeFirst(args, call);
  const isWide = /^\+w|^u\+w|^g\+w|^ug\+w/.test(mode) ? false : opensAll.test(mode);
  for (const path of rest) {
    const absolute = resolvePath(path, call.state.cwd);
    const place = placeOf(absolute, world.context);
    if (
      setsId.test(mode) && mode.length > 3 && /^\d+$/.test(mode)
        ? /^[0-7]*[2467][0-7]{3}$/.test(mode)
        : setsId.test(mode)
    ) {
      report(world, 'privilege', `mode ${shown(mode)} on ${shown(path)}`);
    } else if (isWide) report(world, 'permissions', `mode ${shown(mode)} on ${shown(path)}`);
    else if (place === 'workspace' || place === 'temp' || place === 'workspace-root')
      report(world, 'write', `mode of ${shown(path)}`);
    else if (place === 'tireless' || place === 'agent-hooks') report(world, 'touch-tireless', shown(path));
    else report(world, 'permissions', `mode of ${shown(path)}`);
  }
}

/** `chmod -x file`: a mode may look like an option. */
function modeFirst(args: Arguments, call: Call): readonly string[] {
  const dashed = call.args.find((arg) => /^-[rwxXst]+$/.test(arg));
  return dashed && !args.operands.some((word) => /^([ugoa]*[-+=]|[0-7]{3,4}$)/.test(word))
    ? [dashed, ...args.operands]
    : args.operands;
}

/** `dd if=… of=…`. */
function judgeDd(args: Arguments, call: Call, world: World): void {
  for (const word of args.operands) {
    const [name, ...rest] = word.split('=');
    if (name === 'if') reads(world, call, rest.join('='));
    if (name === 'of') writes(world, call, rest.join('='));
  }
}

/** What `ls` prints: its operands, or the names of everything in a folder. */
function listed(args: Arguments): Flow {
  if (args.has('-l', '-s', '-i')) return unknownFlow;
  const globbed = args.operands.filter((path) => path.includes(star) || /\.\w+$/.test(path));
  if (args.operands.length > 0 && globbed.length === args.operands.length)
    return { of: 'paths', paths: globbed };
  return {
    of: 'paths',
    paths:
      args.operands.length === 0 || args.has('-d')
        ? args.operands.length
          ? args.operands
          : [star]
        : [star + plain],
  };
}

const lsOptions = {
  '-I --ignore -w --width -T --tabsize --block-size --time-style --format --sort --time --hide --indicator-style --quoting-style':
    'text',
} as const;

const install: Knowledge = {
  takes: 'text',
  options: {
    '-t --target-directory': 'write',
    '-m --mode -S --suffix -g --group -o --owner': 'text',
    '--strip-program': 'escape',
  },
  also: (args, call, world) => {
    if (args.has('-d', '--directory')) for (const path of args.operands) writes(world, call, path);
    else judgeCopy(args, call, world);
    const mode = args.value('-m', '--mode') ?? '';
    if (/s|^[0-7]*[2467][0-7]{3}$/.test(mode) || args.has('-o', '--owner'))
      report(world, 'privilege', `install with mode ${shown(mode)}`);
  },
};

/** BSD's `e` shows the environment of every process. */
const ps: Knowledge = {
  takes: 'text',
  options: { '-C -p -u -U -o -O -t -g -G -q -s --pid --ppid --user --sort --format --tty -k': 'text' },
  also: (args, _call, world) => {
    if (args.operands.some((word) => /^[a-z]*e[a-z]*$/.test(word)))
      report(world, 'read-secret', 'the environment of every process');
  },
};

export const files: Family = {
  ps,
  ...many('ls dir vdir gls', { takes: 'look', options: lsOptions, prints: listed }),
  ...many('stat du df tree pathchk namei findmnt lsattr getfacl mountpoint', {
    takes: 'look',
    options: {
      '-c --format --printf -d --max-depth -L -I -P -H --exclude -X --exclude-from -B --block-size -t --type --threshold --time-style':
        'text',
      '--files0-from --fromfile': 'odd',
      '-o': 'write',
    },
  }),
  file: {
    takes: 'read',
    options: {
      '-f --files-from': 'odd',
      '-m --magic-file -F --separator -e --exclude -P --parameter': 'text',
    },
    flags: { '-C --compile': 'is:write' },
  },
  ...many('realpath readlink', {
    takes: 'look',
    options: { '--relative-to --relative-base': 'text' },
    prints: (args: Arguments) => (args.operands[0] ? { of: 'text', text: args.operands[0] } : unknownFlow),
  }),
  ...many('mkdir', { takes: 'write', options: { '-m --mode -Z --context': 'text' } }),
  touch: { takes: 'write', options: { '-d --date -t --time': 'text', '-r --reference': 'look' } },
  mktemp: {
    takes: 'text',
    options: { '-p --tmpdir': 'write', '--suffix -t': 'text' },
    also: (args, call, world) => {
      const template = args.operands[0];
      if (template !== undefined && !args.has('-t', '-p', '--tmpdir')) writes(world, call, template);
      else report(world, 'write-temp', 'a new temporary file');
    },
    prints: (args) => ({
      of: 'text',
      text: args.operands[0] && !args.has('-t') ? args.operands[0] : `/tmp/tmp.${plain}`,
    }),
  },
  mkfifo: { takes: 'write', options: { '-m --mode': 'text' } },
  mknod: { is: 'system', takes: ['write', 'text'] },
  rm: { takes: 'text', options: { '--interactive': 'text' }, also: judgeRm, dry: '' },
  unlink: 'delete',
  rmdir: { takes: 'delete' },
  ...many('trash trash-put gio-trash rmtrash', 'delete'),
  ...many('shred srm wipe scrub', {
    takes: 'delete-tree',
    options: { '-n --iterations -s --size --random-source': 'text' },
    also: (args: Arguments, _call: Call, world: World) =>
      report(
        world,
        'delete-many',
        shown(`${args.operands.join(' ')}, overwritten so that nothing brings it back`),
      ),
  }),
  truncate: { takes: 'write', options: { '-s --size -r --reference': 'text' } },
  fallocate: { takes: 'write', options: { '-l --length -o --offset': 'text' } },
  ...many('cp gcp', {
    takes: 'text',
    options: { '-t --target-directory -S --suffix': 'text' },
    also: judgeCopy,
  }),
  ...many('mv gmv', {
    takes: 'text',
    options: { '-t --target-directory -S --suffix': 'text' },
    also: judgeMove,
  }),
  ...many('ln', { takes: 'text', options: { '-t --target-directory -S --suffix': 'text' }, also: judgeLink }),
  link: { takes: 'text', also: judgeLink },
  ...many('rename prename file-rename', {
    takes: ['text', 'edit'],
    dry: '-n --nono --no-act',
    also: (args, call, world) => {
      const code = args.operands[0] ?? '';
      if (/^[a-z]{1,2}[/|,#{]/.test(code)) world.run(['perl', '-pe', code], call, { stdin: nothing });
    },
  }),
  mmv: { takes: 'edit' },
  install,
  ginstall: install,
  dd: { takes: 'text', also: judgeDd },
  chmod: { takes: 'text', options: { '--reference': 'text' }, also: judgeMode },
  ...many('chown chgrp chattr setfacl chcon setcap lchown', {
    takes: 'text',
    options: { '--reference --from -m --modify -x --remove -M': 'text' },
    also: (args: Arguments, call: Call, world: World) => {
      const paths = args.operands.slice(1);
      const isOurs = paths.some(
        (path) => placeOf(resolvePath(path, call.state.cwd), world.context) === 'tireless',
      );
      report(
        world,
        call.program === 'setcap' ? 'privilege' : isOurs ? 'touch-tireless' : 'permissions',
        shown([call.program, ...args.operands].join(' ')),
      );
    },
  }),
  ...many('date', {
    takes: 'text',
    options: {
      '-f --file': 'odd',
      '-s --set': 'is:system',
      '-d --date': 'text',
      '-r --reference': 'look',
      '-I --iso-8601 --rfc-3339': 'text',
      '-v -j': 'text',
    },
    also: (args: Arguments, _call: Call, world: World) => {
      if (args.operands.some((word) => /^\d{8,}/.test(word))) report(world, 'system', 'the clock');
    },
    prints: printsPlain,
  }),
  ...many(
    'id groups users who w last lastb lastlog getent locale uptime free vmstat iostat mpstat sar pidstat lscpu lsblk lsmod lspci lsusb lshw lsmem lsns lsipc lslocks lslogins dmidecode sensors nvidia-smi pstree pgrep pidof pmap top htop atop btop glances iotop iftop nethogs vmtop procs sw_vers system_profiler ioreg vm_stat getconf runlevel systemd-analyze systemd-detect-virt acpi upower lsb_release neofetch fastfetch screenfetch inxi',
    { takes: 'word', prints: printsPlain },
  ),
};
