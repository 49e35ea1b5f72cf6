import type { Action, Judgement } from '../../contract/action.ts';
import type { GuardContextInput } from '../../contract/guard.ts';
import { type Finding, report } from './call.ts';
import { fullContext, type GuardContext } from './context.ts';
import { judgeEdit } from './edits.ts';
import { commandCharsMax } from './guard-bounds.ts';
import { fetches } from './hosts.ts';
import { judgementOf } from './judgement.ts';
import { hidesText, shown } from './marks.ts';
import { freshState } from './shell/state.ts';
import { judgeTool } from './tools.ts';
import { createWorld, walkCommandLine } from './world.ts';

/** Judges a shell command. Never throws: what cannot be read is a question. */
export function judgeCommand(command: string, input: GuardContextInput): Judgement {
  const context = fullContext(input);
  return judgementOf(findInCommand(command, context), context);
}

/** Every effect of a shell command, per simple command. */
export function findInCommand(command: string, context: GuardContext): readonly Finding[] {
  const world = createWorld(context);
  if (command.length > commandCharsMax) {
    report(world, 'unreadable', `longer than ${commandCharsMax} characters`);
    return world.findings;
  }
  if (hidesText(command)) {
    report(world, 'unreadable', 'it holds characters that a person would not see');
    return world.findings;
  }
  if (/[\u202a-\u202e\u2066-\u2069]/.test(command))
    report(world, 'unreadable', 'it changes the direction of its own text');
  try {
    walkCommandLine(world, command, context.cwd ?? context.workspace);
  } catch (error) {
    report(
      world,
      'unreadable',
      error instanceof Error ? `${error.name}: ${shown(error.message)}` : 'it could not be read',
    );
  }
  return world.findings;
}

/** Judges anything an agent wants to do. Never throws. */
export function judgeAction(action: Action, input: GuardContextInput): Judgement {
  const context = contextOf(action, input);
  return judgementOf(findInAction(action, context), context);
}

/** Where an action starts: in its own folder if it names one. */
export function contextOf(action: Action, input: GuardContextInput): GuardContext {
  const context = fullContext(input);
  return action.cwd === undefined ? context : { ...context, cwd: action.cwd };
}

/** Every effect of an action, per simple command, file or tool. */
export function findInAction(action: Action, context: GuardContext): readonly Finding[] {
  const text = action.rendered.text;
  if (action.kind === 'command') {
    // A cut text is not the action: what follows is not known.
    return action.rendered.body === undefined ? findInCommand(text, context) : tooLong(context);
  }
  const world = createWorld(context);
  try {
    if (action.kind === 'edit') judgeEdit(action, context, world);
    else if (action.kind === 'tool')
      judgeTool(action, context, world, (command) => world.findings.push(...findInCommand(command, context)));
    else if (action.kind === 'network')
      fetches(world, { state: freshState(context.cwd) } as never, text.trim());
    else report(world, 'privilege', shown(text));
  } catch (error) {
    report(
      world,
      'unreadable',
      error instanceof Error ? `${error.name}: ${shown(error.message)}` : 'it could not be read',
    );
  }
  return world.findings;
}

function tooLong(context: GuardContext): readonly Finding[] {
  const world = createWorld(context);
  report(world, 'unreadable', `longer than ${commandCharsMax} characters`);
  return world.findings;
}
