import type { CheckResult, EventOf } from '../../contract/index.ts';
import { cutFront, type Excerpt, firstAndLast } from './excerpt.ts';
import type { Certificate, CheckRun } from './report.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Seen, Watch } from './seen.ts';

export interface ChecksSeen {
  readonly checkRuns: Excerpt<CheckRun>;
  readonly certificate: Certificate | null;
  /** Claims that did not hold. */
  readonly refusals: number;
}

/** Follows what we ran ourselves, up to the certificate. */
export function watchChecks(): Watch<ChecksSeen> {
  const runs = firstAndLast<CheckRun>(max.checkRunsHeadMax, max.checkRunsTailMax);
  let last: CheckRun | null = null;
  let certificate: ChecksSeen['certificate'] = null;
  let refusals = 0;
  return {
    see(seen) {
      const { entry, run, before } = seen;
      const isWeighed = run.proof !== null && run.proof !== before?.proof;
      if (isWeighed && run.proof?.certificate.verdict === 'refused') refusals += 1;
      if (entry.event.type === 'effect-ended' && entry.event.outcome.of === 'checks-run') {
        const ran = checkRunOf(seen, entry.event.effect, entry.event.outcome);
        runs.add(ran);
        if (ran.purpose !== 'task') last = ran;
      }
      if (entry.decision?.to === 'done') certificate = certificateOf(seen, last);
    },
    end: () => ({ checkRuns: runs.end(), certificate, refusals }),
  };
}

type Ran = Extract<EventOf<'effect-ended'>['outcome'], { of: 'checks-run' }>;

const isOfTasks = (before: Seen['before'], id: string): boolean =>
  before?.pending.some((one) => one.id === id && one.type === 'checks-run' && one.purpose === 'task') ===
  true;

const checkRunOf = ({ before, run, entry }: Seen, effect: string, ran: Ran): CheckRun => ({
  // Without a claim there is nothing to weigh: then it shows how things stood before.
  purpose: isOfTasks(before, effect) ? 'task' : before?.claim == null ? 'baseline' : 'claim',
  at: entry.at,
  turn: run.turns,
  isVoid: entry.late === true || before?.proofVoid === true,
  results: ran.results.slice(0, max.checkNamesMax).map(shortened),
  treeBefore: ran.before.tree,
  treeAfter: ran.after.tree,
});

const shortened = (result: CheckResult): CheckResult => ({
  ...result,
  tail: { text: cutFront(result.tail.text, max.tailCharsMax) },
});

/** What the decision carried: the evidence as it was weighed, with the results it was weighed on. */
function certificateOf({ run, entry }: Seen, last: CheckRun | null): ChecksSeen['certificate'] {
  const weighed = entry.decision?.certificate;
  if (weighed === undefined) return null;
  const { claim, tree, fresh, altered, checks, wrote, acceptedBy } = weighed;
  const { plan } = run;
  const ran = checks.length === 0 ? null : last;
  const baseline = checks.flatMap(({ name, atBaseline }) =>
    atBaseline === null ? [] : [{ name, outcome: atBaseline }],
  );
  return {
    at: entry.at,
    seq: entry.seq,
    acceptedBy,
    claim: claim ?? { via: 'unknown', text: '' },
    checks: ran?.results ?? [],
    tree: {
      beforeChecks: ran?.treeBefore ?? 'unknown',
      afterChecks: tree,
      atEnd: run.tree?.tree ?? 'unknown',
      isFresh: fresh,
    },
    plan: plan === null ? null : { done: plan.done, total: plan.total },
    baseline,
    // Without a baseline nobody compared, so there is nothing to say about it.
    ...(baseline.length === 0 && altered.length === 0
      ? {}
      : { altered: altered.map(({ path, part, what }) => ({ what: `${part}: ${path}`, because: what })) }),
    flaky: checks.filter((c) => c.flaky).map((c) => c.name),
    wrote,
  };
}
