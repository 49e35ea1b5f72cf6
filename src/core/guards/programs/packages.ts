import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { unknownFlow } from '../shell/state.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';
import { install, judgePackages, registry } from './installing.ts';
import { exec, script } from './npm.ts';

const pip: Knowledge = {
  options: {
    '-r --requirement -c --constraint': 'read',
    '-i --index-url --extra-index-url -f --find-links': registry,
    '-e --editable': 'text',
    '-t --target --prefix --root -d --dest --log': 'write',
    '--python --proxy --trusted-host --cert --client-cert --cache-dir --platform --python-version --abi --implementation --only-binary --no-binary --config-settings --global-option --report --progress-bar --format --path --timeout --retries --exists-action --upgrade-strategy --src':
      'text',
  },
  subs: {
    install: install({
      dry: '--dry-run',
      flags: { '--break-system-packages --user': 'is:install-outside' },
      also: (args, call, world) => {
        for (const path of args.values('-e', '--editable'))
          judgePackages({ ...args, operands: [path] }, call, world);
      },
    }),
    ...many('download wheel', install()),
    ...many('list freeze show check search index inspect help hash debug tree', 'text'),
    ...many('compile sync', { is: 'install', takes: 'text', options: { '-o --output-file': 'write' } }),
    uninstall: 'is:install',
    cache: { subs: { ...many('dir info list', 'text'), ...many('purge remove', 'is:install') } },
    config: { subs: { ...many('list get debug', 'text'), ...many('set unset edit', 'is:persistence') } },
  },
};

const runs = (skip = 0): Knowledge => ({ wraps: skip });

export const packages: Family = {
  ...many('pip pip3 pip2', pip),
  pipx: {
    subs: {
      run: exec,
      ...many('list environment', 'text'),
      ...many('install upgrade uninstall inject ensurepath upgrade-all reinstall', 'is:install-outside'),
    },
  },
  poetry: {
    options: { '-C --directory -P --project': 'load' },
    subs: {
      run: runs(),
      ...many('install add update lock remove sync init new', install()),
      ...many('show check env version about list search export help', 'text'),
      build: 'is:build',
      publish: { is: 'publish', takes: 'text', dry: '--dry-run' },
      shell: 'is:run-shell',
      config: 'is:persistence',
      ...many('self cache source', 'is:install-outside'),
    },
  },
  ...many('pipenv pdm rye hatch', {
    subs: {
      run: {
        stops: true,
        takes: 'text',
        prints: (args: Arguments, call: Call, world: World) =>
          args.operands.length > 0 ? world.run(args.operands, call) : unknownFlow,
      },
      ...many(
        'install add update lock sync remove uninstall init clean graph check list show info version requirements export outdated verify fetch pin new env dep',
        install(),
      ),
      ...many('build test fmt lint', 'is:build'),
      shell: 'is:run-shell',
      publish: 'is:publish',
    },
  }),
  uv: {
    options: {
      '--directory --project --python -p --config-file --cache-dir --env-file --with --with-requirements --group --extra --only-group':
        'text',
      '--index-url --extra-index-url --default-index --index': registry,
    },
    subs: {
      run: runs(),
      ...many('sync lock add remove init venv tree export version help', install()),
      pip: pip,
      ...many('tool', { subs: { run: exec, list: 'text', dir: 'text' }, otherwise: 'is:install-outside' }),
      python: { subs: { ...many('list find dir', 'text') }, otherwise: 'is:install-outside' },
      build: 'is:build',
      publish: 'is:publish',
      cache: { subs: { dir: 'text' }, otherwise: 'is:install' },
      self: 'is:install-outside',
    },
  },
  uvx: exec,
  ...many('conda mamba micromamba', {
    subs: {
      ...many('list info search help', 'text'),
      run: { wraps: 0, options: { '-n --name -p --prefix': 'text' } },
      ...many('install create update upgrade remove uninstall', {
        is: 'install',
        takes: 'text',
        options: { '-n --name -p --prefix -c --channel -f --file': 'text' },
      }),
      ...many('activate deactivate', 'text'),
      env: { subs: { ...many('list export', 'text') }, otherwise: 'is:install' },
      ...many('clean config init', 'is:install-outside'),
    },
  }),
  gem: {
    subs: {
      ...many(
        'list search query info specification contents dependency environment env help outdated which fetch unpack',
        'text',
      ),
      ...many(
        'install update uninstall cleanup pristine',
        install({ options: { '-i --install-dir -n --bindir': 'write', '-s --source': registry } }),
      ),
      build: 'is:build',
      ...many('push yank owner signin signout', 'is:publish'),
      open: 'is:run-any',
      exec: exec,
      sources: 'is:persistence',
    },
  },
  ...many('bundle bundler', {
    bare: 'install',
    subs: {
      exec: runs(),
      ...many(
        'install update add lock check list info show outdated cache clean package remove init binstubs doctor pristine',
        install(),
      ),
      config: { subs: { ...many('list get', 'text') }, otherwise: 'is:git-local' },
      ...many('gem', 'is:write'),
      ...many('console open viz', 'is:interactive'),
    },
  }),
  composer: {
    options: { '-d --working-dir': 'load' },
    subs: {
      ...many(
        'install update require remove dump-autoload dumpautoload create-project init reinstall bump',
        install({ options: { '--repository --repository-url': registry } }),
      ),
      ...many(
        'show info outdated validate why why-not depends prohibits diagnose licenses status suggests search about check-platform-reqs audit browse fund list help',
        'text',
      ),
      ...many('run run-script', script),
      exec: runs(),
      ...many('test lint', 'is:build'),
      ...many('global self-update selfupdate config', 'is:install-outside'),
      archive: 'is:write',
    },
    otherwise: { is: 'run-workspace', takes: ['task', 'text'] },
  },
  ...many('nuget paket', {
    subs: {
      ...many('restore install update list locals search outdated', 'is:install'),
      ...many('push delete', 'is:publish'),
      pack: 'is:build',
      setapikey: 'is:publish',
    },
  }),
  ...many('twine', { subs: { check: 'read', ...many('upload register', 'is:publish') } }),
  ...many('flit', { subs: { ...many('build install', 'is:build'), publish: 'is:publish' } }),
  ...many('vsce ovsx', {
    subs: {
      ...many('package ls show search', 'is:build'),
      ...many('publish unpublish login create-publisher', 'is:publish'),
    },
  }),
  ...many('lerna', {
    subs: {
      ...many('run bootstrap list ls changed diff clean info init link', {
        is: 'build',
        takes: ['task', 'text'],
      }),
      exec: runs(),
      ...many('publish', 'is:publish'),
      version: 'is:git-push',
    },
  }),
  ...many('changeset', {
    subs: { ...many('status version add init pre', 'is:write'), publish: 'is:publish', tag: 'is:git-local' },
    bare: 'write',
  }),
  ...many('semantic-release release-it np', { is: 'publish', takes: 'text', dry: '--dry-run -d' }),
  ...many('goreleaser', {
    subs: {
      ...many('check build init healthcheck', 'is:build'),
      release: { is: 'publish', takes: 'text', dry: '--snapshot --skip-publish' },
    },
  }),
  ...many(
    'apt apt-get aptitude yum dnf zypper pacman apk emerge brew port snap flatpak nix-env dpkg rpm pkg_add opkg xbps-install yay paru choco scoop winget',
    { own: true, also: (_args: Arguments, call: Call, world: World) => systemPackages(call, world) },
  ),
  ...many('apt-cache dpkg-query pkg-config', 'text'),
  ...many(
    'apt-key add-apt-repository apt-mark dpkg-reconfigure update-alternatives alternatives',
    'is:install-outside',
  ),
  ...many('nvm fnm n volta', {
    subs: {
      ...many('ls list current which version ls-remote list-remote env --version', 'text'),
      ...many('use', 'text'),
      exec: runs(1),
      run: runs(),
    },
    otherwise: 'is:install-outside',
  }),
  ...many('rustup', {
    subs: {
      ...many('show which doc help check', 'text'),
      run: runs(1),
      toolchain: { subs: { list: 'text' }, otherwise: 'is:install-outside' },
      target: { subs: { list: 'text' }, otherwise: 'is:install-outside' },
      component: { subs: { list: 'text' }, otherwise: 'is:install-outside' },
    },
    otherwise: 'is:install-outside',
  }),
  ...many('nix nix-shell nix-build nix-instantiate', { is: 'run-any', takes: 'text' }),
  ...many('corepack', 'is:install-outside'),
  ...many(
    'create-react-app create-next-app create-vite create-vue create-svelte create-astro create-remix degit',
    { is: ['network-in', 'write'], takes: 'text' },
  ),
};

