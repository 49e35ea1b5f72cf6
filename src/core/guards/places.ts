import type { GuardContext } from './context.ts';
import { below, fillGlobs, fillNarrow, firstGlob, globMatches, hasGlob, isAllGlob, star } from './marks.ts';
import { baseName, isAbove, isInside } from './paths.ts';

/** Where a path lies, as far as that decides what touching it means. */
export type Place =
  | 'unknown'
  | 'nowhere'
  | 'socket'
  | 'disk'
  | 'device'
  | 'kernel'
  | 'root'
  | 'home'
  | 'workspace-root'
  | 'above-workspace'
  | 'above-home'
  | 'workspace'
  | 'git'
  | 'git-hooks'
  | 'pipeline'
  | 'tireless'
  | 'agent-hooks'
  | 'agent-settings'
  | 'startup'
  | 'temp'
  | 'temp-root'
  | 'outside';

const nowhere =
  /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;
const disk =
  /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|md|dm-|mapper\/|mapper$|sr\d|ram\d|nbd|zd\d|fd\d|root$|block|vg|lvm|bcache|drbd|pmem|mtd|cciss|dasd|scd|st\d|sg\d)/;
const drive = /^[A-Z]:(\/\*?)?$/;

/** Files that a shell, a login, a scheduler or a service manager runs by itself. Below the home folder. */
const homeStartup = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.inputrc',
  '.xinitrc',
  '.xprofile',
  '.xsession',
  '.xsessionrc',
  '.pam_environment',
  '.gitconfig',
  '.vimrc',
  '.emacs',
  '.tmux.conf',
  '.screenrc',
  '.pythonrc',
  '.irbrc',
  '.gdbinit',
  '.lesskey',
  '.npmrc',
  '.yarnrc',
  '.ssh',
  '.config/fish',
  '.config/autostart',
  '.config/systemd',
  '.config/git',
  '.config/pip',
  '.local/share/systemd',
  '.local/bin',
  'bin',
  '.vim',
  '.config/nvim',
  'Library/LaunchAgents',
  'Library/LaunchDaemons',
];
const systemStartup =
  /^\/(etc\/(cron|at\.|profile|bash|zsh|init|rc|systemd|ld\.so|pam\.d|sudoers|passwd|shadow|group|ssh|xdg\/autostart|udev|modprobe|modules|environment|hosts$|resolv|nsswitch|apt|yum|dnf|logrotate|update-motd|inittab|fstab|crypttab|exports)|var\/spool\/(cron|at)|usr\/lib\/systemd|lib\/systemd|Library\/Launch)/;

/** Files of the workspace that a forge or a package manager runs by itself. */
const pipeline =
  /^(\.github\/(workflows|actions)(\/|$)|\.gitlab-ci\.ya?ml$|\.circleci(\/|$)|\.travis\.yml$|azure-pipelines\.ya?ml$|\.azure-pipelines(\/|$)|jenkinsfile$|\.jenkins(\/|$)|bitbucket-pipelines\.yml$|\.drone\.ya?ml$|\.buildkite(\/|$)|\.woodpecker(\.ya?ml$|\/|$)|appveyor\.yml$|\.appveyor\.yml$|\.cirrus\.yml$|cloudbuild\.ya?ml$|\.semaphore(\/|$)|\.teamcity(\/|$)|\.forgejo\/workflows(\/|$)|\.gitea\/workflows(\/|$)|\.husky(\/|$)|\.githooks(\/|$)|lefthook\.ya?ml$|\.pre-commit-config\.yaml$|\.vscode\/(tasks|launch|settings)\.json$|\.envrc$|\.devcontainer(\/|$))/;

/** The folders of coding agents in a home, by the variable that moves them. */
export const agentFolders: ReadonlyMap<string, string> = new Map([
  ['CODEX_HOME', '.codex'],
  ['CLAUDE_CONFIG_DIR', '.claude'],
]);
/** Settings of coding agents that hold our hooks or what they may do unasked. */
const agentHooks =
  /(^|\/)(\.claude\/(settings[^/]*\.json|hooks(\/|$))|\.codex\/(config\.toml|hooks(\.json|\/|$))|\.gemini\/settings\.json|\.qwen\/settings\.json)$|(^|\/)\.claude\/hooks\//;
