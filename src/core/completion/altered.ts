import type { Alteration, Baseline, CheckResult } from '../../contract/index.ts';
import type { Ecosystem, Manifest, SuitePart } from './ecosystems/ecosystem.ts';
import { ecosystems } from './ecosystems/registry.ts';

export interface FileChange {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  /** For a manifest: the parts that say how tests are run, before and after. */
  readonly before?: string;
  readonly after?: string;
  /** What stands there now, by digest: what a person accepts is this content and no other. */
  readonly now?: string;
  /** The commands of the checks run this file, whatever it is called. */
  readonly isRun?: boolean;
}

/** What belongs to the proof in every ecosystem. */
const everywhere: Ecosystem['suite'] = {
  CI: /(^|\/)(\.github\/(workflows|actions)\/|\.circleci\/|\.buildkite\/|\.gitlab-ci\.ya?ml$|\.travis\.yml$|azure-pipelines\.ya?ml$|bitbucket-pipelines\.yml$|Jenkinsfile$|\.drone\.yml$|\.woodpecker)/,
  snapshots: /\.snap$|\.approved\.\w+$/,
  'test config': /(^|\/)\.?codecov\.ya?ml$/,
  tests: /(^|\/)(tests?|specs?|e2e|testing|fixtures)\//,
};

/** The first that fits names the part. */
const patterns = (['CI', 'snapshots', 'test config', 'tests'] as const).map((part) => {
  const all = [everywhere, ...ecosystems.map((each) => each.suite)];
  return [part, new RegExp(all.flatMap((suite) => suite?.[part]?.source ?? []).join('|'))] as const;
});

/** Characters of a digest that tell one content of a file from another. */
const contentChars = 10;

const manifests = ecosystems.flatMap((each) => each.manifests ?? []);

export const manifestOf = (path: string): Manifest | undefined =>
  manifests.find(({ file }) => file.test(path));

/** What in a manifest says how tests run. */
export const testingPart = (path: string, text: string): string => manifestOf(path)?.testing?.(text) ?? text;

/** The part of the suite a path belongs to, or null. */
export function suitePart(path: string): SuitePart | null {
  if (manifestOf(path)) return 'scripts';
  return patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/**
 * Whether the proof itself was changed since the baseline. Tests that were only added make it stronger and are not
 * listed; anything changed or removed is, and so is any new script, configuration or CI file.
 */
export function alterationsOf(changes: readonly FileChange[]): readonly Alteration[] {
  return changes.flatMap(({ path, status, before, after, now, isRun }) => {
    const part = suitePart(path) ?? (isRun === true ? 'scripts' : null);
    if (part === null || (part === 'tests' && status === 'added')) return [];
    if (status === 'changed' && before !== undefined && before === after) return [];
    const to = now === undefined || status === 'removed' ? '' : `, now ${now.slice(0, contentChars)}`;
    return [{ path, part, what: `${status}${to}` }];
  });
}

/** Fewer tests, or more skipped ones, than at the baseline: a suite can be weakened without touching its files. */
export function countAlterations(baseline: Baseline, results: readonly CheckResult[]): readonly Alteration[] {
  return results.flatMap(({ name, counts }) => {
    const before = baseline.results.find((r) => r.name === name)?.counts;
    if (before === undefined) return [];
    if (counts === undefined)
      return [
        {
          path: name,
          part: 'counts' as const,
          what: `${before.total} tests were counted before, now none can be`,
        },
      ];
    const fewer = counts.total < before.total ? [`${before.total} tests became ${counts.total}`] : [];
    const skipped =
      counts.skipped > before.skipped ? [`${before.skipped} skipped became ${counts.skipped}`] : [];
    return [...fewer, ...skipped].map((what) => ({ path: name, part: 'counts' as const, what }));
  });
}
