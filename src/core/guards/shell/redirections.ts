import type { Redirection } from 'unbash';
import { reads, writes } from '../access.ts';
import type { Call, Place } from '../call.ts';
import { resolvePath } from '../paths.ts';
import { readParts, readText, type WordReader } from './read-word.ts';
import { type Flow, nothing } from './state.ts';

/** What the redirections of a command leave: its input, and where its output went. */
export interface Redirected {
  stdin: Flow;
  /** Keeps what the command printed in the files it went to; gives what still goes on. */
  store: (out: Flow) => Flow;
}

/** Judges the redirections as reads and writes of the command being judged. */
export function applyRedirections(
  redirections: readonly Redirection[],
  place: Place,
  reader: WordReader,
): Redirected {
  const call = { state: place.state } as Call;
  let stdin = place.stdin;
  const outputs: { path: string; append: boolean }[] = [];
  for (const redirection of redirections) {
    if (redirection.type === 'HereDoc') {
      const { body } = redirection;
      stdin = { of: 'text', text: body.parts ? readParts(body.parts, reader) : body.text };
      continue;
    }
    if (!redirection.target) continue;
    const targets = readText(redirection.target, reader);
    if (redirection.type === 'HereString') {
      stdin = targets.length === 1 ? { of: 'text', text: `${targets[0]}\n` } : { of: 'unknown' };
      continue;
    }
    const fd = redirection.descriptor?.type === 'FileDescriptor' ? redirection.descriptor.value : undefined;
    for (const target of targets) {
      if (/^(\d+-?|-)$/.test(target) && redirection.operator.endsWith('&')) continue;
      const { operator } = redirection;
      if (operator === '<' || operator === '<&' || operator === '<>') {
        reads(place.world, call, target);
        if (fd === undefined || fd === 0) stdin = inputFrom(target, place);
        if (operator === '<>') writes(place.world, call, target);
        continue;
      }
      writes(place.world, call, target);
      if (fd === undefined || fd === 1) outputs.push({ path: target, append: operator.includes('>>') });
    }
  }
  return { stdin, store: (out) => keep(out, outputs, place) };
}

function inputFrom(target: string, place: Place): Flow {
  const path = resolvePath(target, place.state.cwd);
  const known = path === undefined ? undefined : place.state.files.get(path);
  if (known) return known;
  if (path?.startsWith('/dev/tcp/') || path?.startsWith('/dev/udp/')) return { of: 'network' };
  return { of: 'file', path: target };
}

function keep(out: Flow, outputs: readonly { path: string; append: boolean }[], place: Place): Flow {
  if (outputs.length === 0) return out;
  for (const { path, append } of outputs) {
    const absolute = resolvePath(path, place.state.cwd);
    if (absolute === undefined) continue;
    const before = append ? place.state.files.get(absolute) : undefined;
    place.state.files.set(
      absolute,
      before ? followedBy(before, out) : append && out.of !== 'network' ? { of: 'unknown' } : out,
    );
  }
  return nothing;
}

const followedBy = (before: Flow, out: Flow): Flow =>
  before.of === 'text' && out.of === 'text'
    ? { of: 'text', text: before.text + out.text }
    : { of: 'unknown' };
