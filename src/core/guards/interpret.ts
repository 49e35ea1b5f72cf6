import { deletes, isFetched, reads, runsFile, writes } from './access.ts';
import { optionTable, readArguments } from './arguments.ts';
import { type Call, report, type World } from './call.ts';
import { judgeSql } from './code/sql.ts';
import { judgeSetting } from './environment.ts';
import { fetches } from './hosts.ts';
import type { Arguments, GivenOption, Knowledge, Role } from './knowledge.ts';
import { shown } from './marks.ts';
import { isInside, resolvePath } from './paths.ts';
import { isSecret, placeOf } from './places.ts';
import { type Flow, nothing, unknownFlow } from './shell/state.ts';
import { runsTask } from './tasks.ts';

/** A table entry may be only the role of its operands. */
export const asKnowledge = (entry: Knowledge | Role): Knowledge =>
  typeof entry === 'string' ? short(entry) : entry;

const shorts = new Map<Role, Knowledge>();
function short(role: Role): Knowledge {
  const known = shorts.get(role);
  if (known) return known;
  const made: Knowledge = role.startsWith('is:')
    ? { is: role.slice(3) as never, takes: 'text' }
    : { takes: role };
  shorts.set(role, made);
  return made;
}

/** Judges a call by what is known of its program, and tells what it prints. */
export function interpret(
  entry: Knowledge,
  call: Call,
  world: World,
  args: readonly string[],
  label: string,
): Flow {
  if (args.length === 1 && /^(--help|--version)$/.test(args[0] as string)) {
    report(world, 'read', `${label} ${args[0]}`);
    return unknownFlow;
  }
  if (entry.subs) return interpretSub(entry, call, world, args, label);
  const given = readArguments(args, entry);
  const table = optionTable(entry);
  const isDry = given.options.some((option) => isDryOption(option, table.dry));
  if (!entry.own) for (const option of given.options) judgeOption(option, entry, call, world, label);
  if (entry.is && !isDry) for (const kind of [entry.is].flat()) report(world, kind, describe(label, given));
  if (entry.bare && given.operands.length === 0 && call.stdin.of === 'nothing')
    report(world, entry.bare, label);
  if (entry.wraps !== undefined) return runWrapped(entry.wraps, given, call, world);
  if (!entry.own) judgeOperands(entry, given, call, world, isDry);
  if (!entry.own) judgeElsewhere(given, entry, call, world);
  if (!entry.own) judgeNamedSecrets(given, entry, call, world);
  if (!isDry) entry.also?.(given, call, world);
  if (world.current.effects.length === 0) report(world, 'read', describe(label, given));
  return entry.prints?.(given, call, world) ?? unknownFlow;
}

const isDryOption = (option: GivenOption, dry: Set<string>): boolean =>
  dry.has(option.name) && !/^(false|none|no|0)$/.test(option.value ?? '');

const describe = (label: string, given: Arguments): string =>
  shown([label, ...given.operands.slice(0, 3)].join(' '));

function runWrapped(skip: number, given: Arguments, call: Call, world: World): Flow {
  const words = given.operands.slice(skip);
  if (words.length > 0) return world.run(words, call);
  if (call.args.length > 0) report(world, 'unknown', shown(`${call.program} ${call.args.join(' ')}`));
  return unknownFlow;
}

const merged = new WeakMap<Knowledge, Map<Knowledge, Knowledge>>();

/** A subcommand also takes the options of its program. */
function inherit(parent: Knowledge, sub: Knowledge): Knowledge {
  const known = merged.get(parent)?.get(sub);
  if (known) return known;
  const made: Knowledge = {
    ...sub,
    options: { ...parent.options, ...sub.options },
    flags: { ...parent.flags, ...sub.flags },
    dry: parent.dry || sub.dry ? `${parent.dry ?? ''} ${sub.dry ?? ''}` : undefined,
    oneDash: parent.oneDash || sub.oneDash,
  };
  const map = merged.get(parent) ?? new Map<Knowledge, Knowledge>();
  map.set(sub, made);
  merged.set(parent, map);
  return made;
}

