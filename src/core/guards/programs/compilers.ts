import { reads, runsFile, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { hasAnything, shown } from '../marks.ts';
import { executes } from '../run-file.ts';
import { runsTask } from '../tasks.ts';
import { tool } from './build.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** Compilers: outputs are written, plugins and wrappers run. */
const compiler: Knowledge = {
  is: 'build',
  oneDash: true,
  takes: 'text',
  options: {
    '-o -MF --output': 'write',
    '-wrapper --wrapper': 'is:run-any',
    '-x -include -I -L -D -U -isystem -idirafter -arch -target -Xlinker -Xcompiler -MT -MQ -framework -T -Xclang -mllvm':
      'text',
  },
  also: (args, call, world) => {
    for (const arg of call.args) {
      if (/^-(fplugin|specs|B\/|fuse-ld=\/|Wl,.*plugin|wrapper)/.test(arg))
        report(world, 'run-any', shown(arg));
      else if (/^@/.test(arg)) reads(world, call, arg.slice(1), 'odd');
      else if (/^-o./.test(arg) && !/^-o(bj|pt|n$)/.test(arg)) writes(world, call, arg.slice(2));
    }
    const index = call.args.indexOf('-x');
    const reading = index !== -1 && args.operands.some((path) => path.startsWith('/'));
    for (const path of args.operands)
      if (path.startsWith('/') || path.startsWith('..'))
        reads(world, call, path, reading ? 'odd' : 'content');
  },
};

const cargoItself: Knowledge = {
  options: {
    '--config': 'setting',
    '--manifest-path': 'load',
    '--target-dir': 'write',
    '-p --package --features -F --target --bin --example --test --bench --profile -j --jobs --color --message-format -Z -C --exclude':
      'text',
  },
  subs: {
    ...many(
      'build b check c test t bench doc d run r clippy fmt clean tree metadata verify-project locate-project fix nextest llvm-cov expand audit deny outdated udeps machete tarpaulin miri pkgid report rustc rustdoc watch hack criterion make mutants bloat asm geiger',
      { is: 'build', takes: 'text', stops: true },
    ),
    ...many('fetch update add remove rm generate-lockfile vendor init new', {
      is: 'install',
      takes: 'text',
      options: { '--git --registry --index': 'is:run-remote' },
    }),
    ...many('search info help version', 'text'),
    install: { is: 'install-outside', takes: 'text' },
    uninstall: 'is:install-outside',
    ...many('publish yank owner login logout', { is: 'publish', takes: 'text', dry: '--dry-run -n' }),
    package: 'is:build',
    release: { is: 'build', takes: 'text', flags: { '-x --execute': 'is:publish' } },
    sqlx: {
      subs: {
        ...many('prepare', 'is:build'),
        database: {
          subs: { drop: 'is:database-destroy', reset: 'is:database-destroy', create: 'is:database-write' },
        },
        migrate: 'is:database-migrate',
      },
    },
  },
};

/** `cargo +nightly fmt`: a toolchain that is installed already, then the same words. */
const cargo: Knowledge = {
  ...cargoItself,
  subs: { ...cargoItself.subs, ...many('+stable +beta +nightly', cargoItself) },
};

const go: Knowledge = {
  options: { '-C': 'load' },
  subs: {
    ...many('build test vet fmt list doc env version tool clean fix help generate bug work telemetry', {
      is: 'build',
      oneDash: true,
      takes: 'text',
      options: {
        '-o -coverprofile -cpuprofile -memprofile -blockprofile -trace': 'write',
        '-exec -toolexec -vettool': 'is:run-any',
        '-run -tags -count -timeout -bench -ldflags -gcflags -mod -p -f -skip -coverpkg -covermode -parallel -cpu -benchtime -fuzz -fuzztime':
          'text',
        '-modfile -overlay': 'text',
      },
      flags: { '-w': 'is:persistence', '-u': 'text' },
    }),
    run: {
      is: 'build',
      oneDash: true,
      stops: true,
      takes: 'text',
      options: { '-exec -toolexec': 'is:run-any', '-tags -ldflags -mod': 'text' },
      also: (args, call, world) => {
        const target = args.operands[0] ?? '.';
        if (/@/.test(target) || hasAnything(target)) report(world, 'run-remote', shown(target));
        else if (!/^[\w.-]+\.[a-z]+\//.test(target)) executes(world, call, target, 'printing');
      },
    },
    mod: { is: 'install', takes: 'text' },
    get: { is: 'install', takes: 'text' },
    install: {
      is: 'build',
      takes: 'text',
      also: (args, _call, world) => {
        if (args.operands.some((name) => name.includes('@') || hasAnything(name)))
          report(world, 'install-outside', shown(args.operands.join(' ')));
      },
    },
  },
};

const dotnet: Knowledge = {
  subs: {
    ...many(
      'build test run restore clean format watch msbuild publish pack new sln list --info --version --list-sdks vstest help store stryker',
      { is: 'build', takes: 'text', stops: true, options: { '-o --output': 'write' } },
    ),
    ...many('add remove', { is: 'install', takes: 'text' }),
    nuget: {
      subs: { ...many('list locals why verify', 'text'), ...many('push delete', 'is:publish') },
      otherwise: 'is:persistence',
    },
    tool: {
      subs: { ...many('list restore search', 'text'), run: { is: 'build', takes: 'text' } },
      otherwise: 'is:install-outside',
    },
    ef: {
      subs: {
        'migrations add': 'is:write',
        'migrations list': 'text',
        'migrations script': 'text',
        'migrations remove': 'is:write',
        'database update': 'is:database-migrate',
        'database drop': 'is:database-destroy',
        'dbcontext list': 'text',
        'dbcontext info': 'text',
        'dbcontext scaffold': 'is:write',
      },
    },
    ...many('user-secrets dev-certs', 'is:read-secret'),
    exec: { is: 'build', takes: 'text' },
  },
  otherwise: {
    is: 'build',
    takes: 'text',
    also: (args, call, world) => runsFile(world, call, args.operands[0] ?? ''),
  },
};

const jvm: Knowledge = {
  is: 'build',
  oneDash: true,
  takes: 'text',
  options: {
    '-f --file --build-file -b -p --project-dir -c --settings-file -s --settings -pl --projects -P --activate-profiles -x --exclude-task --tests -t --toolchains -gs -T --threads -Dtest -l --log-file -g --gradle-user-home --max-workers':
      'text',
    '-I --init-script': 'load',
  },
  also: (args, _call, world) => {
    for (const word of args.operands) judgeGoal(word, world);
  },
};

/** Goals of Maven and tasks of Gradle: most build, some leave the machine. */
function judgeGoal(word: string, world: World): void {
  if (/^(exec:|antrun:|groovy:|shell:)/.test(word)) report(world, 'run-any', word);
  else if (
    /^(.*:)?(publish\w*|uploadArchives|bintrayUpload|closeAndRelease\w*|nexus-staging:\w+|deploy:deploy-file|site-deploy|jib$|dockerPush|jib:build)$/.test(
      word,
    ) &&
    !/ToMavenLocal$/.test(word)
  )
    report(world, 'publish', word);
  else if (/^deploy$|^release:/.test(word)) report(world, 'publish', word);
  else if (
    /^(flyway|liquibase|flyway\w+|update)[:\w]*/.test(word) &&
    /(migrate|update|Migrate|clean|drop)/.test(word)
  )
    report(world, /clean|drop/i.test(word) ? 'database-destroy' : 'database-migrate', word);
  else if (!/^[\w.-]+:[\w-]+$/.test(word)) runsTask(world, word.split(':').at(-1) ?? word);
}

/** Other compilers: inline code is a question, and so is code loaded into the compiler itself. */
const compilerTool: Knowledge = {
  ...tool,
  oneDash: true,
  options: {
    ...tool.options,
    '-e --eval --exec --execute': 'is:run-code',
    '-C -Z -processor -processorpath -plugin': 'text',
  },
  also: (_args, call, world) => {
    for (const arg of call.args) {
      if (
        /^-J-?(agentpath|javaagent|agentlib)|^-(Xplugin|processorpath|load|fplugin)|linker=\S*\/|^-Clinker/.test(
          arg,
        )
      )
        report(world, 'run-any', shown(arg));
    }
  },
};

export const compilers: Family = {
  ...many('mvn mvnw gradle gradlew', jvm),
  ...many(
    'gcc g++ cc c++ clang clang++ c89 c99 tcc icc icx nvcc gfortran gnat gdc ldc2 dmd fpc cpp ld lld gold as nasm yasm',
    compiler,
  ),
  ...many(
    'javac kotlinc scalac groovyc rustc ghc ocamlc ocamlopt ocamlfind erlc elixirc coqc agda idris nim valac dmcs mcs csc vbc fsc luac moonc sass scss lessc stylus postcss tailwindcss protoc thrift flatc capnp grpc_tools antlr4 bison yacc flex lex re2c ragel swig gperf rpcgen windres strip objcopy ranlib dlltool install_name_tool lipo wasm-pack wasm-bindgen emcc em++ wat2wasm wasm2wat wasm-opt binaryen cython',
    compilerTool,
  ),
  ...many('nm objdump readelf size addr2line c++filt ldd otool dwarfdump pahole javap jdeps', {
    takes: 'text',
    also: (args: Arguments, call: Call, world: World) => {
      for (const path of args.operands)
        path.startsWith('@') ? reads(world, call, path.slice(1), 'odd') : reads(world, call, path);
    },
  }),
  java: {
    is: 'build',
    oneDash: true,
    stops: true,
    takes: 'text',
    options: {
      '-cp -classpath --class-path -jar -m --module -p --module-path -D': 'text',
      '-javaagent -agentlib -agentpath': 'load',
    },
    also: (args, call, world) => {
      const jar = args.value('-jar');
      if (jar !== undefined) runsFile(world, call, jar);
      if (
        call.args.some((arg) =>
          /^-(agentpath|javaagent|agentlib|XX:On\w*Error|Xbootclasspath)[:=/]/.test(arg),
        )
      )
        report(world, 'run-any', 'a Java agent');
    },
  },
  cargo,
  go,
  dotnet,
};
