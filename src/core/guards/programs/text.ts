import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { judgeAwk } from '../code/awk.ts';
import { judgeSed } from '../code/sed.ts';
import { anything, hasAnything, isLiteral, plain } from '../marks.ts';
import { executes } from '../run-file.ts';
import { decodeBase, decodeHex, translate } from '../shell/decode.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';
import { type Arguments, contentOf, type Family, fewer, handsOn, type Knowledge, many } from './family.ts';

/** A program that hands on what it reads, whole. */
const whole: Knowledge = { takes: 'read', prints: handsOn };
/** A program that hands on some of the lines it reads. */
const some = (options: Knowledge['options'] = {}): Knowledge => ({
  takes: 'read',
  options,
  prints: (args, call) => fewer(handsOn(args, call)),
});

/** A program that shows files, and writes only where it is told to. */
const viewer: Knowledge = { takes: 'read', options: { '-o --output --out --outfile -O': 'write' } };

function judgeSedCall(args: Arguments, call: Call, world: World): void {
  const scripts = args.values('-e', '--expression');
  for (const file of args.values('-f', '--file')) executes(world, call, file, 'printing');
  const hasScript = scripts.length > 0 || args.has('-f', '--file');
  const files = hasScript ? args.operands : args.operands.slice(1);
  const all = hasScript ? scripts : args.operands.slice(0, 1);
  for (const script of all) judgeSed(script, call, world);
  const edits = args.options.some((option) => option.name === '-i' || option.name === '--in-place');
  // BSD's `-i ''` leaves an empty word behind.
  for (const file of files) if (file !== '') edits ? writes(world, call, file) : reads(world, call, file);
}

function judgeAwkCall(args: Arguments, call: Call, world: World): void {
  const programs = args.values('-e', '--source');
  const files = args.values('-f', '--file', '-E', '--exec');
  for (const file of files) executes(world, call, file, 'printing');
  for (const program of programs) judgeAwk(program, call, world);
  const isGiven = programs.length > 0 || files.length > 0;
  if (!isGiven && args.operands[0] !== undefined) judgeAwk(args.operands[0], call, world);
  for (const file of isGiven ? args.operands : args.operands.slice(1)) {
    if (!/^[A-Za-z_]\w*=/.test(file)) reads(world, call, file);
  }
}

/** Text that is decoded from what is known is known; it may be a script. */
const decodes = (
  decode: (text: string) => string | undefined,
  isOn: (args: Arguments) => boolean,
): Knowledge => ({
  takes: 'read',
  options: { '-w --wrap -b --break -i -o': 'text' },
  prints: (args, call) => {
    const flow = handsOn(args, call);
    if (!isOn(args) || flow.of !== 'text' || !isLiteral(flow.text))
      return flow.of === 'network' ? flow : unknownFlow;
    const text = decode(flow.text);
    return text === undefined ? unknownFlow : { of: 'text', text };
  },
});

const changed = (change: (text: string) => string): Knowledge => ({
  takes: 'read',
  prints: (args, call) => {
    const flow = handsOn(args, call);
    return flow.of === 'text' && isLiteral(flow.text) ? { of: 'text', text: change(flow.text) } : unknownFlow;
  },
});

const byLine = (change: (line: string) => string) => (text: string) =>
  text.split('\n').map(change).join('\n');

