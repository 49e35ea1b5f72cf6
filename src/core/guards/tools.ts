import type { Action } from '../../contract/action.ts';
import { toolServerName } from '../../contract/constants.ts';
import type { GuardEffectKind } from '../../contract/guard.ts';
import { toolNames } from '../../contract/tools.ts';
import { deletes, reads, writes } from './access.ts';
import { type Call, report, type World } from './call.ts';
import { judgeSql } from './code/sql.ts';
import type { GuardContext } from './context.ts';
import { placeOnly } from './edits.ts';
import { fetches } from './hosts.ts';
import { shown } from './marks.ts';

/** Tools of the agents themselves, by what they do with a path. Names in lower case without separators. */
const ownTools: Record<string, 'read' | 'tree' | 'write' | 'command' | 'fetch' | 'none'> = {
  read: 'read',
  view: 'read',
  readfile: 'read',
  viewfile: 'read',
  notebookread: 'read',
  cat: 'read',
  openfile: 'read',
  grep: 'tree',
  glob: 'none',
  ls: 'none',
  list: 'none',
  listdirectory: 'none',
  listfiles: 'none',
  search: 'tree',
  searchfiles: 'tree',
  codebasesearch: 'none',
  findfiles: 'none',
  readmanyfiles: 'tree',
  write: 'write',
  edit: 'write',
  multiedit: 'write',
  notebookedit: 'write',
  writefile: 'write',
  createfile: 'write',
  replace: 'write',
  strreplace: 'write',
  strreplaceeditor: 'write',
  applypatch: 'write',
  patch: 'write',
  insert: 'write',
  bash: 'command',
  shell: 'command',
  runcommand: 'command',
  execcommand: 'command',
  localshell: 'command',
  runshellcommand: 'command',
  terminal: 'command',
  runterminalcmd: 'command',
  execute: 'command',
  webfetch: 'fetch',
  fetch: 'fetch',
  webfetchtool: 'fetch',
  browse: 'fetch',
  openurl: 'fetch',
  websearch: 'none',
  todowrite: 'none',
  todoread: 'none',
  task: 'none',
  agent: 'none',
  think: 'none',
  exitplanmode: 'none',
  enterplanmode: 'none',
  askuserquestion: 'none',
  bashoutput: 'none',
  updateplan: 'none',
  plan: 'none',
  skill: 'none',
  slashcommand: 'none',
  toolsearch: 'none',
  question: 'none',
  savememory: 'none',
  lsp: 'none',
  listmcpresources: 'none',
  readmcpresource: 'none',
  viewimage: 'none',
  imageview: 'none',
};

/** What the first word of an outside tool's name says it does. */
const verbs: readonly [RegExp, GuardEffectKind][] = [
  [/^(publish|release)$/, 'publish'],
  [/^(deploy|promote|rollout)$/, 'deploy'],
  [
    /^(delete|remove|destroy|drop|purge|archive|close|cancel|revoke|kill|stop|terminate|uninstall|truncate|clear|reset)$/,
    'cloud-delete',
  ],
  [
    /^(push|merge|create|update|set|add|insert|put|post|send|write|edit|upload|invite|assign|comment|reply|approve|submit|start|restart|apply|move|rename|copy|fork|transfer|share|enable|disable|trigger|dispatch|schedule|book|pay|buy|order|transition|upsert|sync|import|install|register|execute|run|invoke|call|exec|eval|evaluate)$/,
    'cloud-change',
  ],
  [
    /^(get|list|read|search|find|fetch|describe|show|view|query|lookup|count|check|status|inspect|browse|browser|resolve|suggest|explain|download|export|diff|compare|preview|validate|analyze|analyse|summarize|recall|retrieve|snapshot|screenshot|wait|ping|health|version|help)$/,
    'read',
  ],
];

/** Our own tools, as agents name the tools of a server: by these names exactly. */
const ourTools: ReadonlySet<string> = new Set(
  toolNames.flatMap((tool) => [
    `mcp__${toolServerName}__${tool}`,
    `${toolServerName}/${tool}`,
    `${toolServerName}_${tool}`,
  ]),
);

type Arguments = Record<string, unknown>;

