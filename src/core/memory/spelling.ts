import type { Concept, Question } from './question.ts';

/** Shortest word that may be completed or corrected, in characters, and how much of its beginning must be right. */
const completedCharsMin = 4;
const beginningChars = 3;
const shares = { completed: 0.6, corrected: 0.6 };
const spellingsMax = 4;

/** A term the store knows, with how many memories hold it. */
export interface KnownTerm {
  readonly term: string;
  readonly count: number;
}

/** The beginnings whose terms `respelled` needs, for the words no memory holds. */
export function beginningsWanted(question: Question, holding: ReadonlyMap<string, number>): string[] {
  const wanted = question.concepts.filter((concept) => isUnknown(concept, holding));
  return [...new Set(wanted.map(({ term }) => term.slice(0, beginningChars)))];
}

/** The question with words nobody wrote down completed ("auth" to "authent") or corrected ("kuberntes"). */
export function respelled(
  question: Question,
  holding: ReadonlyMap<string, number>,
  known: readonly KnownTerm[],
): Question {
  const concepts = question.concepts.map((concept) => {
    if (!isUnknown(concept, holding)) return concept;
    const variants = new Map(concept.variants);
    for (const { term, share } of spellingsOf(concept.term, known)) variants.set(term, share);
    return { ...concept, variants };
  });
  return { ...question, concepts };
}

function isUnknown({ term, variants }: Concept, holding: ReadonlyMap<string, number>): boolean {
  return (
    term.length >= completedCharsMin &&
    /^\p{L}+$/u.test(term) &&
    ![...variants.keys()].some((one) => holding.has(one))
  );
}

function spellingsOf(term: string, known: readonly KnownTerm[]): { term: string; share: number }[] {
  const found: { term: string; share: number; count: number }[] = [];
  for (const one of known) {
    const isCompleted =
      one.term.startsWith(term) || (one.term.length >= completedCharsMin && term.startsWith(one.term));
    if (isCompleted) found.push({ ...one, share: shares.completed });
    else if (term.length > completedCharsMin && isOneSlipApart(term, one.term))
      found.push({ ...one, share: shares.corrected });
  }
  return found.sort((a, b) => b.count - a.count).slice(0, spellingsMax);
}

/** One letter too many, missing, wrong, or two swapped. */
function isOneSlipApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}
