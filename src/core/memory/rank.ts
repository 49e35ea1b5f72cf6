import type { FoundMemory, Memory } from '../../contract/memory.ts';
import { freshness } from './fade.ts';
import { nearness } from './moments.ts';
import { type Corpus, type Relevance, relevanceOf, type Scale } from './score.ts';

/** A memory that may answer, with the terms it is found by and its place in the order of writing. */
export interface Candidate {
  readonly memory: Memory;
  readonly terms: readonly string[];
  readonly place: number;
}

type Relevant = Candidate & { readonly relevance: Relevance };

interface Ranked extends Relevant {
  readonly points: number;
  readonly parts: readonly string[];
}

/** Everything beside relevance may shift a score by this share at most, so that relevance always counts. */
const shiftMax = 0.5;
const shares = { fresh: 0.04, freshNow: 0.2, important: 0.1, moment: 0.3, neighbour: 0.06 };
/** What the time a question names is worth beside its words, and what the turn before or after says beside one's own. */
const momentShare = 0.7;
const contextShare = 0.5;
const notReplyShare = 0.7;
/** Turns of a conversation whose neighbours are looked at as well. */
const contextTurnsMax = 12;
/** Memories written this close to one another, in ms, are of one conversation. */
const neighbourMs = 600_000;
/** Share of terms two texts have in common to be the same, or about the same. */
const sameShare = 0.9;
const alikeShare = 0.6;
/** Of two memories about the same the newer comes first when relevance differs by less than this share. */
const tieShare = 0.12;
/** How far down texts are compared with one another. */
const comparedMax = 40;

const turn =
  /^(?:\[[^\]]{0,60}\]\s*)?(?:\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}|user|assistant|human):\s/u;

/** A line of a conversation: `Name: words`. */
const isTurn = (text: string): boolean => turn.test(text);

/** The best answers first. Where more than one is asked for, the most relevant is always among them, whatever its age. */
export function rank(
  scale: Scale,
  candidates: readonly Candidate[],
  nowAt: number,
  limit: number,
): FoundMemory[] {
  const relevant: Relevant[] = candidates.map(({ memory, terms, place }) => ({
    memory,
    terms,
    place,
    relevance: relevanceOf(scale, terms, memory.text) ?? irrelevant,
  }));
  const byPlace = new Map(relevant.map((one) => [one.place, one] as const));
  const ranked = relevant
    .map((one) => shifted(scale, one, byPlace, nowAt))
    .filter(({ points }) => points > 0);
  ranked.sort((a, b) => b.points - a.points || b.memory.at - a.memory.at || a.place - b.place);
  const compared = makeCompared();
  const top = ranked.slice(0, Math.max(comparedMax, limit));
  // Who names a time wants what was so then.
  const isNewestBest = scale.question.moment === null;
  const unlike = withoutCopies(top, compared, isNewestBest);
  const head = isNewestBest ? newestFirst(unlike, compared) : unlike;
  const chosen = head.slice(0, limit);
  const best = head.reduce<Ranked | null>(
    (most, one) => (most !== null && most.relevance.points >= one.relevance.points ? most : one),
    null,
  );
  if (best !== null && !chosen.includes(best) && limit > 1) chosen[limit - 1] = best;
  return chosen.map(found);
}

const irrelevant: Relevance = { points: 0, met: [], coverage: 0, together: 0 };

/** Places of the turns beside the best ones, for what is said there belongs to them. */
export function placesBeside(scale: Scale, candidates: readonly Candidate[]): number[] {
  const known = new Set(candidates.map(({ place }) => place));
  return candidates
    .filter(({ memory }) => isTurn(memory.text))
    .map(({ place, terms, memory }) => ({
      place,
      points: relevanceOf(scale, terms, memory.text)?.points ?? 0,
    }))
    .sort((a, b) => b.points - a.points)
    .slice(0, contextTurnsMax)
    .flatMap(({ place }) => [place - 1, place + 1])
    .filter((place) => !known.has(place));
}

function shifted(
  { question, corpus }: Scale,
  one: Relevant,
  byPlace: ReadonlyMap<number, Relevant>,
  nowAt: number,
): Ranked {
  const { memory, relevance } = one;
  const parts: string[] = [];
  let shift = 0;
  const add = (share: number, what: string) => {
    if (Math.abs(share) < 0.0005) return;
    shift += share;
    parts.push(`${what} ${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}%`);
  };
  const fresh = freshness(memory.type, memory.at, nowAt);
  add(fresh * (question.isAboutNow ? shares.freshNow : shares.fresh), `fresh (${memory.type})`);
  add((memory.importance - 0.5) * shares.important, 'importance');
  if (question.moment !== null)
    add(nearness(question.moment, memory.at) * shares.moment, `"${question.moment.words}"`);
  const beside = besidePoints(one, byPlace);
  const context = isTurn(memory.text)
    ? besidePoints(one, byPlace, ({ text }) => isTurn(text)) * contextShare
    : 0;
  if (context > 0) parts.push(`said beside it ${context.toFixed(2)}`);
  else if (relevance.points > 0) add(Math.min(1, beside / relevance.points) * shares.neighbour, 'neighbours');
  const timely = timePoints(question.moment, memory.at, corpus);
  if (timely > 0) parts.push(`of that time ${timely.toFixed(2)}`);
  const points = (relevance.points + context + timely) * (1 + Math.min(shiftMax, shift));
  return { ...one, points, parts };
}

