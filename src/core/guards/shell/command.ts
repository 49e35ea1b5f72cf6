import type { Assignment, Command } from 'unbash';
import type { Call, Finding, Place, World } from '../call.ts';
import { report } from '../call.ts';
import { judgeVariable } from '../environment.ts';
import { alternativesMax, callsMax, variantsMax } from '../guard-bounds.ts';
import { judgeCall } from '../judge-call.ts';
import { anything } from '../marks.ts';
import { readText, readWord, type WordReader } from './read-word.ts';
import { applyRedirections } from './redirections.ts';
import { type Flow, nothing, unknownFlow, type Variable } from './state.ts';

/** Judges one simple command of a script. */
export function walkCommand(command: Command, place: Place, plainReader: WordReader): Flow {
  place.world.budget.callsLeft -= 1;
  if (place.world.budget.callsLeft < 0) {
    report(place.world, 'unreadable', `more than ${callsMax} commands`);
    return unknownFlow;
  }
  const secrets: string[] = [];
  const reader: WordReader = { ...plainReader, secret: (name) => secrets.push(name) };
  const assignments = command.prefix.filter((part) => part.type === 'Assignment');
  const values = assignments.map((assignment) => ({
    name: assignment.name,
    value: valueGiven(assignment, reader),
  }));
  const variants = argumentLists(command, reader);
  const finding = openFinding(place.world, variants?.[0] ?? []);
  const after = applyRedirections(command.redirects, place, reader);
  if (!variants) {
    report(place.world, 'opaque', 'a command with too many possible readings');
    return unknownFlow;
  }
  if (!command.name) {
    for (const { name, value } of values) assign(name, value, place);
    closeFinding(place.world, finding);
    return nothing;
  }
  const env = new Map(place.env);
  const call = { state: place.state, stdin: after.stdin, depth: place.depth } as Call;
  for (const { name, value } of values) {
    const text = value.of === 'scalar' && value.values.length === 1 ? (value.values[0] as string) : anything;
    env.set(name, text);
    judgeVariable(name, text, call, place.world);
  }
  let out: Flow = nothing;
  for (const [name = '', ...args] of variants) {
    const program = name.slice(name.lastIndexOf('/') + 1);
    out = judgeCall({ ...call, name, program, args, env, secrets }, place.world);
  }
  closeFinding(place.world, finding);
  return after.store(variants.length === 1 ? out : unknownFlow);
}

/** Redirections and variables belong to a finding of their own, shown as the command they stand on. */
function openFinding(world: World, words: readonly string[]): Finding {
  const [program = '', ...args] = words;
  const finding: Finding = { shown: words.join(' '), program, args, effects: [] };
  const before = world.current;
  world.findings.push(finding);
  world.current = finding;
  outer.set(finding, before);
  return finding;
}

const outer = new WeakMap<Finding, Finding>();

function closeFinding(world: World, finding: Finding): void {
  world.current = outer.get(finding) ?? finding;
}

/** Every argument list the command may have, or undefined when there are too many. */
function argumentLists(command: Command, reader: WordReader): string[][] | undefined {
  if (!command.name) return [];
  let lists = readWord(command.name, reader);
  for (const arg of command.args) {
    const next = arg.type === 'Word' ? readWord(arg, reader) : assignmentWords(arg, reader);
    if (next.length === 1) {
      const only = next[0] as string[];
      for (const list of lists) list.push(...only);
      continue;
    }
    if (lists.length * next.length > variantsMax) return undefined;
    lists = lists.flatMap((list) => next.map((fields) => [...list, ...fields]));
  }
  return lists;
}

/** `export NAME=value` and the like keep their shape as one word. */
function assignmentWords(assignment: Assignment, reader: WordReader): string[][] {
  const value = valueGiven(assignment, reader);
  if (value.of === 'list') return [[`${assignment.name}=(${value.items.join(' ')})`]];
  return value.values.map((text) => [`${assignment.name}=${text}`]);
}

function valueGiven(assignment: Assignment, reader: WordReader): Variable {
  const { value } = assignment;
  const before = reader.state.variables.get(assignment.name);
  if (value.type === 'ArrayValue') {
    const items = value.elements.flatMap((word) => {
      const ways = readWord(word, reader);
      return ways.length === 1 ? (ways[0] as string[]) : [anything];
    });
    return {
      of: 'list',
      items: assignment.append && before?.of === 'list' ? [...before.items, ...items] : items,
    };
  }
  const texts = readText(value, reader);
  if (assignment.index) {
    const old = before?.of === 'list' ? before.items : (before?.values ?? []);
    return { of: 'list', items: [...old, ...texts] };
  }
  if (!assignment.append) return { of: 'scalar', values: bounded(texts) };
  const starts =
    before === undefined ? [''] : before.of === 'scalar' ? before.values : [before.items.join(' ')];
  return { of: 'scalar', values: bounded(starts.flatMap((start) => texts.map((text) => start + text))) };
}

const bounded = (values: string[]): string[] => (values.length > alternativesMax ? [anything] : values);

function assign(name: string, value: Variable, place: Place): void {
  place.state.variables.set(name, value);
  const text = value.of === 'scalar' && value.values.length === 1 ? value.values[0] : anything;
  const call = { state: place.state, depth: place.depth, env: place.env } as Call;
  judgeVariable(name, text as string, call, place.world);
}
