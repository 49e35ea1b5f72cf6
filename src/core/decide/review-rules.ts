import { bounds } from '../bounds.ts';
import { cycleOver } from '../cycle/cycle.ts';
import type { Run } from '../run.ts';
import { askPerson } from './completion.ts';
import { away } from './failures.ts';
import { goReview } from './go-on.ts';
import { rule } from './rule.ts';

/** Claimed and, where that is possible, proven: all that is left is somebody's look at it. */
const isUnreviewed = ({ policy, claim, proof, checks, reviewed }: Run): boolean =>
  policy.review === 'before-completion' &&
  claim !== null &&
  !reviewed.isPassed &&
  (proof === null ? checks.length === 0 : proof.certificate.verdict === 'certified');

/** A review that names nothing one could count is told to the agent once and not asked for again. */
export const reviewFirst = rule('review-first', ({ run }) => {
  const { rounds, isUnclear } = run.reviewed;
  if (!isUnreviewed(run) || isUnclear || rounds >= bounds.reviewsMax) return false;
  return goReview(
    run,
    'the work is claimed and proven; it is reviewed before it counts as done',
    'completion',
  );
});

/** Every round found something: whether it matters is a person's to say. */
export const askAboutFindings = rule('ask-about-findings', (facts) => {
  const { rounds, isUnclear } = facts.run.reviewed;
  if (!isUnreviewed(facts.run) || isUnclear || rounds < bounds.reviewsMax) return false;
  const because = `${rounds} reviews in a row found something to mend`;
  return askPerson(facts, 'accept', `Every check passes, but ${because}. Accept the work?`, because);
});

/** Once after each error that was neither the world's nor a limit: the same words again would meet it again. */
export const reviewAfterError = rule('review-after-error', ({ run }) => {
  const { last, proof, refusals } = run;
  if (run.policy.review !== 'on-error' || last === null || last.review !== null) return false;
  // A context that is used up has no room for a look at the work.
  if (cycleOver(run) !== null) return false;
  const kind = last.status === 'failed' ? (last.failure?.kind ?? 'other') : null;
  if (kind !== null && !away.has(kind) && kind !== 'usage-limit')
    return goReview(run, `the turn failed (${kind}); the work is reviewed before it goes on`, 'error');
  const isRefused = proof?.certificate.verdict === 'refused' && refusals?.times === 2;
  return (
    isRefused && goReview(run, `${refusals?.check} refused a second claim; the work is reviewed`, 'error')
  );
});
