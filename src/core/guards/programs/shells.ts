import { reads } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import type { Arguments } from '../knowledge.ts';
import { executes, runsContent } from '../run-file.ts';
import { type Flow, fork, unknownFlow } from '../shell/state.ts';
import { type Family, many } from './family.ts';

/** What the words after the name of a shell ask for. */
interface ShellCall {
  runs: 'command' | 'input' | 'file';
  checksOnly: boolean;
  operands: string[];
  loads: string[];
  isInteractive: boolean;
}

function readShellCall(args: readonly string[]): ShellCall {
  const call: ShellCall = { runs: 'file', checksOnly: false, operands: [], loads: [], isInteractive: false };
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--' || arg === '-') {
      at++;
      break;
    }
    if (!/^[-+]./.test(arg)) break;
    if (arg === '--rcfile' || arg === '--init-file') call.loads.push(args[++at] ?? '');
    else if (/^--(command)=/.test(arg)) {
      call.runs = 'command';
      call.operands.push(arg.slice(arg.indexOf('=') + 1));
    } else if (arg === '--command') call.runs = 'command';
    else if (!arg.startsWith('--')) {
      if (arg.startsWith('-') && arg.includes('c')) call.runs = 'command';
      if (arg.startsWith('-') && arg.includes('s') && call.runs !== 'command') call.runs = 'input';
      if (arg.startsWith('-') && arg.includes('n')) call.checksOnly = true;
      if (arg.startsWith('-') && arg.includes('i')) call.isInteractive = true;
      if (/[oO]$/.test(arg)) at++;
    }
  }
  call.operands.push(...args.slice(at));
  if (call.runs === 'file' && call.operands.length === 0) call.runs = 'input';
  return call;
}

/** A shell is started: what it will run is judged, or is not known. */
function runShell(call: Call, world: World): Flow {
  const shell = readShellCall(call.args);
  for (const path of shell.loads) executes(world, call, path);
  const [first, ...rest] = shell.operands;
  if (shell.checksOnly && shell.runs === 'file') {
    reads(world, call, first ?? '-');
    return unknownFlow;
  }
  if (shell.runs === 'command') {
    if (first === undefined) return unknownFlow;
    const state = fork(call.state);
    state.parameters = rest.slice(1);
    if (rest[0] !== undefined) state.variables.set('0', { of: 'scalar', values: [rest[0]] });
    for (const [name, value] of call.env) state.variables.set(name, { of: 'scalar', values: [value] });
    return world.script(first, call, { state });
  }
  if (shell.runs === 'input') {
    if (shell.isInteractive) report(world, 'run-shell', `${call.program} -i`);
    return runsContent(world, call, call.stdin, '');
  }
  const state = fork(call.state);
  state.parameters = rest;
  return executes(world, { ...call, state }, first as string);
}

export const shells: Family = {
  ...many(
    'sh bash dash ash zsh ksh ksh93 mksh pdksh lksh yash posh rbash fish csh tcsh rc es elvish nu xonsh',
    { own: true, prints: (_args: Arguments, call: Call, world: World) => runShell(call, world) },
  ),
};
