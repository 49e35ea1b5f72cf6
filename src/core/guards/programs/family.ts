import type { Call, World } from '../call.ts';
import type { Arguments, Family, Knowledge, Role } from '../knowledge.ts';
import { below, globMatches, hasGlob, oneChar, plain, star } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';

/** The same knowledge for many programs, named in one text. */
export function many(names: string, entry: Knowledge | Role): Family {
  return Object.fromEntries(
    names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, entry]),
  );
}

/** A pattern given as text to a program, with our marks for its wildcards. */
export function asGlob(pattern: string): string {
  return pattern
    .replaceAll(/\[[^\]]*\]/g, oneChar)
    .replaceAll('*', star)
    .replaceAll('?', oneChar);
}

/** Any path below `root` whose last part matches `name`. */
export const belowRoot = (root: string, name: string): string =>
  `${root.replace(/\/+$/, '')}/${below}/${name}`;

/** What a program prints that hands on lines of its files or its input. */
export function handsOn(args: Arguments, call: Call): Flow {
  const files = args.operands.filter((operand) => operand !== '-');
  if (files.length === 0) return call.stdin;
  if (files.length === 1) return contentOf(files[0] as string, call);
  return unknownFlow;
}

/** What is in a file, if the script itself wrote it. */
export function contentOf(path: string, call: Call): Flow {
  const absolute = resolvePath(path, call.state.cwd);
  const known = absolute === undefined ? undefined : call.state.files.get(absolute);
  return known ?? { of: 'file', path };
}

/** The same lines or fewer: a list of everything in a folder becomes a list of some of it. */
export function fewer(flow: Flow): Flow {
  if (flow.of !== 'paths') return flow.of === 'text' || flow.of === 'network' ? flow : unknownFlow;
  return {
    of: 'paths',
    paths: flow.paths.map((path) =>
      hasGlob(path) && !path.endsWith(plain) && isBroad(path) ? path + plain : path,
    ),
  };
}

const isBroad = (path: string): boolean =>
  globMatches(path.slice(path.lastIndexOf('/') + 1), 'any-name-at-all.xyz');

export const printsPlain = (): Flow => ({ of: 'text', text: plain });

export type { Arguments, Call, Family, Knowledge, Role, World };
