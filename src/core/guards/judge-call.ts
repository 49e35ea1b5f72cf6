import { deletes, runsFile } from './access.ts';
import { type Call, type Finding, report, type World } from './call.ts';
import { callsMax, scriptDepthMax } from './guard-bounds.ts';
import { interpret } from './interpret.ts';
import { isLiteral, shown } from './marks.ts';
import { baseName, isInside, resolvePath } from './paths.ts';
import { placeOf } from './places.ts';
import { knowledgeOf } from './programs/index.ts';
import { runsContent } from './run-file.ts';
import { type Flow, unknownFlow } from './shell/state.ts';
import { suspectWords } from './suspect.ts';
import { taskKind } from './tasks.ts';

/** Judges one simple command: every effect it has is added to the world. Tells what it prints. */
export function judgeCall(call: Call, world: World): Flow {
  if (call.name === '' && call.args.length === 0) return unknownFlow;
  const before = world.current;
  const finding: Finding = {
    shown: [call.name, ...call.args].join(' '),
    program: call.program,
    args: call.args,
    effects: [],
  };
  world.findings.push(finding);
  world.current = finding;
  const out = judgeNamed(call, world);
  suspectWords(call, world);
  world.current = before;
  return out;
}

function judgeNamed(call: Call, world: World): Flow {
  world.budget.callsLeft -= 1;
  if (world.budget.callsLeft < 0) {
    report(world, 'unreadable', `more than ${callsMax} commands`);
    return unknownFlow;
  }
  if (call.depth > scriptDepthMax) {
    report(world, 'opaque', 'commands nested deeper than the guard reads');
    return unknownFlow;
  }
  if (!isLiteral(call.name) || looksDisguised(call.name)) {
    report(world, 'opaque', `which program runs is not known: ${shown(call.name)}`);
    judgeDestruction(call, world);
    return unknownFlow;
  }
  if (call.args.some(looksDisguised)) report(world, 'opaque', 'look-alike characters in its arguments');
  const body = call.state.functions.get(call.name);
  if (body) return world.body(body, call);
  const alias = call.state.aliases.get(call.name);
  if (alias !== undefined) {
    call.state.aliases.delete(call.name);
    const out = world.run([...alias.split(/\s+/).filter(Boolean), ...call.args], call);
    call.state.aliases.set(call.name, alias);
    return out;
  }
  return judgeProgram(call, world);
}

/** Ranges of characters that look like others or like nothing: a person sees another command. */
const deceiving: readonly [number, number][] = [
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xff01, 0xff5e],
  [0xffa0, 0xffa0],
  [0x1d400, 0x1d7ff],
  [0xe0000, 0xe007f],
];
const deceives = (char: string): boolean => {
  const code = char.codePointAt(0) ?? 0;
  return code > 0x7e && deceiving.some(([from, to]) => code >= from && code <= to);
};
/** Letters of other alphabets that look Latin, beside Latin ones. */
const mixedAlphabets = /[\u0370-\u03ff\u0400-\u04ff]/;

function looksDisguised(word: string): boolean {
  if (![...word].some((char) => char > '~')) return false;
  // A sentence (a message, a pattern) may hold any letters; a path, an option or a name may not.
  if (/[ \t\n]/.test(word.trim())) return /[\u202a-\u202e\u2066-\u2069]/.test(word);
  if ([...word].some(deceives) || /^[\u2010-\u2015\u2212]/.test(word)) return true;
  return mixedAlphabets.test(word) && /[A-Za-z]/.test(word);
}

/** Even where the program is not known, arguments that destroy with any program are seen. */
function judgeDestruction(call: Call, world: World): void {
  const isRecursive = call.args.some((arg) => /^-[a-zA-Z]*[rR]/.test(arg) || arg === '--recursive');
  if (!isRecursive) return;
  for (const arg of call.args) {
    if (arg.startsWith('-')) continue;
    const place = placeOf(resolvePath(arg, call.state.cwd), world.context);
    if (place === 'root' || place === 'home' || place === 'workspace-root') deletes(world, call, arg, true);
  }
}

function judgeProgram(call: Call, world: World): Flow {
  const isPath = call.name.includes('/');
  const knowledge = knowledgeOf(call.program);
  if (isPath && !isSystemPath(call, world)) {
    const out = judgeLocalProgram(call, world, knowledge !== undefined);
    if (out) return out;
  }
  if (knowledge) return interpret(knowledge, call, world, call.args, call.program);
  if (call.args.length === 1 && /^--(version|help)$/.test(call.args[0] as string)) {
    report(world, 'read', shown(`${call.name} ${call.args[0]}`));
    return unknownFlow;
  }
  report(world, world.isContained ? 'container' : 'unknown', shown(call.name));
  return unknownFlow;
}

/** Installed programs, as opposed to files someone put somewhere. */
function isSystemPath(call: Call, world: World): boolean {
  const path = resolvePath(call.name, call.state.cwd);
  if (path === undefined || isInside(path, world.context.workspace)) return false;
  return /^\/(usr\/(local\/)?(s?bin|games|libexec)|s?bin|opt\/homebrew\/(s?bin)|opt\/[^/]+\/bin|snap\/bin|nix\/store\/[^/]+\/bin|run\/current-system\/sw\/bin)\//.test(
    path,
  );
}

/** Where a project keeps the tools it runs by path. */
const toolFolder =
  /(^|\/)(node_modules\/\.bin|vendor\/bin|\.?venv\/bin|\.?venv\/Scripts|env\/bin|\.virtualenv\/bin|bin|\.bin|binstubs|\.cargo\/bin|tools|scripts)\/[^/]+$/;

/**
 * A program given by a path outside the system's folders. A tool of the project is judged by its name; any other file
 * of the workspace is code of the workspace; anything elsewhere could be anything.
 */
function judgeLocalProgram(call: Call, world: World, isKnown: boolean): Flow | undefined {
  const path = resolvePath(call.name, call.state.cwd);
  const content = path === undefined ? undefined : call.state.files.get(path);
  if (content) return runsContent(world, call, content, path ?? '');
  const name = baseName(call.name);
  const isTool =
    isKnown && path !== undefined && isInside(path, world.context.workspace) && toolFolder.test(path);
  if (name === 'test') return runsOwn(call, world, name);
  const isOwn =
    /^(gradlew|mvnw|configure|autogen\.sh|bootstrap|manage\.py|artisan|sbt|bazelisk|bazelw|rebar3|console|rails|rake|waf|setup\.py|x\.py|tireless)$/.test(
      name,
    );
  if (isTool || (isOwn && isKnown)) return undefined;
  if (isKnown) {
    report(world, 'run-any', `${shown(call.name)}, a file named like a program of the system`);
    return undefined;
  }
  return runsOwn(call, world, name);
}

function runsOwn(call: Call, world: World, name: string): Flow {
  runsFile(world, call, call.name);
  const kind = taskKind(name);
  if (kind) report(world, kind, `the project's own “${shown(name)}”`);
  return unknownFlow;
}
