import { type Question, speaksOfNot } from './question.ts';

/** What ranking knows of the whole store: how many memories, how long on average, how many hold a term. */
export interface Corpus {
  readonly count: number;
  readonly termsMean: number;
  readonly holding: ReadonlyMap<string, number>;
  /** How many memories are of the time the question names, when it names one. */
  readonly inMoment?: number;
}

/** How strongly one concept was met, and by which of its terms. */
interface Met {
  readonly word: string;
  readonly by: string;
  readonly points: number;
}

export interface Relevance {
  readonly points: number;
  readonly met: readonly Met[];
  /** Share of what was asked for that was met at all, by rarity. */
  readonly coverage: number;
  readonly together: number;
}

/** How fast repeating a term stops counting, and how much a long text is held back. */
const repeat = 1.2;
const lengthShare = 0.7;
/** Two words of the question this near to one another in the text, in terms, belong together. */
const togetherTermsMax = 5;
const shares = { coverage: 0.15, together: 0.5, time: 0.04, number: 0.06, negated: 0.08, subject: 0.1 };

/** Rarity of a term in bits of surprise; never below zero. */
function rarity(corpus: Corpus, term: string): number {
  const holding = corpus.holding.get(term) ?? 0;
  return Math.log(1 + (corpus.count - holding + 0.5) / (holding + 0.5));
}

/** A question made ready for many texts: every term it may be met by. */
export interface Scale {
  readonly question: Question;
  readonly corpus: Corpus;
  /** From a term to the concepts it may stand for. */
  readonly byTerm: ReadonlyMap<string, readonly { readonly concept: number; readonly worth: number }[]>;
  /** What each concept is worth when met in full. */
  readonly worth: readonly number[];
  readonly worthAll: number;
}

export function makeScale(question: Question, corpus: Corpus): Scale {
  const byTerm = new Map<string, { concept: number; worth: number }[]>();
  const worth = question.concepts.map(({ term, weight, variants }, concept) => {
    const own = corpus.holding.get(term) ?? 0;
    // A seldom synonym must not outweigh the word itself.
    const cap = own > 0 ? rarity(corpus, term) : Number.POSITIVE_INFINITY;
    let best = own > 0 ? weight * cap : 0;
    for (const [variant, share] of variants) {
      if ((corpus.holding.get(variant) ?? 0) === 0) continue;
      const points = weight * share * Math.min(cap, rarity(corpus, variant));
      best = Math.max(best, points);
      const known = byTerm.get(variant) ?? [];
      known.push({ concept, worth: points });
      byTerm.set(variant, known);
    }
    return best;
  });
  return { question, corpus, byTerm, worth, worthAll: worth.reduce((sum, one) => sum + one, 0) };
}

/** How well a text, given as its terms, answers the question. Null when nothing of it was met. */
export function relevanceOf(scale: Scale, terms: readonly string[], text: string): Relevance | null {
  const { question, corpus, byTerm, worth } = scale;
  const places = new Map<string, number[]>();
  for (const [at, term] of terms.entries()) {
    if (!byTerm.has(term)) continue;
    const known = places.get(term);
    if (known === undefined) places.set(term, [at]);
    else known.push(at);
  }
  if (places.size === 0) return null;
  const long = 1 - lengthShare + (lengthShare * terms.length) / Math.max(1, corpus.termsMean);
  const best: (Met & { places: readonly number[] })[] = [];
  for (const [term, at] of places) {
    const often = (at.length * (repeat + 1)) / (at.length + repeat * long);
    for (const { concept, worth: one } of byTerm.get(term) ?? []) {
      const points = one * often;
      const word = question.concepts[concept]?.word ?? term;
      if (points > (best[concept]?.points ?? 0)) best[concept] = { word, by: term, points, places: at };
    }
  }
  let [sum, covered, together] = [0, 0, 0];
  for (const [concept, met] of best.entries()) {
    if (met === undefined) continue;
    sum += met.points;
    covered += worth[concept] ?? 0;
    const next = best[concept + 1];
    if (next !== undefined && next.by !== met.by && areNear(met.places, next.places))
      together += Math.min(met.points, next.points);
  }
  const coverage = scale.worthAll === 0 ? 0 : Math.min(1, covered / scale.worthAll);
  const points =
    (sum + shares.together * together) *
    (1 - shares.coverage + shares.coverage * coverage) *
    (1 + answerShare(question, text));
  return { points, coverage, together, met: best.filter((met) => met !== undefined) };
}

/** A text that begins with a name in question is about that one, or said by it. */
function isAboutNamed(question: Question, text: string): boolean {
  const first = /^\W*(\p{Lu}\p{L}+)/u.exec(text)?.[1]?.toLowerCase();
  return first !== undefined && question.names.has(first);
}

const toldTime =
  /\b(?:yesterday|today|tomorrow|tonight|ago|(?:last|next|this) (?:night|week|weekend|month|year)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;

/** A text with a date answers "when" a little better, one with a number "how many", one that says "not" what is not so. */
function answerShare(question: Question, text: string): number {
  const hasNumber = /\d/.test(text);
  const isTold = hasNumber || (question.wants === 'time' && toldTime.test(text));
  const wanted = question.wants !== null && isTold ? shares[question.wants] : 0;
  const named = isAboutNamed(question, text) ? shares.subject : 0;
  return wanted + named + (question.isNegated && speaksOfNot(text) ? shares.negated : 0);
}

function areNear(some: readonly number[], others: readonly number[]): boolean {
  return some.some((a) => others.some((b) => a !== b && Math.abs(a - b) <= togetherTermsMax));
}
