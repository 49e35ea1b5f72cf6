import type { Function as FunctionNode } from 'unbash';
import type { GuardContext } from '../context.ts';
import { anything, plain } from '../marks.ts';
import { agentFolders } from '../places.ts';

/** What a variable may hold: one of several texts, or a list. */
export type Variable = { of: 'scalar'; values: readonly string[] } | { of: 'list'; items: readonly string[] };

/** What comes out of a command, or goes into one. */
export type Flow =
  /** No input was given: a terminal. */
  | { of: 'nothing' }
  | { of: 'text'; text: string }
  /** One path per line, each possibly a glob. */
  | { of: 'paths'; paths: readonly string[] }
  /** The content of a file. */
  | { of: 'file'; path: string }
  | { of: 'network' }
  | { of: 'unknown' };

export const nothing: Flow = { of: 'nothing' };
export const unknownFlow: Flow = { of: 'unknown' };

/** What a shell knows while it reads a script. Forked for subshells; files are the disk, shared by all. */
export interface ShellState {
  cwd: string | undefined;
  previous: string | undefined;
  variables: Map<string, Variable>;
  functions: Map<string, FunctionNode>;
  aliases: Map<string, string>;
  /** Files the script itself wrote, and what is in them. */
  files: Map<string, Flow>;
  parameters: readonly string[] | undefined;
  /** Folders the script fetched from elsewhere. */
  fetched: Set<string>;
}

export function freshState(cwd: string | undefined): ShellState {
  return {
    cwd,
    previous: undefined,
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    parameters: undefined,
    fetched: new Set(),
  };
}

export function fork(state: ShellState): ShellState {
  return {
    ...state,
    variables: new Map(state.variables),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  };
}

/** After two ways through the script: what either may have left behind. */
export function merge(into: ShellState, other: ShellState): void {
  if (into.cwd !== other.cwd) into.cwd = undefined;
  for (const [name, theirs] of other.variables) {
    const ours = into.variables.get(name);
    if (ours === theirs) continue;
    into.variables.set(name, ours ? eitherOf(ours, theirs) : theirs);
  }
  for (const [name, body] of other.functions) into.functions.set(name, body);
  for (const [name, body] of other.aliases) into.aliases.set(name, body);
}

function eitherOf(a: Variable, b: Variable): Variable {
  if (a.of === 'scalar' && b.of === 'scalar')
    return { of: 'scalar', values: [...new Set([...a.values, ...b.values])] };
  return { of: 'scalar', values: [anything] };
}

const plainVariables = new Set(
  'RANDOM SRANDOM SECONDS UID EUID PPID LINENO HOSTNAME USER LOGNAME BASHPID EPOCHSECONDS EPOCHREALTIME OSTYPE HOSTTYPE MACHTYPE COLUMNS LINES SHLVL NODE_ENV CI ? $ ! # -'.split(
    ' ',
  ),
);

/** A variable the script did not assign: known from the context, plain, or anything. */
export function outerVariable(name: string, state: ShellState, context: GuardContext): string {
  switch (name) {
    case 'HOME':
      return context.home;
    case 'PWD':
      return state.cwd ?? anything;
    case 'OLDPWD':
      return state.previous ?? anything;
    case 'TMPDIR':
    case 'TMP':
    case 'TEMP':
      return context.temp?.[0] ?? '/tmp';
    case 'IFS':
      return ' \t\n';
    case 'SHELL':
    case 'BASH':
      return '/bin/sh';
    case 'TIRELESS_HOME':
      return context.tirelessHome;
    case 'CLAUDE_PROJECT_DIR':
    case 'GITHUB_WORKSPACE':
    case 'CI_PROJECT_DIR':
      return context.workspace;
    case 'XDG_CONFIG_HOME':
      return `${context.home}/.config`;
    case 'XDG_CACHE_HOME':
      return `${context.home}/.cache`;
    case 'XDG_DATA_HOME':
      return `${context.home}/.local/share`;
    case 'XDG_STATE_HOME':
      return `${context.home}/.local/state`;
    default: {
      const folder = agentFolders.get(name);
      if (folder !== undefined) return `${context.home}/${folder}`;
      return plainVariables.has(name) ? plain : anything;
    }
  }
}

const secretVariable =
  /(^|_)(SECRET|SECRETS|PASSWORD|PASSWD|PASS|PWD_SECRET|TOKEN|APIKEY|CREDENTIALS?|PRIVATE_KEY|ACCESS_KEY|API_KEY|AUTH_KEY|AUTHTOKEN|PASSPHRASE|DSN|MNEMONIC|ENCRYPTION_KEY|SIGNING_KEY|CONNECTION_STRING)(_|$)|^(DATABASE_URL|REDIS_URL|MONGO(DB)?_URI|PGPASSWORD|MYSQL_PWD|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|SSH_AUTH_SOCK)$|_KEY$/i;

/** Does the environment variable of this name usually hold a key, a password or a token? */
export const isSecretVariable = (name: string): boolean => secretVariable.test(name);
