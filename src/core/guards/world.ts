import { type Function as FunctionNode, parse } from 'unbash';
import { type Call, type Finding, report, type World } from './call.ts';
import type { GuardContext } from './context.ts';
import { apartCallsMax, apartDepthMax, callsMax, commandCharsMax, scriptDepthMax } from './guard-bounds.ts';
import { judgeCall } from './judge-call.ts';
import { carryMarks, hasAnything } from './marks.ts';
import { type Flow, fork, freshState, nothing, unknownFlow } from './shell/state.ts';
import { walkBody, walkScript } from './shell/walk.ts';

/** What several views of one action share. */
interface Shared {
  findings: Finding[];
  budget: { callsLeft: number };
  /** Functions being run, and those that were. */
  active: Set<FunctionNode>;
  called: Set<FunctionNode>;
  /** The machine itself. */
  home: GuardContext;
  /** How many worlds beside each other deep we are. */
  apartDepth: number;
}

/** A world to judge one action in. */
export function createWorld(context: GuardContext): World {
  const findings: Finding[] = [];
  const shared: Shared = {
    home: context,
    findings,
    budget: { callsLeft: callsMax },
    active: new Set(),
    called: new Set(),
    apartDepth: 0,
  };
  return viewOf(context, shared, emptyFinding());
}

const emptyFinding = (): Finding => ({ shown: '', program: '', args: [], effects: [] });

function viewOf(context: GuardContext, shared: Shared, current: Finding): World {
  if (!shared.findings.includes(current)) shared.findings.push(current);
  const world: World = {
    context,
    findings: shared.findings,
    budget: shared.budget,
    current,
    called: shared.called,
    isContained: context !== shared.home,
    inside: (inner) => viewOf(inner, shared, world.current),
    apart:
      shared.apartDepth >= apartDepthMax
        ? undefined
        : () =>
            viewOf(
              context,
              {
                ...shared,
                findings: [],
                budget: { callsLeft: apartCallsMax },
                apartDepth: shared.apartDepth + 1,
              },
              emptyFinding(),
            ),
    run: (words, call, change) => runWords(world, words, call, change),
    script: (text, call, change) => runText(world, text, call, change),
    body: (node, call) => runBody(world, shared, node, call),
  };
  return world;
}

function runWords(world: World, words: readonly string[], call: Call, change: Partial<Call> = {}): Flow {
  const [name = '', ...args] = words;
  const program = name.slice(name.lastIndexOf('/') + 1);
  return judgeCall({ ...call, ...change, name, program, args, depth: call.depth + 1 }, world);
}

function runText(world: World, text: string, call: Call, change: Partial<Call> = {}): Flow {
  if (call.depth >= scriptDepthMax || text.length > commandCharsMax) {
    report(world, 'opaque', 'a script nested deeper or longer than the guard reads');
    return unknownFlow;
  }
  if (hasAnything(text)) report(world, 'opaque', 'a script that is not known before it runs');
  const place = {
    world,
    state: change.state ?? call.state,
    depth: call.depth + 1,
    stdin: change.stdin ?? call.stdin ?? nothing,
    env: change.env ?? call.env ?? new Map<string, string>(),
  };
  return walkScript(parse(carryMarks(text)), place);
}

/** A function that runs itself while it runs would never end. */
function runBody(world: World, shared: Shared, node: FunctionNode, call: Call): Flow {
  shared.called.add(node);
  if (shared.active.has(node)) {
    report(world, 'exhaust', `the function ${node.name.value} calls itself`);
    return unknownFlow;
  }
  shared.active.add(node);
  const state = call.state;
  const before = state.parameters;
  state.parameters = call.args;
  const out = walkBody(node, { world, state, depth: call.depth + 1, stdin: call.stdin, env: call.env });
  state.parameters = before;
  shared.active.delete(node);
  return out;
}

/** Judges a whole command line; every effect is in the world's findings afterwards. */
export function walkCommandLine(world: World, command: string, cwd: string | undefined): void {
  const state = freshState(cwd);
  const place = { world, state, depth: 0, stdin: nothing, env: new Map<string, string>() };
  walkScript(parse(command), place);
  // What was defined but never called could be called by the next command of the same shell.
  for (const node of state.functions.values()) {
    if (world.called.has(node)) continue;
    walkBody(node, { ...place, state: fork(state), depth: 1, stdin: unknownFlow });
  }
}
