import type { Action } from '../../contract/action.ts';
import type { GuardContextInput } from '../../contract/guard.ts';
import type { Finding } from './call.ts';
import { contextOf, findInAction } from './judge.ts';
import { anything, hasGlob, isLiteral, plain } from './marks.ts';

const pathsMax = 64;
const globsMax = 16;
const processesMax = 16;

/** The places and processes an action names, before anybody looked at them. */
export interface Touches {
  readonly paths: readonly string[];
  /** Absolute, with the guard's marks in place of wildcards. */
  readonly globs: readonly string[];
  /** A negative number is a process group. */
  readonly pids: readonly number[];
  /** It touches more than is named here, or nobody can tell. */
  readonly incomplete: boolean;
}

/** What an action touches, as the guard reads it. Never throws. */
export function touchesOf(action: Action, input: GuardContextInput): Touches {
  const findings = findInAction(action, contextOf(action, input));
  const words = [...new Set(findings.flatMap(({ touched }) => touched ?? []))];
  const isKnown = (word: string): boolean => !word.includes(anything) && !word.includes(plain);
  const paths = words.filter(isLiteral);
  const globs = words.filter((word) => hasGlob(word) && isKnown(word));
  const targets = findings.filter(endsProcesses).flatMap(targetsOf);
  const pids = [...new Set(targets.filter((target) => target !== null))];
  const incomplete =
    !words.every(isKnown) ||
    targets.includes(null) ||
    findings.some(({ effects }) => effects.some(({ kind }) => kind === 'opaque' || kind === 'unreadable')) ||
    paths.length > pathsMax ||
    globs.length > globsMax ||
    pids.length > processesMax;
  return {
    paths: paths.slice(0, pathsMax),
    globs: globs.slice(0, globsMax),
    pids: pids.slice(0, processesMax),
    incomplete,
  };
}

const endsProcesses = ({ effects }: Finding): boolean => effects.some(({ kind }) => kind === 'process');

/** The processes `kill` names; null for what cannot be told: a name, a pattern, a variable. */
function targetsOf({ program, args }: Finding): readonly (number | null)[] {
  if (program !== 'kill') return [null];
  const [first = '', ...rest] = args;
  const named = /^(-s|-n|--signal)$/.test(first) ? rest.slice(1) : first.startsWith('-') ? rest : args;
  return named
    .filter((word) => word !== '--' && !word.startsWith('%'))
    .map((word) => (/^-?\d{1,10}$/.test(word) ? Number(word) : null));
}