function interpretSub(
  entry: Knowledge,
  call: Call,
  world: World,
  args: readonly string[],
  label: string,
): Flow {
  const subs = entry.subs as Record<string, Knowledge | Role>;
  const before = readArguments(args, { ...entry, stops: true });
  const words = before.operands;
  const ownOptions = before.options;
  for (const option of ownOptions) judgeOption(option, entry, call, world, label);
  const first = words[0];
  if (first === undefined) {
    if (entry.bare) report(world, entry.bare, label);
    entry.also?.(before, call, world);
    if (world.current.effects.length === 0) report(world, 'read', label);
    return unknownFlow;
  }
  entry.also?.(before, call, world);
  for (const count of [3, 2, 1]) {
    const name = words.slice(0, count).join(' ');
    if (words.length < count || !Object.hasOwn(subs, name)) continue;
    const sub = inherit(entry, asKnowledge(subs[name] as Knowledge | Role));
    return interpret(sub, call, world, words.slice(count), `${label} ${name}`);
  }
  if (entry.otherwise) {
    const sub = inherit(entry, asKnowledge(entry.otherwise));
    return interpret(sub, call, world, words, label);
  }
  report(world, 'unknown', shown(`${label} ${first}`));
  return unknownFlow;
}

/** Names of options that run something, write somewhere: for options no table names. */
const runningOption =
  /(^|-)(exec|execute|command|cmd|shell|program|pager|editor|hook|eval|expression-file|plugin|preload|rsh|filter|preprocessor|opener|browser|viewer|use-compress-program|compress-program|to-command|checkpoint-action|rcfile|init-file|startup|script|loader|library|module-path|helper|askpass|interpreter|proxy-command)(-|$)|^--on-/;
const isRunning = (name: string): boolean =>
  runningOption.test(name) && !/^--(no|without|disable|skip|list|show|print)-/.test(name);
const writingOption =
  /^--(out|output|outfile|out-file|output-file|outdir|out-dir|output-dir|output-directory|log-file|logfile|save|save-to|dest|destination|target-directory|dump|trace-file|append)$/;

function judgeOption(option: GivenOption, entry: Knowledge, call: Call, world: World, label: string): void {
  const table = optionTable(entry);
  const role = table.values.get(option.name);
  if (role) {
    if (option.value !== undefined) applyRole(role, option.value, call, world);
    return;
  }
  const flag = table.flags.get(option.name);
  if (flag) {
    if (flag !== 'text') report(world, flag.slice(3) as never, `${label} ${option.name}`);
    return;
  }
  if (table.dry.has(option.name)) return;
  if (table.only) {
    if (!table.only.has(option.name) && !/^-\d$/.test(option.name)) {
      report(world, 'unknown', `option ${shown(option.name)} of ${label}`);
    }
    return;
  }
  if (option.value === undefined || !option.name.startsWith('--')) {
    if (isRunning(option.name) && !runsOwnCode(entry)) report(world, 'run-any', `${label} ${option.name}`);
    return;
  }
  if (writingOption.test(option.name)) writes(world, call, option.value);
  else if (isRunning(option.name) && !runsOwnCode(entry)) {
    report(world, 'run-any', `${label} ${option.name}=${shown(option.value)}`);
  } else if (/^(\/|~|\.\.)/.test(option.value)) reads(world, call, option.value);
}

/** A build or test tool runs code of the workspace anyway; its plugins and scripts are that code. */
const runsOwnCode = (entry: Knowledge): boolean =>
  [entry.is ?? []].flat().some((kind) => kind === 'build' || kind === 'run-workspace' || kind === 'install');

function judgeOperands(entry: Knowledge, given: Arguments, call: Call, world: World, isDry: boolean): void {
  const roles: readonly Role[] =
    entry.takes === undefined ? ['read'] : typeof entry.takes === 'string' ? [entry.takes] : entry.takes;
  const { operands } = given;
  operands.forEach((operand, index) => {
    const isLast = entry.last !== undefined && index === operands.length - 1 && operands.length > 1;
    const role = isLast ? (entry.last as Role) : (roles[Math.min(index, roles.length - 1)] as Role);
    applyRole(isDry ? dryRole(role) : role, operand, call, world);
  });
}

