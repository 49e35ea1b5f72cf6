import type { Function as FunctionNode } from 'unbash';
import type { GuardEffect, GuardEffectKind } from '../../contract/guard.ts';
import type { GuardContext } from './context.ts';
import type { Flow, ShellState } from './shell/state.ts';

/** How a path is touched. */
export type Access = 'read' | 'write' | 'delete';

export interface FoundEffect extends GuardEffect {
  path?: string;
  access?: Access;
  /** Its words would be on the never list if they ran. */
  isListed?: boolean;
}

/** One simple command, or one file or tool of another action, with the effects found in it. */
export interface Finding {
  /** The command as a person would write it. */
  shown: string;
  program: string;
  args: readonly string[];
  effects: FoundEffect[];
  /** Every path it names, absolute where that is known, with its `..` where they may follow a link. */
  touched?: string[];
}

/** One simple command with all its words read. */
export interface Call {
  /** As written: a name or a path. */
  name: string;
  /** The last part of the name, lower-case where the platform does not care. */
  program: string;
  args: readonly string[];
  stdin: Flow;
  /** Variables set for this command only. */
  env: ReadonlyMap<string, string>;
  /** Secret variables whose values stand in its words. */
  secrets: readonly string[];
  state: ShellState;
  depth: number;
}

/** What judging one action gathers, and the ways deeper into it. */
export interface World {
  context: GuardContext;
  findings: Finding[];
  /** The simple command being judged. */
  current: Finding;
  budget: { callsLeft: number };
  /** Shell functions that were called. */
  called: ReadonlySet<FunctionNode>;
  /** The same world seen from another place, such as a container: what it finds is found here. */
  inside: (context: GuardContext) => World;
  /** What runs here cannot reach the machine. */
  isContained: boolean;
  /** A world beside this one: what is found there stays there. Undefined inside such a world. */
  apart: (() => World) | undefined;
  /** Judges an argument list as a command of its own; tells what it prints. */
  run: (words: readonly string[], call: Call, change?: Partial<Call>) => Flow;
  /** Judges the body of a shell function called with these arguments. */
  body: (node: FunctionNode, call: Call) => Flow;
  /** Judges a text as a shell script. */
  script: (text: string, call: Call, change?: Partial<Call>) => Flow;
}

/** Adds an effect to the command being judged, once. */
export function report(
  world: World,
  kind: GuardEffectKind,
  what: string,
  path?: string,
  access?: Access,
): void {
  const effects = world.current.effects;
  if (effects.some((effect) => effect.kind === kind && effect.what === what)) return;
  effects.push({ kind, what, path, access });
}

/** Where in nested scripts we are: the world, the shell's state, the depth, the input. */
export interface Place {
  world: World;
  state: ShellState;
  depth: number;
  stdin: Flow;
  /** The call a nested script belongs to, for its environment. */
  env: ReadonlyMap<string, string>;
}
