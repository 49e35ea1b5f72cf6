import { deletes, reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { type Arguments, type Family, many } from './family.ts';

/** The letters of `tar` that take a value, in the order old-style words give them. */
const tarValued = 'fCTXbIgKNVLFHo';

/** `tar xzf a.tgz` and `tar -xzf a.tgz` are the same; the first form takes its values in order. */
function dashed(args: readonly string[]): string[] {
  const [first = '', ...rest] = args;
  if (first.startsWith('-') || first === '') return [...args];
  const words: string[] = [];
  const values = [...rest];
  for (const letter of first) {
    words.push(`-${letter}`);
    if (tarValued.includes(letter) && letter !== 'o' && letter !== 'H') words.push(values.shift() ?? '');
  }
  return [...words, ...values];
}

/** A command that tar runs on the side. */
function escapes(command: string, call: Call, world: World): void {
  report(world, 'run-any', shown(command));
  world.script(command, call);
}

interface TarCall {
  mode: string;
  archive: string | undefined;
  folder: string | undefined;
  operands: string[];
}

const tarLong: Record<string, string> = {
  '--create': 'c',
  '--extract': 'x',
  '--get': 'x',
  '--list': 't',
  '--append': 'r',
  '--update': 'u',
  '--diff': 'd',
  '--compare': 'd',
  '--delete': 'D',
  '--concatenate': 'A',
  '--catenate': 'A',
};
const tarHarmless =
  /^--(gzip|gunzip|bzip2|xz|zstd|lzma|lzip|auto-compress|verbose|exclude|exclude-vcs|exclude-vcs-ignores|exclude-backups|exclude-from|exclude-caches(-all|-under)?|exclude-tag(-all|-under)?|exclude-ignore(-recursive)?|strip-components|transform|xform|wildcards(-match-slash)?|no-wildcards|keep-old-files|keep-newer-files|skip-old-files|overwrite(-dir)?|no-overwrite-dir|preserve-permissions|same-permissions|no-same-permissions|same-owner|no-same-owner|numeric-owner|owner|group|mode|mtime|sort|format|posix|dereference|hard-dereference|one-file-system|no-recursion|recursion|anchored|no-anchored|ignore-case|totals|show-transformed-names|files-from|null|no-null|newer|newer-mtime|after-date|label|blocking-factor|sparse|one-top-level|to-stdout|unlink-first|recursive-unlink|touch|atime-preserve|acls|xattrs|selinux|no-acls|no-xattrs|force-local|ignore-failed-read|ignore-zeros|warning|checkpoint|directory|file|verify|index-file|occurrence|full-time|utc|block-number|quoting-style|remove-files|starting-file|multi-volume|tape-length|level|listed-incremental|incremental|no-check-device|delay-directory-restore|clamp-mtime|compress|check-links|interactive|confirmation|show-omitted-dirs|add-file|pax-option|backup|suffix|restrict)(=|$)/;

function judgeTar(_args: Arguments, call: Call, world: World): void {
  const tar: TarCall = { mode: '', archive: undefined, folder: undefined, operands: [] };
  const words = dashed(call.args);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word.startsWith('--')) at = tarLongOption(words, at, tar, call, world);
    else if (word.startsWith('-') && word !== '-') at = tarShortOptions(words, at, tar, call, world);
    else tar.operands.push(word);
  }
  finishTar(tar, call, world);
}

function tarShortOptions(
  words: readonly string[],
  at: number,
  tar: TarCall,
  call: Call,
  world: World,
): number {
  const word = words[at] as string;
  for (let index = 1; index < word.length; index++) {
    const letter = word[index] as string;
    if (/[cxtrudA]/.test(letter)) tar.mode ||= letter;
    if (letter === 'P') report(world, 'write-outside', 'tar -P, absolute names');
    if (!'fCTXbIgKNVLFH'.includes(letter)) continue;
    const rest = word.slice(index + 1);
    tarValue(letter, rest !== '' ? rest : (words[at + 1] ?? ''), tar, call, world);
    return rest !== '' ? at : at + 1;
  }
  return at;
}

function tarValue(letter: string, value: string, tar: TarCall, call: Call, world: World): void {
  if (letter === 'f') tar.archive = value;
  else if (letter === 'C') tar.folder = value;
  else if (letter === 'T' || letter === 'X') reads(world, call, value);
  else if (letter === 'I') void world.script(value, call);
  else if (letter === 'F') escapes(value, call, world);
  else if (letter === 'g') writes(world, call, value);
}