/** Judges a call of a tool by its name and arguments; a tool that is not known is a question. */
export function judgeTool(
  action: Action,
  context: GuardContext,
  world: World,
  command: (text: string) => void,
): void {
  const name = action.tool ?? '';
  const args = argumentsOf(action.rendered.text);
  const call = placeOnly(context);
  world.current.program = `tool:${name}`;
  world.current.shown = shown(`${name} ${action.rendered.text}`);
  if (ourTools.has(name)) {
    // They reach the run's own ledger and nothing else.
    report(world, 'read', name);
    return;
  }
  const own = ownTools[name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')];
  if (own) {
    judgeOwn(own, name, args, action, call, context, world, command);
    return;
  }
  judgeOutside(name, args, call, world, command);
}

/** The arguments as the adapter rendered them: JSON, or the name followed by JSON. */
function argumentsOf(rendered: string): Arguments | undefined {
  const start = rendered.indexOf('{');
  if (start === -1) return {};
  try {
    const value: unknown = JSON.parse(rendered.slice(start, rendered.lastIndexOf('}') + 1));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Arguments)
      : undefined;
  } catch (error) {
    // Arguments that cannot be read are unknown, and the caller treats them so.
    return error instanceof SyntaxError ? undefined : {};
  }
}

const pathKeys =
  /^(path|file|file_?path|filename|notebook_?path|paths|files|directory|dir|folder|cwd|root|target|destination|source|uri|target_?file|absolute_?path|output_?path|src|dest)$/i;

function texts(args: Arguments, keys: RegExp): string[] {
  return Object.entries(args).flatMap(([key, value]) => {
    if (!keys.test(key)) return [];
    if (typeof value === 'string') return [value];
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  });
}

const localPath = (path: string, context: GuardContext): string =>
  path.startsWith('file://') ? path.slice(7) : path.startsWith('~/') ? context.home + path.slice(1) : path;

function judgeOwn(
  kind: 'read' | 'tree' | 'write' | 'command' | 'fetch' | 'none',
  name: string,
  args: Arguments | undefined,
  action: Action,
  call: Call,
  context: GuardContext,
  world: World,
  command: (text: string) => void,
): void {
  if (kind === 'none') {
    report(world, 'read', name);
    return;
  }
  if (!args) {
    report(world, 'unknown', `the arguments of ${name} cannot be read`);
    return;
  }
  const paths = [...(action.paths ?? []), ...texts(args, pathKeys)].map((path) => localPath(path, context));
  if (kind === 'command') {
    const commands = texts(args, /^(command|cmd|script|code|argv)$/i);
    const words = Array.isArray(args.command)
      ? [commands.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')]
      : commands;
    if (words.length === 0) report(world, 'unknown', name);
    for (const text of words) command(text);
  } else if (kind === 'fetch') {
    const urls = texts(args, /^(url|urls|uri|link|href)$/i);
    if (urls.length === 0) report(world, 'network-out', name);
    for (const url of urls) fetches(world, call, url);
  } else if (kind === 'write') {
    if (paths.length === 0) report(world, 'unknown', `${name} without a path`);
    for (const path of paths) writes(world, call, path);
  } else {
    for (const path of paths) reads(world, call, path, kind === 'tree' ? 'tree' : 'content');
    report(world, 'read', name);
  }
}

function judgeOutside(
  name: string,
  args: Arguments | undefined,
  call: Call,
  world: World,
  command: (text: string) => void,
): void {
  const parts = name.split(/__|[./:]/).filter(Boolean);
  const last = parts.at(-1) ?? name;
  if (
    parts.some((part) => part === 'tireless') &&
    /^(report_status|task_queue_(read|write)|memory_(read|write))$/.test(last)
  ) {
    report(world, 'read', name);
    return;
  }
  if (!args) {
    report(world, 'unknown', `the arguments of ${shown(name)} cannot be read`);
    return;
  }
  const words = last
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const kind =
    words
      .map((word) => verbs.find(([pattern]) => pattern.test(word))?.[1])
      .find((one) => one !== undefined) ?? 'unknown';
  const isRead = kind === 'read';
  report(world, kind, shown(name));
  for (const text of texts(args, /^(command|cmd|script|shell)$/i)) command(text);
  for (const text of texts(args, /^(sql|statement|query)$/i))
    if (/\b(select|insert|update|delete|drop|alter|create|truncate)\b/i.test(text)) judgeSql(text, world);
  for (const url of texts(args, /^(url|uri|link|endpoint)$/i))
    if (/^[a-z]+:\/\//i.test(url)) fetches(world, call, url);
  for (const path of texts(args, pathKeys).map((one) => localPath(one, world.context))) {
    if (/^[a-z]+:\/\//i.test(path)) continue;
    if (isRead) reads(world, call, path);
    else if (kind === 'cloud-delete') deletes(world, call, path, true);
    else writes(world, call, path);
  }
}