/** A time few memories are of tells as much as a rare word. */
function timePoints(
  moment: Scale['question']['moment'],
  at: number,
  { count, inMoment = count }: Corpus,
): number {
  if (moment === null) return 0;
  return momentShare * nearness(moment, at) * Math.log(1 + (count - inMoment + 0.5) / (inMoment + 0.5));
}

/** How good the better of its neighbours is, of the same source or time. What follows a question answers it. */
function besidePoints(
  one: Relevant,
  byPlace: ReadonlyMap<number, Relevant>,
  counts: (memory: Memory) => boolean = () => true,
): number {
  let best = 0;
  for (const place of [one.place - 1, one.place + 1]) {
    const other = byPlace.get(place);
    if (other === undefined || !areNeighbours(one.memory, other.memory) || !counts(other.memory)) continue;
    const isReply = place < one.place && other.memory.text.trimEnd().endsWith('?');
    best = Math.max(best, other.relevance.points * (isReply ? 1 : notReplyShare));
  }
  return best;
}

function areNeighbours(a: Memory, b: Memory): boolean {
  if (a.scope !== b.scope) return false;
  return a.source !== undefined && b.source !== undefined
    ? a.source === b.source
    : Math.abs(a.at - b.at) <= neighbourMs;
}

/** Two memories side by side; what a text is compared by is made once. */
interface Compared {
  /** Share of terms they have in common. */
  common(a: Candidate, b: Candidate): number;
  /** Whether they hold the same numbers and names. */
  meanTheSame(a: Candidate, b: Candidate): boolean;
}

function makeCompared(): Compared {
  const sets = new Map<number, ReadonlySet<string>>();
  const setOf = ({ place, terms }: Candidate): ReadonlySet<string> => {
    const known = sets.get(place) ?? new Set(terms);
    sets.set(place, known);
    return known;
  };
  return {
    common(a, b) {
      const [one, other] = [setOf(a), setOf(b)];
      const [less, more] = one.size < other.size ? [one, other] : [other, one];
      if (less.size < more.size * alikeShare) return 0;
      let both = 0;
      for (const term of less) if (more.has(term)) both += 1;
      return both / (one.size + other.size - both);
    },
    meanTheSame: (a, b) => specifics(a) === specifics(b),
  };
}

/** Leaves one of the texts that say the same in the same words, the newest or the best, at the place of the best. */
function withoutCopies(ranked: readonly Ranked[], compared: Compared, isNewestBest: boolean): Ranked[] {
  const kept: Ranked[] = [];
  for (const one of ranked) {
    const at = kept.findIndex(
      (other) => compared.common(one, other) >= sameShare && compared.meanTheSame(one, other),
    );
    const other = kept[at];
    if (other === undefined) kept.push(one);
    else if (isNewestBest && one.memory.at > other.memory.at) kept[at] = { ...one, points: other.points };
  }
  return kept;
}

/** Of two that are about the same and about equally relevant, the newer goes first. */
function newestFirst(ranked: readonly Ranked[], { common }: Compared): Ranked[] {
  const order = [...ranked];
  for (let at = 1; at < order.length; at++) {
    for (let up = at; up > 0; up--) {
      const [above, below] = [order[up - 1] as Ranked, order[up] as Ranked];
      const isTie = below.relevance.points >= above.relevance.points * (1 - tieShare);
      if (!isTie || below.memory.at <= above.memory.at || common(above, below) < alikeShare) break;
      order[up - 1] = { ...below, points: above.points, parts: [...below.parts, 'newer of two alike'] };
      order[up] = { ...above, points: below.points };
    }
  }
  return order;
}

/** The numbers and names of a text: two texts that differ in them are not the same. */
function specifics({ memory }: Candidate): string {
  return (memory.text.match(/\b\p{Lu}[\p{L}\p{N}]*|[\p{L}]*\p{N}[\p{L}\p{N}]*/gu) ?? [])
    .map((word) => word.toLowerCase())
    .sort()
    .join(' ');
}

function found({ memory, relevance, points, parts }: Ranked): FoundMemory {
  const words = relevance.met.map(({ word, by, points: one }) =>
    `${word}${by === word || word.startsWith(by) ? '' : `~${by}`} ${one.toFixed(2)}`.trim(),
  );
  const why = [
    words.length === 0 ? 'no word matched' : `matched ${words.join(', ')}`,
    `covers ${Math.round(relevance.coverage * 100)}%`,
    ...(relevance.together > 0 ? ['words stand together'] : []),
    ...parts,
    ...(memory.supersedes === undefined ? [] : [`replaces ${memory.supersedes}`]),
  ].join('; ');
  return { ...memory, score: Number(points.toFixed(4)), why };
}
