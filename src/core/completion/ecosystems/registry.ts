import { cargo } from './cargo.ts';
import type { Ecosystem } from './ecosystem.ts';
import { go } from './go.ts';
import { make } from './make.ts';
import { node } from './node/node.ts';
import { others } from './others.ts';
import { python } from './python.ts';

/** Every ecosystem, in the order of their checks. Make comes last: it often runs what another one found. */
export const ecosystems: readonly Ecosystem[] = [node, python, cargo, go, ...others, make];