/** Package managers of the system: asking is reading, anything else changes the machine. */
const asking =
  /^(list|search|show|info|policy|depends|rdepends|madison|query|why|deps|leaves|outdated|doctor|config|home|desc|uses|cat|log|contents|repolist|repoinfo|provides|whatprovides|check-update|help|--list|--search|--version|--help|--prefix|--cellar|commands|tap-info|find|which)$/;
const askingOptions: Record<string, RegExp> = {
  dpkg: /^(-l|-L|-s|-S|-I|-W|-p|-c|--list|--listfiles|--status|--search|--contents|--info|--print-architecture)$/,
  rpm: /^-q\w*$/,
  pacman: /^-(Q\w*|S[si]+)$/,
  apk: /^-[vV]$/,
};

function systemPackages(call: Call, world: World): void {
  const verb = call.args.find((arg) => !/^(-y|--yes|-q|--quiet|--no-\w+|--assume\w+)$/.test(arg)) ?? '';
  const isDry = call.args.some((arg) => /^(--dry-run|--simulate|--just-print|--recon|--print)$/.test(arg));
  const isRun = call.args.some(
    (arg) =>
      /^(-o|--option|--admindir|--root|-c)$/.test(arg) || /^-o\S/.test(arg) || /^APT::|Pre-Invoke/.test(arg),
  );
  if (isRun && !askingOptions[call.program]?.test(verb))
    report(world, 'run-any', shown([call.program, ...call.args].join(' ')));
  else if (verb === 'changelog' && call.program.startsWith('apt'))
    report(world, 'interactive', `${call.program} changelog`);
  else if (asking.test(verb) || askingOptions[call.program]?.test(verb) || isDry)
    report(world, 'read', shown(`${call.program} ${verb}`));
  else report(world, 'install-outside', shown(`${call.program} ${call.args.join(' ')}`));
}
