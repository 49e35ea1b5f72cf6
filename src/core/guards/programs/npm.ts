import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { unknownFlow } from '../shell/state.ts';
import { runsTask } from '../tasks.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';
import { install, registry } from './installing.ts';

/** Scripts a package manager runs by name, and words after `--` that are the script's own. */
export const script: Knowledge = { is: 'run-workspace', takes: ['task', 'text'], stops: true };

/** `npx tool …`: a tool of the project or the registry is judged as that tool; an unknown one is unknown. */
function runsTool(args: Arguments, call: Call, world: World) {
  const shell = args.value('-c', '--call');
  if (shell !== undefined) return world.script(shell, call);
  const [name = '', ...rest] = args.operands;
  const packages = args.values('-p', '--package');
  if (packages.length > 0) report(world, 'unknown', `packages ${shown(packages.join(' '))}`);
  if (name === '') return unknownFlow;
  if (/^[\w.+-]+:|^(?!@)[\w.-]+\/|^[~/]/.test(name)) {
    report(world, 'run-remote', shown(name));
    return unknownFlow;
  }
  const bare = name
    .replace(/(.)@[\w.^~*-]+$/, '$1')
    .replace(/^@[\w.-]+\/(?:cli|create-)?/, (scope) => scopes[scope] ?? scope);
  return world.run([bare === '' ? name : bare, ...rest], call);
}

const scopes: Record<string, string> = {
  '@biomejs/': '',
  '@angular/cli': 'ng',
  '@vue/cli': 'vue',
  '@nestjs/cli': 'nest',
  '@playwright/': 'playwright-',
  '@changesets/cli': 'changeset',
  '@stoplight/': '',
  '@redocly/cli': 'redocly',
  '@storybook/cli': 'storybook',
  '@tailwindcss/cli': 'tailwindcss',
  '@swc/cli': 'swc',
  '@babel/cli': 'babel',
  '@microsoft/': '',
  '@typescript-eslint/': '',
};

export const exec: Knowledge = {
  stops: true,
  takes: 'text',
  options: { '-c --call -p --package -w --workspace --dir -C': 'text' },
  prints: runsTool,
};

const npmConfig: Knowledge = {
  subs: {
    ...many('get list ls', 'text'),
    ...many('set delete edit fix', {
      takes: 'text',
      also: (args, _call, world) =>
        report(world, 'persistence', shown(`npm config ${args.operands.join(' ')}`)),
    }),
  },
  otherwise: 'text',
};

const npmOptions = {
  '--prefix -C --dir --cwd': 'load',
  '-w --workspace --filter -F --tag --loglevel --omit --include --otp --access --depth --save-prefix --concurrency --reporter --location --userconfig --globalconfig --cache --install-strategy --before --color --network-timeout --modules-folder --mutex --network-concurrency --workspace-concurrency':
    'text',
  '--registry': registry,
  '--script-shell --node-options --shell': 'is:run-any',
} as const;

const globalInstall = {
  '-g --global': 'is:install-outside',
  '--location=global': 'is:install-outside',
} as const;

const npm: Knowledge = {
  options: npmOptions,
  bare: 'read',
  subs: {
    ...many(
      'install i in add ci clean-install install-ci-test it install-test cit update up upgrade dedupe ddp rebuild rb prune audit link ln uninstall un remove rm r shrinkwrap fund import',
      install({ flags: globalInstall }),
    ),
    ...many('test t tst start stop restart', { is: 'build', takes: 'text', stops: true }),
    ...many('run run-script rum urn', script),
    ...many('exec x', exec),
    ...many(
      'ls list ll la view v info show outdated search find explain why root prefix bin help help-search ping doctor query sbom diff completion docs repo bugs home whoami pkg-get',
      'text',
    ),
    version: { is: 'git-local', takes: 'text', options: { '-m --message --preid': 'text' } },
    ...many('config c', npmConfig),
    ...many('get', 'text'),
    set: 'is:persistence',
    pack: { is: 'write', takes: 'text', options: { '--pack-destination': 'write' } },
    init: {
      is: 'write',
      stops: true,
      takes: 'text',
      also: (args, call, world) => {
        if (args.operands[0]) world.run([`create-${args.operands[0]}`, ...args.operands.slice(1)], call);
      },
    },
    create: {
      stops: true,
      takes: 'text',
      prints: (args, call, world) =>
        world.run([`create-${args.operands[0] ?? ''}`, ...args.operands.slice(1)], call),
    },
    innit: { is: 'write', takes: 'text' },
    cache: { subs: { ...many('verify ls', 'text'), ...many('clean add', 'is:install') } },
    pkg: {
      subs: {
        get: 'text',
        ...many('set delete fix', {
          is: 'write',
          takes: 'text',
          also: (args, _call, world) => {
            if (args.operands.some((word) => /^(scripts|bin|publishConfig)\b/.test(word)))
              report(world, 'pipeline-change', shown(args.operands.join(' ')));
          },
        }),
      },
    },
    ...many('publish unpublish deprecate undeprecate', { is: 'publish', takes: 'text', dry: '--dry-run' }),
    ...many(
      'access owner author team org hook token profile login logout adduser add-user star unstar stars',
      'is:publish',
    ),
    ...many('dist-tag dist-tags', { subs: { ...many('ls list', 'text') }, otherwise: 'is:publish' }),
    ...many('edit explore', 'is:run-shell'),
  },
};

const yarnLike: Knowledge = {
  options: npmOptions,
  bare: 'install',
  subs: {
    ...npm.subs,
    ...many('why info list outdated licenses constraints workspaces-info bin dir', 'text'),
    ...many('global', { subs: { ...many('bin dir list', 'text') }, otherwise: 'is:install-outside' }),
    dlx: exec,
    npm: {
      subs: {
        publish: 'is:publish',
        ...many('info whoami audit', 'text'),
        ...many('login logout tag', 'is:publish'),
      },
    },
    workspace: {
      stops: true,
      takes: 'text',
      prints: (args, call, world) => world.run([call.program, ...args.operands.slice(1)], call),
    },
    ...many('workspaces', {
      stops: true,
      takes: 'text',
      prints: (args, call, world) =>
        args.operands[0] === 'foreach' || args.operands[0] === 'run'
          ? world.run([call.program, ...args.operands.slice(1).filter((word) => !word.startsWith('-'))], call)
          : unknownFlow,
    }),
    ...many('plugin set', 'is:pipeline-change'),
    ...many('recursive -r multi m', {
      stops: true,
      takes: 'text',
      prints: (args, call, world) => world.run([call.program, ...args.operands], call),
    }),
    ...many('store server fetch patch patch-commit approve-builds self-update env setup', 'is:install'),
    node: {
      stops: true,
      takes: 'text',
      prints: (args, call, world) => world.run(['node', ...args.operands], call),
    },
  },
  otherwise: {
    stops: true,
    takes: 'text',
    is: 'run-workspace',
    also: (args, _call, world) => {
      runsTask(world, args.operands[0] ?? '');
    },
  },
};

export const nodePackages: Family = {
  npm,
  yarn: yarnLike,
  pnpm: { ...yarnLike, subs: { ...yarnLike.subs, deploy: 'is:write' } },
  bun: {
    ...yarnLike,
    bare: 'read',
    subs: {
      ...yarnLike.subs,
      ...many('run', script),
      ...many('build', 'is:build'),
      ...many('repl', 'is:interactive'),
      ...many('upgrade', 'is:install-outside'),
      x: exec,
    },
    options: { ...npmOptions, '-e --eval -p --print': 'is:run-code', '-r --preload': 'load' },
  },
  ...many('npx pnpx bunx dlx', exec),
};
