import type { GuardEffectKind } from '../../../contract/guard.ts';
import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { judgeCode, type Language } from '../code/index.ts';
import { isLiteral, shown } from '../marks.ts';
import { executes, runsContent } from '../run-file.ts';
import { runsTask } from '../tasks.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** Runs the file that is the first operand, or what comes in through a pipe. */
function runsOperand(language: Language, args: Arguments, call: Call, world: World): void {
  const [file, ...rest] = args.operands;
  if (file === undefined || file === '-') {
    if (!/^--?(v|V|version)$/.test(call.args[0] ?? '')) runsContent(world, call, call.stdin, '', language);
    return;
  }
  if (/(^|\/)tireless(\.m?js|\.ts)?$/.test(file)) {
    world.run(['tireless', ...rest], call);
    return;
  }
  executes(world, call, file, language);
  // `manage.py migrate`, `artisan db:wipe`: the project's own verbs.
  if (/(^|\/)(manage\.py|artisan|console|rails|setup\.py)$/.test(file))
    world.run([file.slice(file.lastIndexOf('/') + 1), ...rest], call);
}

/** Inline code, or a file, or standard input. */
function interpreter(language: Language, codeOptions: string, more: Partial<Knowledge> = {}): Knowledge {
  return {
    stops: true,
    takes: 'text',
    ...more,
    options: { [codeOptions]: 'text', ...more.options },
    also: (args, call, world) => {
      more.also?.(args, call, world);
      const codes = args.values(...codeOptions.split(' '));
      for (const code of codes) judgeCode(language, code, call, world);
      if (codes.length === 0) runsOperand(language, args, call, world);
    },
  };
}

/** Modules of Python that are programs of their own. */
const toolModules =
  /^(pip|pytest|mypy|black|isort|flake8|pylint|ruff|coverage|tox|nox|sphinx|twine|poetry|pre_commit|alembic|django|flask|uvicorn|gunicorn|bandit|virtualenv|hatch|pdm|uv|pipx|invoke|celery|jupyter|awscli)$/;
const toolNames: Record<string, string> = {
  sphinx: 'sphinx-build',
  awscli: 'aws',
  pre_commit: 'pre-commit',
  django: 'django-admin',
};

/** What the other modules that can be run by name do; any other one is code of the workspace. */
const moduleKinds: readonly [RegExp, GuardEffectKind][] = [
  [/^(http\.server|SimpleHTTPServer|BaseHTTPServer|pydoc|smtpd|aiosmtpd|notebook)$/, 'network-listen'],
  [/^(timeit|trace)$/, 'run-code'],
  [
    /^(unittest|build|doctest|compileall|py_compile|cProfile|profile|ensurepip|zipfile|tarfile|gzip|nose2?|pyflakes|pycodestyle|pydocstyle|vulture|radon)$/,
    'build',
  ],
  [/^(pdb|code|idlelib|IPython|asyncio|ptpython|bpython)$/, 'interactive'],
  [
    /^(ftplib|telnetlib|smtplib|poplib|imaplib|webbrowser|turtledemo|xmlrpc|wsgiref|pty|socketserver)/,
    'run-any',
  ],
];
const readingModules =
  /^(json\.tool|this|site|sysconfig|platform|calendar|tokenize|ast|dis|inspect|base64|keyword|tabnanny|pyclbr|pickletools|symtable|locale|encodings)$/;

function runsModule(args: Arguments, call: Call, world: World): void {
  const module = args.value('-m') as string;
  const at = call.args.findIndex((arg) => arg === '-m' || arg === `-m${module}`);
  const rest = call.args.slice(at + (call.args[at] === '-m' ? 2 : 1));
  const words = rest.filter((word) => !word.startsWith('-'));
  if (!isLiteral(module)) report(world, 'opaque', 'which module runs is not known');
  else if (toolModules.test(module)) world.run([toolNames[module] ?? module, ...rest], call);
  else if (readingModules.test(module)) for (const word of words) reads(world, call, word);
  else if (module === 'venv') for (const word of words) writes(world, call, word);
  else {
    const kind = moduleKinds.find(([pattern]) => pattern.test(module))?.[1] ?? 'run-workspace';
    report(world, kind, `python -m ${shown(module)}`);
    if (kind === 'run-workspace') for (const word of [module, ...words.slice(0, 1)]) runsTask(world, word);
  }
}

