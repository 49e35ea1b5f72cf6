import type { Alteration, Baseline, Certificate, CheckResult } from '../../contract/index.ts';
import { countAlterations } from './altered.ts';
import { isCoveredLike, isCoveredTo } from './coverage.ts';

/** Coverage that is asked for where the project measures it, in percent; a lower baseline is the bar instead. */
const coverageMinPercent = 80;

/** All that was gathered about one claim. */
export interface Evidence {
  readonly claim: Certificate['claim'];
  readonly results: readonly CheckResult[];
  readonly baseline: Baseline | null;
  readonly tree: string;
  /** The files could be read before and after the checks: only then can freshness be shown. */
  readonly isTreeKnown: boolean;
  readonly wrote: readonly string[];
  readonly altered: readonly Alteration[];
  readonly acceptedBy: string | null;
}

/**
 * Weighs the evidence. Refused: a check does not pass, or coverage fell. Asks: the proof
 * itself was altered, or a check was red before the first turn and still is. A person's acceptance answers what
 * asks, never what is refused.
 */
export function certify(evidence: Evidence): Certificate {
  const { results, baseline, isTreeKnown, wrote, acceptedBy } = evidence;
  const altered =
    baseline === null ? evidence.altered : [...evidence.altered, ...countAlterations(baseline, results)];
  const wasRed = (name: string): boolean =>
    atBaseline(baseline, name)?.outcome !== 'passed' && atBaseline(baseline, name) !== undefined;
  const failing = results.filter((r) => r.outcome !== 'passed');
  const refused = [
    ...(results.length === 0 ? ['no check ran'] : []),
    ...failing
      .filter((r) => !wasRed(r.name) || failing.length === results.length)
      .map((r) => `${r.name} ${r.outcome}${r.because === undefined ? '' : ` (${r.because})`}`),
    ...results.flatMap((r) => coverageProblem(r, atBaseline(baseline, r.name))),
  ];
  const asks = [
    ...(isTreeKnown
      ? []
      : ['the files could not be read, so nothing shows that the checks saw them as they are']),
    ...altered.map((a) => `${a.part} altered: ${a.path} (${a.what})`),
    ...failing
      .filter((r) => wasRed(r.name) && failing.length < results.length)
      .map((r) => `${r.name} was red before the first turn and still is`),
  ];
  const verdict =
    refused.length > 0 ? 'refused' : asks.length > 0 && acceptedBy === null ? 'asks' : 'certified';
  return {
    verdict,
    because: (verdict === 'refused' ? refused : asks).slice(0, 50).map((text) => text.slice(0, 500)),
    claim: evidence.claim,
    checks: results.map((r) => checkRow(r, atBaseline(baseline, r.name))),
    tree: evidence.tree,
    fresh: isTreeKnown,
    wrote: wrote.slice(0, 100),
    altered: altered.slice(0, 100),
    acceptedBy,
  };
}

const atBaseline = (baseline: Baseline | null, name: string): CheckResult | undefined =>
  baseline?.results.find((r) => r.name === name);

/** Judged only where the project measures it: 80 %, or not below a lower baseline. A report that was there and is gone is no pass. */
function coverageProblem({ name, coverage }: CheckResult, before: CheckResult | undefined): string[] {
  if (coverage === undefined)
    return before?.coverage === undefined ? [] : [`${name} measured coverage before and no longer does`];
  if (isCoveredTo(coverage, coverageMinPercent)) return [];
  if (before?.coverage !== undefined && isCoveredLike(coverage, before.coverage)) return [];
  const bar =
    before?.coverage !== undefined && !isCoveredTo(before.coverage, coverageMinPercent)
      ? `${before.coverage.percent} % at the baseline`
      : `${coverageMinPercent} %`;
  return [`${name} covers ${coverage.percent} % of ${coverage.unit}, below ${bar}`];
}

function checkRow(r: CheckResult, before: CheckResult | undefined): Certificate['checks'][number] {
  const { name, command, outcome, exitCode, outputDigest, counts, coverage } = r;
  return {
    name,
    command,
    outcome,
    exitCode,
    outputDigest,
    counts:
      counts === undefined
        ? null
        : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    atBaseline: before?.outcome ?? null,
    flaky: r.flaky === true,
    coverage: coverage === undefined ? null : `${coverage.percent} % of ${coverage.unit}`,
  };
}

/**
 * Where nothing could be checked, a person's word is all the evidence there is, and the certificate says so: `tree` is
 * what they were asked about, and nothing shows that it is what they looked at.
 */
export const acceptedCertificate = (claim: Certificate['claim'], tree: string, by: string): Certificate => ({
  verdict: 'certified',
  because: ['no check was found; a person accepted the work'],
  claim,
  checks: [],
  tree,
  fresh: false,
  wrote: [],
  altered: [],
  acceptedBy: by,
});