export const text: Family = {
  cat: whole,
  tac: whole,
  ...many('head tail', some({ '-n --lines -c --bytes -s --sleep-interval --pid': 'text' })),
  ...many('gzcat zcat bzcat xzcat zstdcat lz4cat zless zmore bzless xzless', { takes: 'read' }),
  sort: {
    takes: 'read',
    options: {
      '-o --output': 'write',
      '--compress-program': 'shell',
      '--files0-from': 'odd',
      '-T --temporary-directory -k --key -t --field-separator -S --buffer-size --parallel --batch-size --sort':
        'text',
    },
    prints: (args, call) => fewer(handsOn(args, call)),
  },
  uniq: {
    takes: ['read', 'write'],
    options: { '-f --skip-fields -s --skip-chars -w --check-chars': 'text' },
    prints: (args, call) => fewer(handsOn({ ...args, operands: args.operands.slice(0, 1) }, call)),
  },
  shuf: {
    takes: 'read',
    options: {
      '-o --output': 'write',
      '-n --head-count -i --input-range': 'text',
      '--random-source': 'read',
    },
    prints: (args, call) => fewer(handsOn(args, call)),
  },
  wc: {
    takes: 'read',
    options: { '--files0-from': 'odd', '--total': 'text' },
    prints: () => ({ of: 'text', text: plain }),
  },
  ...many(
    'cut paste nl fold fmt pr expand unexpand join comm tsort column colrm col ul look ptx strings od hexdump hd cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 crc32 xxhsum numfmt zcmp zdiff colordiff diff diff3 cmp wdiff diffstat ascii',
    {
      takes: 'read',
      options: {
        // One list for many programs: what is no value here is a file there, so every value is read.
        '-d --delimiter --delimiters -f --fields -c --characters -b --bytes -w --width -s --separator -t -n -N -j -A -v -a -1 -2 -p -l -i -x -X -F -L -U -I':
          'read',
        '--exclude-from --from-file --field --format --label --exclude': 'text',
        '--output': 'write',
      },
    },
  ),
  sdiff: {
    takes: 'read',
    options: { '-o --output': 'write', '--diff-program': 'escape', '-w --width -I': 'text' },
  },
  rev: changed(byLine((line) => [...line].reverse().join(''))),
  tr: { takes: 'text', prints: (args, call) => translate(call.stdin, args) },
  base64: decodes(decodeBase, (args) => args.has('-d', '-D', '--decode')),
  base32: decodes(
    () => undefined,
    () => true,
  ),
  basenc: decodes(
    () => undefined,
    () => true,
  ),
  xxd: {
    takes: ['read', 'write'],
    options: { '-l -c -g -s -o -n -R -cols -groupsize -len -seek': 'text' },
    prints: (args, call) => {
      const flow = handsOn({ ...args, operands: args.operands.slice(0, 1) }, call);
      const text = args.has('-r') && flow.of === 'text' ? decodeHex(flow.text) : undefined;
      return text === undefined ? unknownFlow : { of: 'text', text };
    },
  },
  uudecode: {
    takes: 'read',
    options: { '-o --output-file': 'write' },
    also: (args, _call, world) => {
      if (!args.has('-o', '--output-file'))
        report(world, 'write-outside', 'a file named by the encoded text');
    },
  },
  uuencode: { takes: ['read', 'text'] },
  ...many('sed gsed', {
    takes: 'text',
    options: { '-e --expression': 'text', '-f --file': 'text', '-l --line-length': 'text' },
    also: judgeSedCall,
    prints: (args: Arguments, _call: Call) =>
      args.has('-i', '--in-place') ? { of: 'nothing' } : unknownFlow,
  }),
  ...many('awk gawk mawk nawk original-awk', {
    stops: true,
    takes: 'text',
    options: {
      '-F --field-separator -v --assign -O -N': 'text',
      '-f --file -e --source -E --exec': 'text',
      '-i --include -l --load': 'is:run-any',
      '-D --debug': 'is:interactive',
    },
    flags: { '-o --pretty-print -p --profile -d --dump-variables': 'is:run-any' },
    also: judgeAwkCall,
  }),
  ...many('jq gojq jaq', {
    takes: ['text', 'read'],
    options: {
      '--arg --argjson': 'text',
      '--slurpfile --rawfile': 'text',
      '-f --from-file': 'load',
      '-L': 'text',
      '--indent': 'text',
    },
    also: (args: Arguments, _call: Call, world: World) => {
      if (/(^|[^.\w])(\$ENV|env)\b(?!\.[A-Z_]*(HOME|PATH|USER))/.test(args.operands[0] ?? ''))
        report(world, 'read-secret', 'the environment, through jq');
    },
  }),
  yq: {
    takes: ['text', 'read'],
    options: {
      '-o --output-format -p --input-format --indent -I --arg --argjson': 'text',
      '--from-file': 'load',
      '-s --split-exp': 'text',
    },
    also: (args, call, world) => {
      if (args.has('-i', '--inplace'))
        for (const file of args.operands.slice(1)) if (file !== 'eval') writes(world, call, file);
    },
  },
  ...many('xmllint', {
    takes: 'read',
    options: {
      '-o --output': 'write',
      '--xpath --pattern --schema --relaxng --dtdvalid --encode --maxmem': 'text',
    },
    flags: { '--shell': 'is:interactive' },
  }),
  ...many('xmlstarlet xml', {
    subs: {
      ...many('sel val fo el c14n esc unesc ls tr', 'read'),
      ed: {
        takes: 'read',
        also: (args, call, world) => {
          if (args.has('-L', '--inplace')) for (const file of args.operands) writes(world, call, file);
        },
      },
    },
  }),
  ...many(
    'mlr csvcut csvgrep csvlook csvsort csvstat csvjson csvstack in2csv csvformat csvjoin xsv qsv gron fx dasel htmlq pup hexyl bat batcat exa eza lsd glow mdcat cloc scc tokei sloccount loc wc-l tldr cheat figlet toilet lolcat fortune banner ts pv ansi2html nl2br html2text antiword catdoc pdfinfo pdffonts exif identify mediainfo ffprobe sox_info soxi',
    viewer,
  ),
  ...many('uuidgen mcookie pwgen apg envsubst getopt datamash jo tidy xsltproc gettext zdump', viewer),
  cowsay: { takes: 'text', options: { '-f': 'load' } },
  cowthink: { takes: 'text', options: { '-f': 'load' } },
  ...many('tee', {
    takes: 'write',
    prints: (args: Arguments, call: Call) => {
      for (const file of args.operands) remember(file, args, call);
      return call.stdin;
    },
  }),
  sponge: { takes: 'write' },
  ...many('dos2unix unix2dos mac2unix', { takes: 'edit', options: { '-n --newfile': 'text' } }),
  iconv: { takes: 'read', options: { '-f --from-code -t --to-code': 'text', '-o --output': 'write' } },
  recode: { takes: ['text', 'edit'] },
  split: {
    takes: ['read', 'write'],
    options: {
      '--filter': 'shell',
      '-b --bytes -l --lines -n --number -a --suffix-length -C --line-bytes --additional-suffix -t --separator':
        'text',
    },
  },
  csplit: {
    takes: ['read', 'text'],
    options: { '-f --prefix': 'write', '-n --digits -b --suffix-format': 'text' },
  },
  ...many('seq factor expr basename dirname yes primes units', {
    takes: 'text',
    prints: (args: Arguments, call: Call) => nameParts(args, call),
  }),
  bc: { takes: 'read' },
  dc: {
    takes: 'read',
    options: { '-e --expression': 'text', '-f --file': 'load' },
    also: (args, _call, world) => {
      if (args.values('-e', '--expression').some((code) => code.includes('!')))
        report(world, 'run-any', 'dc runs a command');
    },
  },
  patch: {
    takes: ['edit', 'read'],
    options: {
      '-p --strip -F --fuzz -D --ifdef -B --prefix -Y -z --suffix -V --version-control -g': 'text',
      '-i --input': 'read',
      '-o --output -r --reject-file': 'write',
      '-d --directory': 'write',
    },
    flags: { '-e --ed': 'is:run-any' },
    dry: '--dry-run -C --check',
  },
};

/** `seq`, `basename` and `dirname` print what can be told from their words. */
function nameParts(args: Arguments, call: Call): Flow {
  const [first = '', suffix] = args.operands;
  if (call.program === 'basename') {
    const name = first.replace(/\/+$/, '').split('/').at(-1) ?? '';
    return { of: 'text', text: suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name };
  }
  if (call.program === 'dirname') {
    const cut = first.replace(/\/+$/, '').lastIndexOf('/');
    return {
      of: 'text',
      text: hasAnything(first[0] ?? '') ? anything : cut === -1 ? '.' : cut === 0 ? '/' : first.slice(0, cut),
    };
  }
  return call.program === 'yes'
    ? { of: 'text', text: args.operands.join(' ') || 'y' }
    : { of: 'text', text: plain };
}

function remember(file: string, args: Arguments, call: Call): void {
  const before = contentOf(file, call);
  const path = before.of === 'file' ? before.path : file;
  if (path.startsWith('/') || call.state.cwd !== undefined) {
    const absolute = path.startsWith('/') ? path : `${call.state.cwd}/${path}`;
    call.state.files.set(absolute, args.has('-a', '--append') ? unknownFlow : call.stdin);
  }
}