const python: Knowledge = {
  stops: true,
  takes: 'text',
  options: { '-c -m': 'text', '-W -X --check-hash-based-pycs': 'text' },
  also: (args, call, world) => {
    const code = args.value('-c');
    const module = args.value('-m');
    if (args.has('-i')) report(world, 'interactive', `${call.program} -i`);
    if (code !== undefined) judgeCode('python', code, call, world);
    else if (module !== undefined) runsModule(args, call, world);
    else runsOperand('python', args, call, world);
  },
};

/** Perl's options: one word may hold several, and `-e` or `-i` end it. */
function judgePerlCall(_args: Arguments, call: Call, world: World): void {
  const codes: string[] = [];
  let edits = false;
  let at = 0;
  for (; at < call.args.length; at++) {
    const arg = call.args[at] as string;
    if (arg === '--' || !/^-./.test(arg)) break;
    const module = /^-[a-zA-Z]*[mM]-?([\w:]*)/.exec(arg);
    if (module && !/^-[^mMeE]*[eE]/.test(arg)) {
      const name = module[1] || '';
      if (
        !/^(strict|warnings|utf8|List::Util|POSIX|Data::Dumper|JSON::PP|Time::Local|Time::Piece|bigint|bignum|Encode|open|Text::Wrap|Text::Tabs|MIME::Base64|Digest::\w+|5\.\d+|feature|integer|Math::\w+)$/.test(
          name,
        )
      ) {
        report(world, 'run-any', `perl ${shown(arg)}`);
      }
      continue;
    }
    if (/^-[a-zA-Z0-9]*d/.test(arg) && !/^-[^d]*[eEiIFxD]/.test(arg))
      report(world, 'interactive', 'the Perl debugger');
    if (/^-[^eEiI]*i/.test(arg)) edits = true;
    const code =
      /^-[^eEiIF]*[eE](.*)$/s.exec(arg) ?? (/^-[a-zA-Z0-9.]*i[^eE]*[eE]$/.test(arg) ? ['', ''] : null);
    if (code) codes.push(code[1] || (call.args[++at] ?? ''));
  }
  const rest = call.args.slice(call.args[at] === '--' ? at + 1 : at);
  for (const code of codes) judgeCode('perl', code, call, world);
  if (codes.length > 0) for (const file of rest) edits ? writes(world, call, file) : reads(world, call, file);
  else if (rest[0] !== undefined) executes(world, call, rest[0], 'perl');
  else if (!/^--?(v|V|version)$/.test(call.args[0] ?? '')) runsContent(world, call, call.stdin, '', 'perl');
}

const ruby = interpreter('ruby', '-e', {
  options: { '-I -C -E -K -T -W -x': 'text', '-r': 'text' },
  also: (args, call, world) => {
    for (const name of args.values('-r')) {
      if (
        !/^(json|yaml|csv|set|date|time|digest|securerandom|base64|bundler\/setup|pp|English|ripper|benchmark|erb|\.\/.*)$/.test(
          name,
        )
      ) {
        report(world, name.startsWith('un') ? 'network-listen' : 'run-any', `ruby -r${shown(name)}`);
      }
    }
    if (args.has('-i') && args.has('-e')) for (const file of args.operands) writes(world, call, file);
  },
});

const php: Knowledge = {
  stops: true,
  takes: 'text',
  options: {
    '-r --run -B --process-begin -R --process-code -E --process-end': 'text',
    '-f --file': 'text',
    '-S --server': 'is:network-listen',
    '-c -t -z': 'text',
    '-d --define': 'text',
    '-F --process-file': 'load',
  },
  flags: { '-a --interactive': 'is:interactive', '-i --info': 'is:read-secret' },
  also: (args, call, world) => {
    const codes = args.values('-r', '--run', '-B', '-R', '-E');
    for (const code of codes) judgeCode('php', code, call, world);
    for (const setting of args.values('-d', '--define')) {
      if (
        !/^(memory_limit|xdebug\.\w+|display_errors|error_reporting|date\.timezone|max_execution_time|opcache\.\w+|zend\.assertions|assert\.\w+|short_open_tag|pcov\.\w+|phar\.readonly|apc\.\w+|precision)\b/.test(
          setting,
        )
      ) {
        report(world, 'run-any', `php -d ${shown(setting)}`);
      }
    }
    const file = args.value('-f', '--file');
    if (file !== undefined) executes(world, call, file, 'php');
    else if (args.has('-l', '--syntax-check')) for (const path of args.operands) reads(world, call, path);
    else if (codes.length === 0 && !args.has('-S', '-a', '-m', '-i', '-v', '-n', '-w', '-s'))
      runsOperand('php', args, call, world);
  },
};

