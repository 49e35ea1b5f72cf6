import { type Call, report, type World } from './call.ts';
import { anything, hasAnything, shown } from './marks.ts';
import { nothing } from './shell/state.ts';

/** Variables whose value some program runs as a command. */
const commandVariables =
  /^(PAGER|GIT_PAGER|MANPAGER|SYSTEMD_PAGER|AWS_PAGER|GH_PAGER|BAT_PAGER|DELTA_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|FCEDIT|SUDO_EDITOR|KUBE_EDITOR|HGEDITOR|SVN_EDITOR|CVS_EDITOR|EXINIT|BROWSER|GH_BROWSER|GIT_SSH|GIT_SSH_COMMAND|SVN_SSH|CVS_RSH|RSYNC_RSH|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|MORE|SHELL|COMSPEC|TERMINAL|OPENER|CMD_ENV|MAKESHELL|CONFIG_SHELL|MAIL_COMMAND|CC|CXX|CPP|LD|AR|FC|RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER|CARGO_TARGET_\w+_(LINKER|RUNNER)|CMAKE_C_COMPILER_LAUNCHER|CMAKE_CXX_COMPILER_LAUNCHER|PYTHONBREAKPOINT|FZF_DEFAULT_COMMAND|XDG_OPEN)$/;

/** Variables that make a program load code of someone's choice. */
const loadingVariables =
  /^(LD_(PRELOAD|LIBRARY_PATH|AUDIT|DEBUG_OUTPUT)|DYLD_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PS1|BASH_FUNC_.*|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PERL5OPT|PERL5DB|PERL5LIB|PERLLIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GCONV_PATH|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_CONFIG(_\w+)?|TAR_OPTIONS|TAPE|LOCPATH|NLSPATH|GETCONF_DIR|TERMCAP|TERMINFO|MALLOC_\w+|ZDOTDIR|FPATH|INPUTRC|LUA_INIT\w*|LUA_PATH|LUA_CPATH|OPENSSL_CONF|OPENSSL_ENGINES|OPENSSL_MODULES|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|npm_config_(script_shell|registry|globalconfig|userconfig)|NPM_CONFIG_(SCRIPT_SHELL|REGISTRY)|KRB5_CONFIG|WGETRC|CURL_HOME|HOSTALIASES|GNUPGHOME|PHPRC|PHP_INI_SCAN_DIR|MANPATH_PROGRAM|VIMINIT|NODE_PATH|XDG_CONFIG_DIRS|HTTPS?_PROXY|https?_proxy|ALL_PROXY|NODE_TLS_REJECT_UNAUTHORIZED|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY|AWS_ENDPOINT_URL)$/;

/** Options that tools read from the environment. */
const toolFlags =
  /^(GOFLAGS|RUSTFLAGS|RUSTDOCFLAGS|CARGO_ENCODED_RUSTFLAGS|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAVEN_OPTS|MAVEN_ARGS|GRADLE_OPTS|JAVA_OPTS|SBT_OPTS|PYTEST_ADDOPTS|CMAKE_ARGS|DOCKER_BUILD_OPTS)$/;

/** Options of a runtime that only tune it. */
const tuning =
  /^(\s*--(max-old-space-size|max-semi-space-size|stack-size|stack-trace-limit|no-warnings|trace-warnings|trace-deprecation|no-deprecation|enable-source-maps|unhandled-rejections|experimental-vm-modules|experimental-[\w-]+|openssl-legacy-provider|dns-result-order|inspect|expose-gc|no-experimental-[\w-]+|disable-warning|conditions|preserve-symlinks|test[\w-]*)(=[\w.:-]*)?\s*)*$/;

/** A variable set for a command, or exported to the ones after it. */
export function judgeVariable(name: string, value: string, call: Call, world: World): void {
  if (name === 'TIRELESS_RUN') {
    report(world, 'touch-tireless', 'TIRELESS_RUN, which marks a supervised session');
    return;
  }
  if (commandVariables.test(name)) {
    if (value.trim() !== '') world.script(value.replace(/^!/, ''), call, { stdin: nothing, env: new Map() });
    return;
  }
  if (name === 'NODE_OPTIONS' || name === 'BUN_OPTIONS' || name === 'DENO_OPTIONS') {
    if (!tuning.test(value)) report(world, 'run-any', `${name}=${shown(value)}`);
    return;
  }
  if (toolFlags.test(name)) {
    const loads =
      /toolexec|linker|wrapper|plugin|--eval|javaagent|agentpath|agentlib|-exec\b|--config|-p\s/.test(value);
    if (loads) report(world, 'run-any', `${name}=${shown(value)}`);
    return;
  }
  if (name === 'PATH') {
    judgeSearchPath(value, world);
    return;
  }
  if (!loadingVariables.test(name)) return;
  if (/^PS\d$/.test(name) && !/\$\(|`/.test(value)) return;
  if (name === 'ENV' && !hasAnything(value) && !/[/$`]/.test(value)) return;
  if (value === '' || isTameValue(name, value, world)) return;
  report(world, 'run-any', `${name}=${shown(value)}`);
}

