import type { Input, InputPart, ReviewOf, Text, Tree } from '../../contract/index.ts';
import type { Run } from '../run.ts';

/** What a review that found nothing ends with, alone on a line. */
export const cleanLine = 'REVIEW: CLEAN';

/** What a review is asked for here, or null where the input is not one. */
export function reviewIn({ parts }: Input): ReviewOf | null {
  const part = parts.find((one) => one.part === 'review');
  return part?.part === 'review' ? (part.of ?? null) : null;
}

/** How much a review found: its listed comments, 0 only where it says that there is nothing, else null. */
export function findingsIn(text: string): number | null {
  const comments = text.match(/^\s*- \[P\d\]/gm)?.length ?? 0;
  if (comments > 0) return comments;
  return text.split('\n').some((line) => line.trim() === cleanLine) ? 0 : null;
}

/**
 * The run after a review: `next` is what any turn leaves behind. A look at the work claims nothing, refutes nothing
 * that was proven and forgives no failure; what it found is told to the agent and takes a claim back.
 */
export function afterReview(run: Run, next: Run, of: ReviewOf, message: Text | null): Run {
  const { claim, proof, carry, inDoubt, denied, sameError } = run;
  const looked: Run = {
    ...next,
    claim,
    proof,
    carry,
    inDoubt,
    denied,
    sameError,
    cycle: { ...next.cycle, closingTurns: run.cycle.closingTurns },
    last: next.last === null ? null : { ...next.last, message: null },
  };
  if (next.last?.status !== 'completed' || message === null) return looked;
  const count = findingsIn(message.text);
  const found: Run = {
    ...looked,
    failuresInRow: run.failuresInRow,
    review: count === 0 ? null : { text: message, count },
  };
  if (of !== 'completion') return found;
  const { rounds } = run.reviewed;
  return count === 0
    ? { ...found, reviewed: { rounds: 0, isPassed: true, isUnclear: false } }
    : {
        ...found,
        claim: null,
        proof: null,
        reviewed: { rounds: rounds + 1, isPassed: false, isUnclear: count === null },
      };
}

/** The proof stands as long as the review left the files as they were. */
export const sameWork = (run: Run, tree: Tree): Run =>
  run.proof === null || (tree.tree !== 'unknown' && tree.tree === run.proof.certificate.tree)
    ? run
    : { ...run, proof: null };

/** What the agent has not been told of the last review. */
export const findingsOf = (run: Run): readonly InputPart[] =>
  run.review === null
    ? run.carry.filter((part) => part.part === 'findings')
    : [{ part: 'findings', text: run.review.text, count: run.review.count }];
