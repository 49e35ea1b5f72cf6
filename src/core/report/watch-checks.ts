import type { CheckResult, EventOf } from '../../contract/index.ts';
import { cutFront, type Excerpt, firstAndLast } from './excerpt.ts';
import { reportBounds as max } from './limits.ts';
import type { Certificate, CheckRun } from './report.ts';
import type { Seen, Watch } from './seen.ts';

export interface ChecksSeen {
  readonly checkRuns: Excerpt<CheckRun>;
  readonly certificate: Omit<Certificate, 'acceptedBy'> | null;
}

/** Follows what we ran ourselves, up to the certificate. */
export function watchChecks(): Watch<ChecksSeen> {
  const runs = firstAndLast<CheckRun>(max.checkRunsHeadMax, max.checkRunsTailMax);
  let last: CheckRun | null = null;
  let certificate: ChecksSeen['certificate'] = null;
  return {
    see(seen) {
      const { entry } = seen;
      if (entry.event.type === 'effect-ended' && entry.event.outcome.of === 'checks-run') {
        last = checkRunOf(seen, entry.event.outcome);
        runs.add(last);
      }
      if (entry.decision?.to === 'done') certificate = certificateOf(seen, last);
    },
    end: () => ({ checkRuns: runs.end(), certificate }),
  };
}

type Ran = Extract<EventOf<'effect-ended'>['outcome'], { of: 'checks-run' }>;

const checkRunOf = ({ before, run, entry }: Seen, ran: Ran): CheckRun => ({
  ...{ at: entry.at, turn: run.turns, isVoid: entry.late === true || before?.proofVoid === true },
  results: ran.results.slice(0, max.checkNamesMax).map(shortened),
  ...{ treeBefore: ran.before.tree, treeAfter: ran.after.tree },
});

const shortened = (result: CheckResult): CheckResult => ({
  ...result,
  tail: { text: cutFront(result.tail.text, max.tailCharsMax) },
});

/** Freshness is two trees that are known and the same; unknown is never fresh. */
function certificateOf({ run, entry }: Seen, last: CheckRun | null): ChecksSeen['certificate'] {
  const { proof, claim, plan } = run;
  if (proof === null || !proof.ok) return null;
  const ran = proof.byPerson ? null : last;
  const atEnd = run.tree?.tree ?? 'unknown';
  return {
    ...{ at: entry.at, seq: entry.seq },
    claim: { via: claim?.via ?? 'unknown', text: claim?.text ?? '' },
    checks: ran?.results ?? [],
    tree: {
      beforeChecks: ran?.treeBefore ?? 'unknown',
      ...{ afterChecks: proof.tree, atEnd, isFresh: atEnd !== 'unknown' && proof.tree === atEnd },
    },
    plan: plan === null ? null : { done: plan.done, total: plan.total },
  };
}
