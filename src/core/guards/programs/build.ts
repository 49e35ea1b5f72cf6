import { runsFile, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { judgeVariable } from '../environment.ts';
import { hasAnything, shown } from '../marks.ts';
import { runsTask } from '../tasks.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** A tool that builds, checks or formats the workspace by running its code. */
export const tool: Knowledge = {
  is: 'build',
  takes: 'text',
  options: {
    '-o --output --out --outfile --out-dir --outdir --outDir --outFile --output-dir --output-path --dist-dir --report-dir --junitxml --output-file':
      'write',
  },
};
/** The same, with its first words naming targets of the project. */
export const targets: Knowledge = { ...tool, takes: 'task' };

/** `make VAR=value target`: variables may be commands, targets are the project's own. */
function judgeMake(args: Arguments, call: Call, world: World): void {
  for (const word of args.operands) {
    const variable = /^([A-Za-z_]\w*)[:?+]?=(.*)$/s.exec(word);
    if (variable) judgeVariable(variable[1] as string, variable[2] as string, call, world);
    else if (word === 'install' || word === 'uninstall')
      report(world, 'install-outside', `the target ${word}`);
    else runsTask(world, word);
  }
  for (const file of args.values('-f', '--file', '--makefile')) {
    if (file === '-' || file === '/dev/stdin')
      report(world, 'opaque', 'a makefile that comes through a pipe');
    else runsFile(world, call, file);
  }
  for (const code of args.values('--eval', '-E'))
    void (/\$\(shell|!=|:\s*;|\n\t/.test(code) || !/^[\w\s:=.]*$/.test(code)
      ? report(world, 'run-code', shown(code))
      : undefined);
  for (const folder of args.values('-C', '--directory'))
    if (hasAnything(folder)) report(world, 'run-any', `make in ${shown(folder)}`);
  if (call.args.some((arg) => /^-[sS]*-eval/.test(arg))) report(world, 'run-code', 'make --eval');
}

const make: Knowledge = {
  is: 'build',
  takes: 'text',
  options: {
    '-C --directory --jobs -l --load-average --old-file -W --what-if --new-file --assume-new': 'text',
    '-f --file --makefile --eval -E': 'text',
    '-I --include-dir': 'text',
  },
  also: judgeMake,
  dry: '-n --just-print --dry-run --recon',
};

export const build: Family = {
  ...many('make gmake bmake remake', make),
  ...many('ninja', {
    is: 'build',
    takes: 'task',
    options: { '-C -f -j -k -l -w -d': 'text', '-t': 'text' },
    dry: '-n',
  }),
  cmake: {
    is: 'build',
    oneDash: true,
    takes: 'text',
    options: {
      '-S -B -G -A -T -D -C --preset --build --target -t --config -j --parallel --install --prefix --component --toolchain':
        'text',
      '-P': 'load',
      '-E': 'text',
    },
    also: (args, call, world) => {
      const at = call.args.indexOf('-E');
      if (at !== -1) {
        const [verb = '', ...rest] = call.args.slice(at + 1);
        if (verb === 'env' || verb === 'time')
          world.run(
            rest.filter((word) => !/^(--unset=|[A-Z_]+=)/.test(word)),
            call,
          );
        else if (
          /^(rm|remove|remove_directory|copy|copy_directory|copy_if_different|rename|touch|make_directory|cat|echo|tar|create_symlink|compare_files|md5sum|sha256sum|sleep)$/.test(
            verb,
          )
        ) {
          const names: Record<string, string[]> = {
            remove: ['rm'],
            remove_directory: ['rm', '-r'],
            copy: ['cp'],
            copy_directory: ['cp', '-r'],
            copy_if_different: ['cp'],
            rename: ['mv'],
            make_directory: ['mkdir'],
            create_symlink: ['ln', '-s'],
            compare_files: ['cmp'],
          };
          world.run([...(names[verb] ?? [verb]), ...rest], call);
        } else report(world, 'unknown', `cmake -E ${shown(verb)}`);
      }
      if (args.has('--install')) report(world, 'install-outside', 'cmake --install');
      const target = args.value('--target', '-t');
      if (target !== undefined)
        target === 'install'
          ? report(world, 'install-outside', 'the install target')
          : runsTask(world, target);
      const folder = args.value('-B');
      if (folder !== undefined) writes(world, call, folder);
    },
  },
  ...many(
    'ctest meson scons waf bazel bazelisk buck buck2 pants please blaze xmake premake5 gn just task mage invoke inv fab tox nox ant sbt mill lein boot gulp grunt jake nx turbo rush wireit moon earthly dagger stack cabal dune rebar3 gleam shards nimble crystal zig swift xcodebuild flutter dart fvm melos tuist fastlane pod carthage',
    targets,
  ),
  ...many(
    'configure autogen.sh bootstrap autoreconf autoconf automake autoheader aclocal libtoolize libtool gettextize intltoolize',
    { is: 'build', takes: 'text' },
  ),
};