const dryRole = (role: Role): Role =>
  role === 'write' || role === 'edit' || role.startsWith('delete') || role.startsWith('is:') ? 'look' : role;

const isOurs = (path: string, call: Call, world: World): boolean => {
  const absolute = resolvePath(path, call.state.cwd);
  return absolute !== undefined && isInside(absolute, world.context.workspace);
};

/** Installed libraries and headers, which builds name all the time. */
const installed = /^\/(usr|opt|lib|lib64|nix|Library|Applications|System|snap|etc\/alternatives)(\/|$)/;

/** A build tool told to build, configure or load from somewhere else runs code from there. */
function judgeElsewhere(given: Arguments, entry: Knowledge, call: Call, world: World): void {
  if (!runsOwnCode(entry)) return;
  if (isFetched(call.state.cwd, call)) report(world, 'run-remote', 'code that was fetched a moment ago');
  const table = optionTable(entry);
  const values = given.options.flatMap((option) => {
    const role = table.values.get(option.name);
    return option.value !== undefined && (role === undefined || role === 'text') ? [option.value] : [];
  });
  for (const argument of [...given.operands, ...values]) {
    const value = /^([\w.-]+=|@)(?=\/|\.\.)/.test(argument)
      ? argument.replace(/^([\w.-]+=|@)/, '')
      : argument;
    // `cmake ..` stands in a build folder; `//app:main` is a label of Bazel.
    if (value === '..' || /^\/\/[\w.:@-]/.test(value)) continue;
    if (!/^(\/|\.\.(\/|$))/.test(value) || installed.test(value) || isOurs(value, call, world)) continue;
    const place = placeOf(resolvePath(value, call.state.cwd), world.context);
    if (place !== 'nowhere') report(world, 'run-any', `code or settings from ${shown(value)}`);
  }
}

/** `--set-file x=~/.ssh/id_rsa`: a secret named by its path is read, whatever the argument is for. */
function judgeNamedSecrets(given: Arguments, entry: Knowledge, call: Call, world: World): void {
  if (entry.is === undefined) return;
  const values = given.options.flatMap((option) =>
    option.value === undefined || /^(-m|--message|-b|--body|-t|--title)$/.test(option.name)
      ? []
      : [option.value],
  );
  for (const value of [...given.operands, ...values]) {
    for (const part of value.split(/[=,:@]/)) {
      if (!/^(~?\/|\.\.?\/)/.test(part)) continue;
      const path = resolvePath(
        part.startsWith('~') ? world.context.home + part.slice(1) : part,
        call.state.cwd,
      );
      if (path !== undefined && isSecret(path, world.context))
        report(world, 'read-secret', shown(part), path, 'read');
    }
  }
}

/** Judges one argument by what it is to its program. */
function applyRole(role: Role, value: string, call: Call, world: World): void {
  switch (role) {
    case 'text':
    case 'look':
      return;
    case 'word':
      if (/^@?(\/|\.\.(\/|$)|file:)/.test(value) && !isOurs(value, call, world))
        reads(world, call, value.replace(/^@|^file:\/\//, ''), 'odd');
      return;
    case 'read':
    case 'tree':
    case 'odd':
      if (value !== '-') reads(world, call, value, role === 'read' ? 'content' : role);
      return;
    case 'edit':
    case 'write':
      if (value !== '-') writes(world, call, value);
      return;
    case 'delete':
    case 'delete-tree':
      deletes(world, call, value, role === 'delete-tree');
      return;
    case 'load':
      runsFile(world, call, value);
      return;
    case 'shell':
      world.script(value, call, { stdin: nothing });
      return;
    case 'escape':
      report(world, 'run-any', shown(value));
      world.script(value, call, { stdin: nothing });
      return;
    case 'program':
      world.run(value.split(/\s+/).filter(Boolean), call, { stdin: nothing });
      return;
    case 'fetch':
      fetches(world, call, value);
      return;
    case 'sql':
      judgeSql(value, world);
      return;
    case 'task':
      runsTask(world, value);
      return;
    case 'setting':
      judgeSetting(value, call, world);
      return;
    default:
      report(world, role.slice(3) as never, shown(value));
  }
}