const agentSettings =
  /(^|\/)(\.mcp\.json|\.claude\.json|\.claude|\.codex|\.cursor\/(mcp|hooks)\.json|opencode\.jsonc?|\.opencode\/(plugin|plugins)\/.*|\.opencode\/opencode\.jsonc?|\.config\/opencode\/.*|\.gemini|\.aider\.conf\.yml)$/;

/** Where an absolute path lies. `undefined` is a path of which nothing is known. */
export function placeOf(path: string | undefined, context: GuardContext): Place {
  if (path === undefined) return 'unknown';
  const { workspace, home, tirelessHome } = context;
  if (path === '/') return 'root';
  if (path.startsWith('/dev/')) {
    if (nowhere.test(path)) return 'nowhere';
    if (/^\/dev\/(tcp|udp)\//.test(path)) return 'socket';
    if (disk.test(path)) return 'disk';
    return path.startsWith('/dev/shm/') ? 'temp' : 'device';
  }
  if (drive.test(path)) return 'disk';
  if (isInside(path, tirelessHome)) return 'tireless';
  if (agentHooks.test(path)) return 'agent-hooks';
  if (agentSettings.test(path)) return 'agent-settings';
  if (/(^|\/)\.git\/hooks(\/|$)/.test(path)) return 'git-hooks';
  if (isInside(path, workspace)) return placeInWorkspace(path, workspace);
  if (/^\/(proc|sys)(\/|$)/.test(path)) return nowhere.test(path) ? 'nowhere' : 'kernel';
  if (isAbove(path, workspace)) return path === home ? 'home' : 'above-workspace';
  if (path === home) return 'home';
  if (isAbove(path, home)) return 'above-home';
  if (isInside(path, home)) {
    if (/(^|\/)\.tireless(\/|$)/.test(path.slice(home.length))) return 'tireless';
    const rest = path.slice(home.length + 1);
    return homeStartup.some((entry) => isInside(rest, entry)) ? 'startup' : 'outside';
  }
  for (const temp of tempFolders(context)) {
    if (path === temp) return 'temp-root';
    if (isInside(path, temp)) return 'temp';
  }
  return systemStartup.test(path) || /^\/(home|Users)\/[^/]+\/\.(ssh|bashrc|profile|zshrc)/.test(path)
    ? 'startup'
    : 'outside';
}

const tempFolders = (context: GuardContext): readonly string[] =>
  context.temp ?? ['/tmp', '/var/tmp', '/private/tmp'];

export const isTempRoot = (path: string | undefined, context: GuardContext): boolean =>
  path !== undefined && tempFolders(context).includes(path);

/** Does this path lie in a temporary folder? */
export const isTemporary = (path: string, context: GuardContext): boolean =>
  tempFolders(context).some((temp) => isInside(path, temp));

function placeInWorkspace(path: string, workspace: string): Place {
  if (path === workspace) return 'workspace-root';
  const rest = workspace === '/' ? path.slice(1) : path.slice(workspace.length + 1);
  if (/(^|\/)\.tireless(\/|$)/.test(rest)) return 'tireless';
  if (/(^|\/)\.git\/hooks(\/|$)/.test(rest)) return 'git-hooks';
  if (/(^|\/)\.git(\/|$)/.test(rest)) return 'git';
  return pipeline.test(rest.toLowerCase()) ? 'pipeline' : 'workspace';
}

/** Names that hold keys, passwords or tokens wherever they lie. Matched on the lower-cased last part of a path. */
const secretName =
  /^(\.env(\..+)?|.+\.env|env\.(local|production|prod|staging)|id_(rsa|dsa|ecdsa|ed25519)[^/]*|[^/]+\.(pem|p12|pfx|jks|keystore|kdbx|ppk|ovpn|keytab)|(private|server|client|tls|ssl|secret|master|apikey|api_key|signing|deploy|host|root|ca)[-_.]?key(\.[a-z]+)?|[^/]+\.key|\.npmrc|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.pypirc|\.git-credentials|\.htpasswd|\.dockercfg|\.dockerconfigjson|\.vault-token|\.s3cfg|\.boto|\.rhosts|\.shadow|g?shadow-?|sudoers|master\.passwd|kubeconfig|credentials(\.(json|ya?ml|ini|toml|csv|db|xml))?|secrets?\.(json|ya?ml|toml|ini|env|txt|xml|properties)|application_default_credentials\.json|service[-_]?account[^/]*\.json|client_secrets?[^/]*\.json|auth\.json|tokens?\.txt|\.token|access[-_]?tokens?|passwords?(\.(txt|csv|json|ya?ml|db))?|passwd-|opasswd|wallet\.dat|login data|cookies|cookies\.sqlite|key[34]\.db|logins\.json|login\.keychain[^/]*|\.(bash|zsh|sh|python|mysql|psql|node_repl|sqlite|rediscli|irb|php)_?history|\.credentials\.json|rclone\.conf|terraform\.tfstate(\.backup)?|[^/]+\.tfvars)$/;
const publicName =
  /^(\.env\.(example|sample|template|dist|defaults?|schema|test)|example\.env|sample\.env|[^/]+\.pub|[^/]+\.(example|sample|template)|ca(-bundle|cert|certificates)?\.(pem|crt)|cert\.pem|fullchain\.pem|public[^/]*\.(pem|key))$/;
const secretPlace =
  /\/(\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.config\/gcloud|\.config\/gh|\.config\/hub|\.config\/op|\.password-store|\.docker\/config\.json|\.config\/rclone|\.cargo\/credentials[^/]*|\.gem\/credentials|\.m2\/settings[^/]*\.xml|\.gradle\/gradle\.properties|\.terraform\.d\/credentials[^/]*|\.local\/share\/keyrings|library\/keychains|library\/cookies|\.mozilla|\.thunderbird|\.config\/(google-chrome|chromium|brave[^/]*|microsoft-edge)|library\/application support\/(google|firefox|bravesoftware)|\.bitcoin|\.ethereum|\.electrum|etc\/ssl\/private|etc\/sudoers\.d|var\/lib\/secrets|run\/secrets|var\/run\/secrets|var\/lib\/kubelet|var\/spool\/mail|var\/mail|var\/backups|system32\/config)(\/|$)/;
const publicInSecretPlace =
  /\/(\.ssh\/(config|known_hosts[^/]*|[^/]+\.pub)|\.kube\/cache\/.*|\.aws\/config)$/;
const kernelSecret =
  /^\/proc\/([^/]+\/)?(environ|mem|kcore|kmem|root(\/.*)?)$|^\/proc\/[^/]+\/(task\/[^/]+\/)?environ$|^\/proc\/kcore$|^\/dev\/(mem|kmem|port)$/;

/** Names tried against a glob that could reach a secret without spelling it. */
const samples = [
  '.env',
  '.env.local',
  'id_rsa',
  'id_ed25519',
  '.npmrc',
  '.netrc',
  'credentials',
  'credentials.json',
  'secrets.yml',
  'shadow',
  '.git-credentials',
  '.pgpass',
  'server.key',
  'key.pem',
  '.bash_history',
];

/** Would reading this path show a key, a password or a token? */
export function isSecret(path: string, context: GuardContext): boolean {
  const name = baseName(path).toLowerCase();
  if (hasGlob(name)) return globReachesSecret(name) || secretPlace.test(path.toLowerCase());
  if (kernelSecret.test(path)) return true;
  if (isInside(path, context.tirelessHome)) return true;
  const lower = path.toLowerCase();
  if (publicInSecretPlace.test(lower) || publicName.test(name)) return false;
  if (secretName.test(name) || secretPlace.test(lower)) {
    return !isSourceOfSecretName(lower, context);
  }
  return /^\/root\//.test(path) && !isInside(path, context.home) && !isInside(path, context.workspace);
}

/** A source file or a fixture may be called after what it handles. */
function isSourceOfSecretName(lower: string, context: GuardContext): boolean {
  const inside = isInside(lower, context.workspace.toLowerCase());
  return inside && /\/(node_modules|site-packages|__fixtures__)\//.test(lower);
}

function globReachesSecret(name: string): boolean {
  const literal = fillGlobs(name, '');
  // A bare `*` or `*.txt` does not single out a secret; `.e*`, `id_*` or `*.pem` does.
  if (literal === '' || literal === '.') return false;
  const filled = fillGlobs(name, 'x');
  // `*.json` singles out a kind of file, not a secret; `*.pem` does both.
  if (name.startsWith(star) || name.startsWith(below)) return secretName.test(filled);
  return secretName.test(filled) || samples.some((sample) => globMatches(name, sample));
}

/** Folders whose whole content includes someone's secrets. */
export function isWide(path: string, context: GuardContext): boolean {
  const place = placeOf(path, context);
  if (
    /^\/(\.config|\.local|\.local\/share|Library|Library\/Application Support)$/.test(
      path.slice(context.home.length),
    ) &&
    isInside(path, context.home)
  )
    return true;
  if (place === 'root' || place === 'home' || place === 'above-home' || place === 'above-workspace')
    return true;
  return (
    /^\/(etc|root|home|Users|var)$/.test(path) ||
    /^\/(home|Users)\/[^/]+$/.test(path) ||
    firstGlob(path) === 1
  );
}

/** Places anybody on the machine may read: programs, libraries, settings, logs, and homes apart from their secrets. */
export const isOfSystem = (path: string, context: GuardContext): boolean =>
  isInside(path, context.home) ||
  /^\/(usr|etc|proc|sys|var|opt|lib|lib32|lib64|libx32|bin|sbin|dev|boot|run|snap|nix|home|System|Library|Applications|Users|private|cygdrive|c)(\/|$)/.test(
    path,
  ) ||
  hasGlob(path.split('/')[1] ?? '') ||
  /^[A-Z]:/.test(path);

/** Folders and files that a build, a test run or an editor makes again. */
const regenerableFolder =
  /^(build|builds|dist|out|output|target|node_modules|bower_components|jspm_packages|web_modules|\.next|\.nuxt|\.output|\.turbo|\.cache|cache|\.parcel-cache|\.vite|\.rollup\.cache|\.rpt2_cache[^/]*|\.webpack|\.svelte-kit|\.angular|\.astro|\.docusaurus|\.expo|\.serverless|\.vercel|storybook-static|coverage|\.nyc_output|htmlcov|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.venv|venv|virtualenv|\.eggs|[^/]*\.egg-info|\.ipynb_checkpoints|\.gradle|obj|debug|release|cmake-build-[^/]*|cmakefiles|_build|\.dart_tool|pods|deriveddata|\.build|\.terraform|\.stack-work|dist-newstyle|zig-cache|zig-out|\.zig-cache|\.bloop|\.metals|tmp|temp|\.tmp|\.temp|logs?|test-results|playwright-report|test-output|reports?|\.sass-cache|\.jekyll-cache|_site|\.bundle|\.phpunit\.cache|\.yarn\/cache|\.pnpm-store|\.eslintcache|\.stylelintcache|\.wireit|artifacts|generated|\.swc)$/;
const regenerableFile =
  /^([^/]*\.(pyc|pyo|o|obj|lo|la|class|log|tmp|temp|swp|swo|bak|orig|rej|tsbuildinfo|gcda|gcno|gcov|profraw|profdata|cache|pid|dsym|hi|beam|elc|aux|toc|fls|fdb_latexmk|synctex\.gz|coverage|lcov|dmp|stackdump|hprof|ilk|pdb|exe|out|pyd)|[^/]*~|\.ds_store|thumbs\.db|desktop\.ini|\.coverage|cmakecache\.txt|core\.\d+|npm-debug\.log[^/]*|yarn-error\.log|\.eslintcache|#[^/]*#|\._[^/]*|nohup\.out|a\.out)$/;

/** Is this path inside the workspace something a build makes again? */
export function isRegenerable(path: string, workspace: string): boolean {
  const parts = path
    .slice(workspace.length + 1)
    .toLowerCase()
    .replaceAll(below, '/')
    .split('/')
    .filter(Boolean);
  const last = parts.pop() ?? '';
  const named = fillNarrow(last, 'x');
  if (parts.some((part) => regenerableFolder.test(part))) return true;
  if (last === '' || isAllGlob(last)) return false;
  return regenerableFile.test(named) || regenerableFolder.test(fillNarrow(last, ''));
}
