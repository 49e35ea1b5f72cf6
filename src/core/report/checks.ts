import type { CheckResult, EventOf } from '../../contract/index.ts';
import { cutFront, type Excerpt, firstAndLast, mapExcerpt } from './excerpt.ts';
import { type CheckNames, named, pick } from './public.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Seen, Watch } from './seen.ts';

export interface ChecksPart {
  readonly checkRuns: Excerpt<CheckRun>;
  readonly certificate: Certificate | null;
  /** Claims that our own evidence refused. */
  readonly refusals: number;
}

export interface CheckRun {
  readonly at: number;
  readonly turn: number;
  /** Before the first turn, to know how things stood; or after a claim, to weigh it. */
  readonly purpose: 'baseline' | 'claim' | 'task';
  /** Somebody worked meanwhile, or nobody waited for it any more: it proves nothing. */
  readonly isVoid: boolean;
  readonly results: readonly CheckResult[];
  readonly treeBefore: string;
  readonly treeAfter: string;
}

/** The evidence that the mission is finished. What is absent was not judged. */
export interface Certificate {
  readonly at: number;
  readonly seq: number;
  readonly claim: { readonly via: string; readonly text: string };
  /** Who accepted the work where no check could prove it. */
  readonly acceptedBy: string | null;
  readonly checks: readonly CheckResult[];
  readonly tree: {
    readonly beforeChecks: string;
    readonly afterChecks: string;
    readonly atEnd: string;
    /** The tree that was checked is the tree that is there. */
    readonly isFresh: boolean;
  };
  readonly plan: { readonly done: number; readonly total: number } | null;
  readonly baseline?: readonly { readonly name: string; readonly outcome: string }[];
  readonly altered?: readonly { readonly what: string; readonly because: string }[];
  readonly flaky?: readonly string[];
  /** Paths the checks themselves wrote. */
  readonly wrote?: readonly string[];
}

/** Follows what we ran ourselves, up to the certificate. */
export function watchChecks(): Watch<ChecksPart> {
  const runs = firstAndLast<CheckRun>(max.checkRunsHeadMax, max.checkRunsTailMax);
  let last: CheckRun | null = null;
  let certificate: ChecksPart['certificate'] = null;
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
function certificateOf({ run, entry }: Seen, last: CheckRun | null): ChecksPart['certificate'] {
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
    altered:
      baseline.length === 0 && altered.length === 0
        ? undefined
        : altered.map(({ path, part, what }) => ({ what: `${part}: ${path}`, because: what })),
    flaky: checks.filter((c) => c.flaky).map((c) => c.name),
    wrote,
  };
}

export const publicChecks = (part: ChecksPart, names: CheckNames): ChecksPart => ({
  checkRuns: mapExcerpt(part.checkRuns, (ran) => ({
    ...pick(ran, 'at', 'turn', 'purpose', 'isVoid', 'treeBefore', 'treeAfter'),
    results: ran.results.map((result) => publicResult(result, names)),
  })),
  certificate: part.certificate === null ? null : publicCertificate(part.certificate, names),
  refusals: part.refusals,
});

const publicResult = (result: CheckResult, names: CheckNames): CheckResult => ({
  name: names(result.name),
  command: '',
  ...pick(result, 'outcome', 'exitCode', 'durationMs', 'outputDigest', 'counts'),
  tail: { text: '' },
  coverage:
    result.coverage === undefined
      ? undefined
      : pick(result.coverage, 'covered', 'total', 'percent', 'unit', 'format'),
});

const publicCertificate = (certificate: Certificate, names: CheckNames): Certificate => ({
  ...pick(certificate, 'at', 'seq', 'tree', 'plan'),
  claim: { via: named(certificate.claim.via), text: '' },
  acceptedBy: certificate.acceptedBy === null ? null : 'a person',
  checks: certificate.checks.map((result) => publicResult(result, names)),
  baseline: certificate.baseline?.map(({ name, outcome }) => ({
    name: names(name),
    outcome: named(outcome),
  })),
  altered: certificate.altered?.map(() => ({ what: '', because: '' })),
  flaky: certificate.flaky?.map(names),
});