/** Folders programs are found in: those of the system, of the workspace and of tools below the home folder. */
function judgeSearchPath(value: string, world: World): void {
  const { workspace, home } = world.context;
  const isUsual = (part: string) =>
    part === anything ||
    (!part.startsWith('/') && !/^\.{0,2}\/?$/.test(part)) ||
    /^\/(usr|bin|sbin|opt|snap|nix|Library|Applications|Users|home)(\/|$)/.test(part) ||
    part.startsWith(`${workspace}/`) ||
    part.startsWith(`${home}/`);
  for (const part of value.split(':'))
    if (!isUsual(part)) report(world, 'run-any', `PATH with ${shown(part)}`);
}

/** Search paths inside the workspace load code of the workspace; proxies on this machine stay on it. */
function isTameValue(name: string, value: string, world: World): boolean {
  if (/proxy/i.test(name)) return /^(https?:\/\/)?(localhost|127\.0\.0\.1)(:|\/|$)/.test(value);
  if (!/^(NODE_PATH|PERL5LIB|RUBYLIB|LUA_PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH)$/.test(name)) return false;
  const isOurs = (part: string) =>
    part === '' || part.startsWith(`${world.context.workspace}/`) || /^\.?[\w@-][\w./@-]*$/.test(part);
  return value.split(':').every(isOurs) && !value.split(':').includes('.');
}

/** Keys of settings, as in `git -c` or `ssh -o`, whose value is run. */
const commandKeys =
  /^(core\.(pager|editor|sshcommand|askpass|fsmonitor|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..+\.(command|textconv)|difftool\..+\.cmd|mergetool\..+\.cmd|merge\..+\.driver|filter\..+\.(clean|smudge|process)|alias\..+|pager\..+|credential(\..+)?\.helper|gpg\.program|gpg\..+\.program|interactive\.difffilter|uploadpack\.packobjectshook|receive\..+|remote\..+\.(uploadpack|receivepack|vcs|proxy)|browser\..+\.cmd|web\.browser|man\..+\.cmd|sendemail\..+|proxycommand|localcommand|knownhostscommand|permitlocalcommand|remotecommand|pkcs11provider|securitykeyprovider|xauthlocation|proxyjump)$/i;
const loadingKeys =
  /^(core\.(hookspath|attributesfile|excludesfile|worktree)|include\.path|includeif\..+|init\.templatedir|protocol\.ext\.allow|protocol\.allow|http\..*proxy|http\.sslverify|url\..+\.(insteadof|pushinsteadof)|include|identityagent|script-shell|ssl_engine|shell|(build|target\..+|profile\..+)\.(rustc|rustc-wrapper|rustc-workspace-wrapper|rustdoc|linker|runner)|registry\..+|source\..+)$/i;

/** One `key=value` (or `key value`) given to a program. */
export function judgeSetting(setting: string, call: Call, world: World): void {
  const match = /^\s*([^=\s]+)\s*[= ]\s*([\s\S]*)$/.exec(setting);
  const key = (match?.[1] ?? setting).trim();
  const value = match?.[2] ?? '';
  judgeKey(key, value, call, world);
}

export function judgeKey(key: string, value: string, call: Call, world: World): void {
  if (commandKeys.test(key)) {
    if (/^(none|no|false|true|yes|auto|cat|less|store|cache|osxkeychain|manager|)$/i.test(value.trim()))
      return;
    const isAlias = /^alias\./i.test(key);
    if (isAlias && !value.startsWith('!')) world.run(['git', ...value.split(/\s+/).filter(Boolean)], call);
    else {
      report(world, 'run-any', `${key}=${shown(value)}`);
      world.script(value.replace(/^!/, ''), call, { stdin: nothing });
    }
    return;
  }
  const forces = /^remote\..+\.push$/i.test(key)
    ? value.startsWith('+')
    : /^remote\..+\.mirror$/i.test(key) && value !== 'false';
  if (forces) report(world, 'force-push', `${key}=${shown(value)}`);
  if (loadingKeys.test(key)) report(world, 'run-any', `${key}=${shown(value)}`);
}