const node: Knowledge = {
  stops: true,
  oneDash: true,
  takes: 'text',
  options: {
    '-e --eval -p --print -pe': 'text',
    '-r --require --import --loader --experimental-loader': 'load',
    '--env-file --env-file-if-exists': 'read',
    '--test-reporter --test-name-pattern --test-concurrency --max-old-space-size --conditions -C --input-type --stack-trace-limit --watch-path --test-reporter-destination --title --icu-data-dir':
      'text',
  },
  also: (args, call, world) => {
    const codes = args.values('-e', '--eval', '-p', '--print', '-pe');
    for (const code of codes) judgeCode('javascript', code, call, world);
    if (args.has('-i', '--interactive')) report(world, 'interactive', `${call.program} -i`);
    if (args.has('--test')) return report(world, 'build', `${call.program} --test`);
    if (args.has('--run')) return runsTask(world, args.operands[0] ?? '');
    if (args.has('-c', '--check')) for (const path of args.operands) reads(world, call, path);
    else if (codes.length === 0) runsOperand('javascript', args, call, world);
  },
};

export const interpreters: Family = {
  ...many('python python2 python3 pypy pypy3', python),
  ...many('node nodejs', node),
  perl: { own: true, also: judgePerlCall },
  ruby,
  jruby: ruby,
  php,
  ...many(
    'lua luajit',
    interpreter('lua', '-e', { options: { '-l': 'is:run-any' }, flags: { '-i': 'is:interactive' } }),
  ),
  ...many('Rscript', interpreter('printing', '-e', { options: { '--default-packages': 'text' } })),
  ...many('R', interpreter('printing', '-e', { options: { '-f --file': 'load' } })),
  ...many(
    'julia',
    interpreter('printing', '-e --eval -E --print', {
      options: { '-t --threads -p': 'text', '-J --sysimage -L --load': 'load' },
      flags: { '--project': 'text' },
    }),
  ),
  ...many(
    'groovy scala elixir iex erl ghci runghc runhaskell bb tclsh wish guile racket sbcl clisp gst swipl gprolog octave matlab gnuplot',
    interpreter('printing', '-e -eval --eval -x --execute', { oneDash: true }),
  ),
  ...many('ts-node tsx esno babel-node coffee', {
    stops: true,
    oneDash: true,
    takes: 'text',
    options: {
      '-e --eval -p --print -pe': 'text',
      '-r --require --import': 'load',
      '-P --project --tsconfig -O': 'text',
    },
    also: (args, call, world) => {
      const codes = args.values('-e', '--eval', '-p', '--print', '-pe');
      for (const code of codes) judgeCode('javascript', code, call, world);
      if (codes.length === 0)
        runsOperand(
          'javascript',
          args.operands[0] === 'watch' ? { ...args, operands: args.operands.slice(1) } : args,
          call,
          world,
        );
    },
  }),
  ...many('clj clojure', {
    is: 'build',
    oneDash: true,
    takes: 'text',
    options: { '-e --eval': 'is:run-code', '-i --init -m --main -Sdeps': 'text' },
    also: (args, call, world) => {
      if (call.args.length === 0) report(world, 'interactive', call.program);
      for (const file of args.operands.slice(0, 1)) executes(world, call, file, 'printing');
    },
  }),
  deno: {
    options: { '-c --config --import-map --lock': 'text' },
    subs: {
      run: {
        stops: true,
        takes: 'text',
        also: (args, call, world) => runsOperand('javascript', args, call, world),
      },
      eval: {
        stops: true,
        takes: 'text',
        also: (args, call, world) => judgeCode('javascript', args.operands[0] ?? '', call, world),
      },
      ...many('test bench fmt lint check doc info cache coverage types task compile bundle vendor outdated', {
        is: 'build',
        takes: ['task', 'text'],
      }),
      ...many('install add remove update', {
        is: 'install',
        takes: 'text',
        flags: { '-g --global': 'is:install-outside' },
      }),
      publish: 'is:publish',
      deploy: 'is:deploy',
      ...many('upgrade uninstall', 'is:install-outside'),
      repl: 'is:interactive',
    },
    bare: 'interactive',
  },
  ...many('irb pry ipython bpython ptpython jshell phpdbg psysh dotnet-script ghci utop ocaml jdb', {
    is: 'interactive',
    takes: 'text',
  }),
  ...many(
    'osascript jjs jrunscript js gjs qjs mawk-shell expect tclsh8 dbx lldb gdb r2 radare2 wscript cscript mshta powershell pwsh cmd',
    { is: 'run-code', takes: 'text' },
  ),
};