function tarLongOption(words: readonly string[], at: number, tar: TarCall, call: Call, world: World): number {
  const [name = '', ...after] = (words[at] as string).split('=');
  const attached = after.length > 0 ? after.join('=') : undefined;
  const takesNext =
    /^--(file|directory|files-from|exclude-from|use-compress-program|to-command|info-script|new-volume-script|rsh-command|rmt-command|checkpoint-action|transform|xform|exclude|strip-components|owner|group|mode|mtime|sort|format|newer|after-date|label|listed-incremental|index-file|add-file|suffix)$/.test(
      name,
    );
  const value = attached ?? (takesNext ? (words[at + 1] ?? '') : '');
  const mode = tarLong[name];
  if (mode) tar.mode ||= mode;
  else if (name === '--file') tar.archive = value;
  else if (name === '--directory') tar.folder = value;
  else if (/^--(use-c)/.test(name)) void world.script(value, call);
  else if (/^--(to-c|info-s|new-v|rsh|rmt)/.test(name)) escapes(value, call, world);
  else if (/^--checkpoint-a/.test(name)) {
    const action = /^(exec|totals|wait|sleep|dot|echo|bell|ttyout)=?(.*)$/s.exec(
      value.replace(/^["']|["']$/g, ''),
    );
    if (action?.[1] === 'exec') escapes(action[2] ?? '', call, world);
    else if (!action && value !== '.') report(world, 'run-any', shown(value));
  } else if (name === '--absolute-names') report(world, 'write-outside', 'tar, absolute names');
  else if (name === '--remove-files') tar.mode += '!';
  else if (!tarHarmless.test(`${name}=`) && name !== '--')
    report(world, 'unknown', `option ${shown(name)} of tar`);
  return attached === undefined && takesNext ? at + 1 : at;
}

function finishTar(tar: TarCall, call: Call, world: World): void {
  const { archive, folder } = tar;
  if (archive !== undefined && /^[^/]*:/.test(archive) && !/^[A-Za-z]:[\\/]/.test(archive)) {
    report(world, 'remote-shell', shown(archive));
  }
  const inside: Call = {
    ...call,
    state: {
      ...call.state,
      cwd: folder === undefined ? call.state.cwd : resolvePath(folder, call.state.cwd),
    },
  };
  if (tar.mode.startsWith('x')) {
    if (archive !== undefined && archive !== '-') reads(world, call, archive);
    writes(world, inside, '.');
    return;
  }
  if (/^[cruAD]/.test(tar.mode)) {
    if (archive !== undefined && archive !== '-') writes(world, call, archive);
    for (const path of tar.operands) reads(world, inside, path, 'tree');
    if (tar.mode.includes('!')) for (const path of tar.operands) deletes(world, inside, path, true);
    return;
  }
  if (archive !== undefined && archive !== '-') reads(world, call, archive);
}

export const archives: Family = {
  ...many('tar gtar bsdtar', { own: true, also: judgeTar }),
  zip: {
    takes: ['write', 'tree'],
    options: {
      '-TT --unzip-command': 'escape',
      '-x --exclude -i --include -P --password -t -tt -n --suffixes -s --split-size -b --temp-path -O --output-file':
        'text',
      '': 'text',
    },
    flags: { '-m --move': 'is:delete-many' },
    oneDash: true,
  },
  unzip: {
    takes: ['read', 'text'],
    options: { '-d': 'write', '-x -P': 'text' },
    also: (args, call, world) => {
      if (!args.has('-d', '-l', '-p', '-t', '-v', '-Z')) writes(world, call, '.');
      if (args.has('-K')) report(world, 'privilege', 'unzip -K');
    },
  },
  ...many('7z 7za 7zr 7zz', {
    takes: 'text',
    also: (args: Arguments, call: Call, world: World) => {
      const [verb = '', archive, ...rest] = args.operands;
      if (archive === undefined) return;
      const target = call.args.find((arg) => /^-o./.test(arg))?.slice(2);
      if (verb === 'a' || verb === 'u' || verb === 'd' || verb === 'rn') {
        writes(world, call, archive);
        for (const path of rest)
          reads(world, call, path.replace(/^@/, ''), path.startsWith('@') ? 'odd' : 'tree');
      } else {
        reads(world, call, archive);
        for (const path of rest) if (path.startsWith('@')) reads(world, call, path.slice(1), 'odd');
        if (verb === 'x' || verb === 'e') writes(world, call, target ?? '.');
      }
    },
  }),
  ...many(
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 brotli compress uncompress pigz unpigz pbzip2 lzip lzop',
    {
      takes: 'text',
      options: {
        '-o --output': 'write',
        '-S --suffix -T --threads -b --bits -p --processes -M --memlimit -F --format': 'text',
        '-D': 'read',
        '--files --files0': 'odd',
        '--filelist': 'odd',
        '--output-dir-flat': 'write',
      },
      also: (args: Arguments, call: Call, world: World) => {
        const shows = args.has('-c', '--stdout', '--to-stdout', '-l', '--list', '-t', '--test');
        for (const path of args.operands) {
          reads(world, call, path);
          if (!shows) writes(world, call, path);
        }
      },
    },
  ),
  cpio: {
    takes: 'write',
    options: {
      '-F --file -O -I -E --pattern-file': 'text',
      '-R --owner -C --io-size -H --format -D --directory -M': 'text',
      '--rsh-command': 'escape',
    },
    also: (args, call, world) => {
      if (args.has('-i', '--extract', '-p', '--pass-through'))
        writes(world, call, args.value('-D', '--directory') ?? '.');
      const archive = args.value('-F', '--file', '-O', '-I');
      if (archive?.includes(':')) report(world, 'remote-shell', shown(archive));
      else if (archive !== undefined)
        args.has('-o', '--create', '-O') ? writes(world, call, archive) : reads(world, call, archive);
      if (args.has('-p', '--pass-through') || args.has('-o', '--create'))
        report(world, 'read-odd', 'whatever cpio is told on its input');
    },
  },
  ...many('ar unrar rar unar lsar lha arj', {
    takes: 'text',
    also: (args: Arguments, call: Call, world: World) => {
      const [verb = '', archive, ...rest] =
        call.program === 'unar' || call.program === 'lsar' ? ['x', ...args.operands] : args.operands;
      if (archive === undefined) return;
      if (/^-?[tpvlx]/.test(verb) || verb === 'e') reads(world, call, archive);
      else {
        writes(world, call, archive);
        for (const path of rest) reads(world, call, path);
      }
      if (/^-?[xe]/.test(verb)) writes(world, call, rest.at(-1) ?? '.');
    },
  }),
  jar: {
    takes: 'text',
    also: (_args, call, world) => {
      const [mode = '', file = ''] = call.args;
      if (/x/.test(mode)) writes(world, call, '.');
      else if (/[cu]/.test(mode)) writes(world, call, file);
      else reads(world, call, file);
    },
  },
  ...many('zipinfo zipnote zipgrep', 'read'),
};
