import type {
  CommandNode,
  CompoundCommand,
  CompoundList,
  Function as FunctionNode,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  TestExpression,
  WordPart,
} from 'unbash';
import { forEachChild, type SyntaxNode } from 'unbash';
import { type Place, report } from '../call.ts';
import { loopPassesMax, scriptDepthMax } from '../guard-bounds.ts';
import { anything } from '../marks.ts';
import { walkCommand } from './command.ts';
import { readWord, type WordReader } from './read-word.ts';
import { applyRedirections } from './redirections.ts';
import { type Flow, fork, merge, nothing, type ShellState, unknownFlow } from './state.ts';

/** Judges every simple command of a script; tells what the script prints as far as that is followed. */
export function walkScript(script: ParsedScript, place: Place): Flow {
  if (place.depth > scriptDepthMax) {
    report(place.world, 'opaque', 'scripts nested deeper than the guard reads');
    return unknownFlow;
  }
  if (script.errors && script.errors.length > 0) {
    report(place.world, 'unreadable', script.errors[0]?.message ?? 'a syntax error');
  }
  return walkStatements(script.commands, place);
}

function walkStatements(statements: readonly Statement[], place: Place): Flow {
  let out: Flow = nothing;
  for (const statement of statements) {
    const inner = statement.background ? { ...place, state: fork(place.state) } : place;
    out = joined(out, walkNode(statement.command, inner));
  }
  return out;
}

/** Two commands printing one after the other. */
function joined(first: Flow, second: Flow): Flow {
  if (first.of === 'nothing') return second;
  if (second.of === 'nothing') return first;
  if (first.of === 'text' && second.of === 'text') return { of: 'text', text: first.text + second.text };
  if (first.of === 'paths' && second.of === 'paths')
    return { of: 'paths', paths: [...first.paths, ...second.paths] };
  return first.of === 'network' || second.of === 'network' ? { of: 'network' } : unknownFlow;
}

const walkList = (list: CompoundList, place: Place): Flow => walkStatements(list.commands, place);

/** Judges the body of a function. */
export function walkBody(node: FunctionNode, place: Place): Flow {
  if (place.depth > scriptDepthMax) {
    report(place.world, 'opaque', 'functions nested deeper than the guard reads');
    return unknownFlow;
  }
  return node.body.type === 'CompoundList' ? walkList(node.body, place) : walkNode(node.body, place);
}

type AnyNode = Statement['command'] | PipelineNode | CommandNode | CompoundCommand;

function walkNode(node: AnyNode, place: Place): Flow {
  switch (node.type) {
    case 'AndOr':
      return walkAndOr(node, place);
    case 'Pipeline':
      return walkPipeline(node.commands, place);
    case 'Command':
      return walkCommand(node, place, readerFor(place));
    case 'Redirected':
      return walkRedirected(node.command, node.redirects, place);
    case 'Function':
      place.state.functions.set(node.name.value, node);
      return nothing;
    case 'Coproc':
      return node.body.type === 'CompoundList'
        ? walkList(node.body, place)
        : walkNode(node.body, { ...place, state: fork(place.state), stdin: unknownFlow });
    default:
      return walkCompound(node, place);
  }
}

function walkAndOr(node: AnyNode & { type: 'AndOr' }, place: Place): Flow {
  let out: Flow = nothing;
  node.commands.forEach((command, index) => {
    // `a || b`: b may or may not have run, so both states are possible after it.
    if (index > 0 && node.operators[index - 1] === '||') {
      const before = fork(place.state);
      out = joined(out, walkNode(command, place));
      if (!/^(exit|return)$/.test(nameOf(command))) merge(place.state, before);
    } else out = joined(out, walkNode(command, place));
  });
  return out;
}

const nameOf = (node: AnyNode): string => (node.type === 'Command' ? (node.name?.value ?? '') : '');

function walkPipeline(commands: readonly CommandNode[], place: Place): Flow {
  if (commands.length === 1 && commands[0]) return walkNode(commands[0], place);
  let flow = place.stdin;
  for (const command of commands) {
    flow = walkNode(command, { ...place, state: fork(place.state), stdin: flow });
    if (flow.of === 'nothing') flow = unknownFlow;
  }
  return flow;
}

function walkRedirected(command: CompoundCommand, redirections: readonly Redirection[], place: Place): Flow {
  const reader = readerFor(place);
  const after = applyRedirections(redirections, place, reader);
  const out = walkNode(command, { ...place, stdin: after.stdin });
  return after.store(out);
}

