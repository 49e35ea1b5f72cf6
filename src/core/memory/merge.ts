import type { Memory } from '../../contract/memory.ts';
import type { DistilledMemory } from './distil.ts';
import { speaksOfNot } from './question.ts';
import { wordsOf } from './terms.ts';

/** What is to be written of a cycle's memories once they were compared with what is known. */
export interface MergePlan {
  readonly add: readonly DistilledMemory[];
  /** Known memories that say the same: they count as learned again. */
  readonly confirm: readonly { readonly id: string; readonly at: number; readonly importance: number }[];
  readonly problems: readonly string[];
}

/** Share of words two texts have in common to say the same, or to be about the same. */
const sameShare = 0.85;
const aboutShare = 0.6;

/**
 * Compares new memories with those already known, and with one another. What says the same is not written again; what
 * contradicts an older one replaces it. What a person wrote is replaced by a person only.
 */
export function mergePlan(
  fresh: readonly DistilledMemory[],
  known: readonly Memory[],
  isAlwaysKept: (id: string) => boolean,
): MergePlan {
  const add: DistilledMemory[] = [];
  const confirm: MergePlan['confirm'][number][] = [];
  const problems: string[] = [];
  const replaced = new Set<string>();
  for (const { supersedes: named, ...one } of fresh) {
    if (isAlwaysKept(one.id)) {
      add.push(one);
      continue;
    }
    const inScope = known.filter(({ scope, id }) => scope === one.scope && !replaced.has(id));
    const same = inScope.find((other) => saysTheSame(one.text, other.text));
    if (same !== undefined) {
      confirm.push({ id: same.id, at: one.at, importance: Math.max(one.importance, same.importance) });
      continue;
    }
    if (add.some((other) => other.scope === one.scope && saysTheSame(one.text, other.text))) continue;
    const isUntrue = (other: Memory): boolean =>
      one.type !== 'observation' && other.type !== 'observation' && contradicts(one.text, other.text);
    const old = known.find(({ id }) => id === named) ?? inScope.find(isUntrue);
    if (named !== undefined && old?.id !== named)
      problems.push(`"${named}" is no known memory: nothing replaced`);
    const verdict = old === undefined ? 'new' : whetherReplaces(one, old, replaced);
    if (old !== undefined && verdict === 'replaces') {
      replaced.add(old.id);
      add.push({ ...one, supersedes: old.id });
      continue;
    }
    if (verdict !== 'new') problems.push(verdict);
    add.push(one);
  }
  return { add, confirm, problems };
}

/** `replaces`, or why both are kept. */
function whetherReplaces(one: DistilledMemory, old: Memory, replaced: ReadonlySet<string>): string {
  if (old.source === undefined) return `"${old.id}" was written by a person: both are kept`;
  if (old.scope !== one.scope) return `"${old.id}" belongs to another scope: both are kept`;
  if (old.at > one.at) return `"${old.id}" is newer: both are kept`;
  return replaced.has(old.id) ? `"${old.id}" is replaced already: both are kept` : 'replaces';
}

interface Read {
  readonly terms: ReadonlySet<string>;
  readonly numbers: string;
  readonly names: string;
  readonly isNegated: boolean;
}

function read(text: string): Read {
  const words = wordsOf(text).filter(({ isStop, isWhole }) => !isStop && !isWhole);
  const isNumber = (plain: string): boolean => /\d/.test(plain);
  const sorted = (all: readonly string[]): string => [...new Set(all)].sort().join(' ');
  return {
    terms: new Set(words.filter(({ plain }) => !isNumber(plain)).map(({ term }) => term)),
    numbers: sorted(words.filter(({ plain }) => isNumber(plain)).map(({ plain }) => plain)),
    names: sorted(
      words.filter(({ isSpecific, plain }) => isSpecific && !isNumber(plain)).map(({ term }) => term),
    ),
    isNegated: speaksOfNot(text),
  };
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const term of a) if (b.has(term)) both += 1;
  const all = a.size + b.size - both;
  return all === 0 ? 1 : both / all;
}

/** The same words, numbers and names, and the same yes or no. */
export function saysTheSame(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [read(a), read(b)];
  return (
    one.numbers === other.numbers &&
    one.names === other.names &&
    one.isNegated === other.isNegated &&
    common(one.terms, other.terms) >= sameShare
  );
}

/**
 * About the same things by name, but with another number in what is said of them, or yes instead of no. A number
 * inside the subject ("pool 2 uses …") tells two things apart and is no contradiction.
 */
export function contradicts(a: string, b: string): boolean {
  const [one, other] = [read(a), read(b)];
  if (one.terms.size < 2 || one.names !== other.names || common(one.terms, other.terms) < aboutShare)
    return false;
  if (one.isNegated !== other.isNegated) return one.numbers === other.numbers;
  return (
    one.numbers !== other.numbers && one.numbers !== '' && other.numbers !== '' && subject(a) === subject(b)
  );
}

const verb =
  /\b(?:is|are|was|were|has|have|had|uses?|takes?|listens?|runs?|lives?|expires?|moved|needs?|requires?|costs?|allows?|answers?|lasts?|keeps?|stays?|gets?|must|can|=)(?=\s|$)/i;

/** What stands before the verb, with its numbers; the whole text when there is none. */
function subject(text: string): string {
  const at = verb.exec(text)?.index ?? text.length;
  return wordsOf(text.slice(0, at))
    .filter(({ plain }) => /\d/.test(plain))
    .map(({ plain }) => plain)
    .join(' ');
}
