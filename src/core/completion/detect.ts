import type { Check } from '../../contract/check.ts';
import type { Finding, FolderFacts } from './detect-facts.ts';
import { ecosystems } from './ecosystems/registry.ts';

/** Most checks one workspace may have by detection; a person may name more. */
const detectedChecksMax = 20;

/** What was looked at, for the person: taken or not, and why. */
interface Considered {
  readonly what: string;
  readonly taken: boolean;
  readonly because: string;
}

export interface Detection {
  readonly checks: readonly Check[];
  readonly considered: readonly Considered[];
}

/**
 * The checks a workspace asks for by what lies in it: unit tests first, then end-to-end tests. Everything that was
 * looked at is told, with the reason it was taken or not; no check found is an answer, never an error.
 */
export function detectChecks(facts: FolderFacts): Detection {
  const all: Finding[] = [];
  for (const { detect, recipe } of ecosystems)
    all.push(...(detect?.(facts, all) ?? []).map((finding) => ({ ...finding, recipe })));
  const ordered = [
    ...all.filter((each) => each.kind === 'unit'),
    ...all.filter((each) => each.kind === 'e2e'),
  ];
  const checks: Check[] = [];
  const considered = ordered.map((finding): Considered => {
    const { what, because, check } = finding;
    if (!check) return { what, taken: false, because };
    if (checks.length >= detectedChecksMax) return { what, taken: false, because: tooMany(finding) };
    checks.push(check);
    return { what, taken: true, because };
  });
  return { checks, considered };
}

function tooMany(finding: Finding): string {
  return `${finding.because}, but ${detectedChecksMax} checks are taken already; name the ones you want in the config`;
}