function walkCompound(node: CompoundCommand, place: Place): Flow {
  const reader = readerFor(place);
  switch (node.type) {
    case 'Subshell':
      return walkList(node.body, { ...place, state: fork(place.state) });
    case 'BraceGroup':
      return walkList(node.body, place);
    case 'If':
      return walkIf(node, place);
    case 'While':
      return walkLoop(place, () => {
        walkList(node.clause, place);
        return walkList(node.body, place);
      });
    case 'For':
    case 'Select': {
      const items = node.wordlist?.flatMap((word) => readWord(word, reader)) ?? [
        place.state.parameters ?? [anything],
      ];
      const values = [...new Set(items.flat())];
      if (values.length > 0) place.state.variables.set(node.name.value, { of: 'scalar', values });
      return values.length === 0 ? nothing : walkLoop(place, () => walkList(node.body, place));
    }
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part) walkInner(part, reader);
      return walkLoop(place, () => walkList(node.body, place));
    case 'Case':
      return walkCase(node, place, reader);
    case 'TestCommand':
      walkTest(node.expression, reader);
      return nothing;
    case 'ArithmeticCommand':
      if (node.expression) walkInner(node.expression, reader);
      return nothing;
  }
}

function walkIf(node: CompoundCommand & { type: 'If' }, place: Place): Flow {
  walkList(node.clause, place);
  const before = fork(place.state);
  let out = walkList(node.then, place);
  const others: ShellState[] = [];
  for (const elif of node.elif) {
    const state = fork(before);
    walkList(elif.clause, { ...place, state });
    out = joined(out, walkList(elif.then, { ...place, state }));
    others.push(state);
  }
  if (node.else) {
    const state = fork(before);
    out = joined(out, walkList(node.else, { ...place, state }));
    others.push(state);
  } else others.push(before);
  for (const other of others) merge(place.state, other);
  return out;
}

/** A body may see in its second pass what its first one assigned. */
function walkLoop(place: Place, body: () => Flow): Flow {
  let out: Flow = nothing;
  for (let pass = 0; pass < loopPassesMax; pass++) {
    const before = fork(place.state);
    out = body();
    const settled = sameVariables(before, place.state);
    merge(place.state, before);
    if (settled) break;
  }
  return out.of === 'nothing' || out.of === 'paths' ? out : unknownFlow;
}

function sameVariables(a: ShellState, b: ShellState): boolean {
  if (a.cwd !== b.cwd || a.variables.size !== b.variables.size) return false;
  for (const [name, value] of a.variables) if (b.variables.get(name) !== value) return false;
  return true;
}

function walkCase(node: CompoundCommand & { type: 'Case' }, place: Place, reader: WordReader): Flow {
  readWord(node.word, reader);
  const before = fork(place.state);
  let out: Flow = nothing;
  for (const item of node.items) {
    for (const pattern of item.pattern) readWord(pattern, reader);
    const state = fork(before);
    out = joined(out, walkList(item.body, { ...place, state }));
    merge(place.state, state);
  }
  return out;
}

function walkTest(expression: TestExpression, reader: WordReader): void {
  switch (expression.type) {
    case 'TestUnary':
      readWord(expression.operand, reader);
      return;
    case 'TestBinary':
      readWord(expression.left, reader);
      readWord(expression.right, reader);
      return;
    case 'TestLogical':
      for (const operand of expression.operands) walkTest(operand, reader);
      return;
    case 'TestNot':
      walkTest(expression.operand, reader);
      return;
    case 'TestGroup':
      walkTest(expression.expression, reader);
  }
}

/** Judges command substitutions anywhere below an arithmetic expression. */
function walkInner(node: SyntaxNode, reader: WordReader): void {
  if (node.type === 'CommandExpansion' || node.type === 'ArithmeticCommandExpansion') reader.substitute(node);
  else forEachChild(node, (child) => walkInner(child, reader));
}

/** What words need to be read at this place. */
function readerFor(place: Place, secrets: string[] = []): WordReader {
  const inside = (script: ParsedScript | undefined, stdin: Flow): Flow =>
    script
      ? walkScript(script, { ...place, state: fork(place.state), depth: place.depth + 1, stdin })
      : unknownFlow;
  const reader: WordReader = {
    context: place.world.context,
    state: place.state,
    substitute: (part) => inside(part.script as ParsedScript | undefined, place.stdin),
    process: (part: WordPart & { type: 'ProcessSubstitution' }) => {
      const flow = inside(part.script, part.operator === '>' ? unknownFlow : nothing);
      const path = `/dev/fd/${100 + place.state.files.size}`;
      place.state.files.set(path, part.operator === '<' ? flow : unknownFlow);
      return path;
    },
    secret: (name) => secrets.push(name),
    inner: (node) => walkInner(node, reader),
  };
  return reader;
}
