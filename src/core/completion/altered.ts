import type { Alteration, Baseline, CheckResult } from '../../contract/index.ts';

/** What part of the proof itself a change touches. */
export type SuitePart = Exclude<Alteration['part'], 'counts'>;

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

const patterns: readonly (readonly [SuitePart, RegExp])[] = [
  [
    'CI',
    /(^|\/)(\.github\/(workflows|actions)\/|\.circleci\/|\.buildkite\/|\.gitlab-ci\.ya?ml$|\.travis\.yml$|azure-pipelines\.ya?ml$|bitbucket-pipelines\.yml$|Jenkinsfile$|\.drone\.yml$|\.woodpecker)/,
  ],
  ['snapshots', /(^|\/)(__snapshots__|__image_snapshots__)\/|\.(snap|ambr)$|-snapshots\/|\.approved\.\w+$/],
  [
    'test config',
    /(^|\/)__mocks__\/|(^|\/)\.cargo\/config(\.toml)?$|(^|\/)((jest|vitest|vite|playwright|cypress|karma|ava|mocha|wdio|nyc|web-test-runner)\.(config|setup|workspace|conf)\.[cm]?[jt]sx?(on)?|\.(mocharc|nycrc|c8rc|coveragerc|taprc)(\.\w+)?|jest\.setup\.\w+|vitest\.setup\.\w+|codecov\.ya?ml|\.codecov\.ya?ml|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|phpunit\.xml(\.dist)?|\.rspec|testplan\.\w+|nextest\.toml|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|bunfig\.toml|turbo\.json|nx\.json|lerna\.json)$/,
  ],
  [
    'tests',
    /(^|\/)(tests?|__tests__|spec|specs|e2e|cypress|testing|fixtures)\/|\.(test|spec|e2e|cy)\.[cm]?[jt]sx?$|(^|\/)test_[^/]+\.py$|_(test|spec)\.(py|go|rb|exs|dart|cc|cpp)$|(Test|Tests|Spec|IT)\.(java|kt|cs|scala|swift|php)$/,
  ],
];

/** Characters of a digest that tell one content of a file from another. */
const contentChars = 10;

/** Manifests mix what is built with how it is tested: only the second part counts. */
const manifests: readonly (readonly [RegExp, SuitePart])[] = [
  [/(^|\/)package\.json$/, 'scripts'],
  [
    /(^|\/)(pyproject\.toml|setup\.cfg|Cargo\.toml|deno\.jsonc?|composer\.json|[Mm]akefile|GNUmakefile|justfile|Taskfile\.ya?ml)$/,
    'scripts',
  ],
];

export const isManifest = (path: string): boolean => manifests.some(([pattern]) => pattern.test(path));

/** The part of the suite a path belongs to, or null. */
export function suitePart(path: string): SuitePart | null {
  const manifest = manifests.find(([pattern]) => pattern.test(path));
  if (manifest !== undefined) return manifest[1];
  return patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/** What in a manifest says how tests run: scripts and the settings of test tools. Unreadable counts whole. */
export function testingPart(path: string, text: string): string {
  if (/(^|\/)(package|composer|deno)\.jsonc?$/.test(path)) return jsonPart(text);
  if (/(^|\/)(pyproject|Cargo)\.toml$|(^|\/)setup\.cfg$/.test(path))
    return sectionsOf(
      text,
      /^(tool[.:](pytest|coverage|tox|nox|hatch)|pytest|coverage|tox|test|bench|bin|workspace|profile\.test|dev-dependencies|lib)/,
    );
  return text;
}

const jsonKeys = [
  ...['scripts', 'tasks', 'workspaces', 'jest', 'vitest', 'nyc', 'c8', 'ava', 'mocha', 'tap', 'config'],
];
const dependencyKeys = ['dependencies', 'devDependencies', 'overrides', 'resolutions', 'imports'];
const runnerName =
  /^(@?(vitest|jest|playwright|cypress)(\/.*)?|mocha|chai|ava|tap|jasmine|karma|uvu|nyc|c8|ts-jest|babel-jest|phpunit.*)$/;

function jsonPart(text: string): string {
  try {
    const all = JSON.parse(text) as Record<string, unknown>;
    const runners = dependencyKeys.map((key) =>
      Object.entries((all[key] ?? {}) as Record<string, unknown>).filter(([name]) => runnerName.test(name)),
    );
    return JSON.stringify([jsonKeys.map((key) => all[key] ?? null), runners]);
  } catch {
    return text; // what cannot be read cannot be shown to be harmless
  }
}

/** The bodies of the INI or TOML sections whose names fit. */
function sectionsOf(text: string, wanted: RegExp): string {
  let isIn = false;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const section = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (section !== undefined) isIn = wanted.test(section);
    if (isIn && line.trim() !== '') kept.push(line.trim());
  }
  return kept.join('\n');
}

/**
 * Whether the proof itself was changed since the baseline. Tests that were only added make it stronger and are not
 * listed; anything changed or removed is, and so is any new script, configuration or CI file.
 */
export function alterationsOf(changes: readonly FileChange[]): readonly Alteration[] {
  return changes.flatMap(({ path, status, before, after, now, isRun }) => {
    const part = suitePart(path) ?? (isRun === true ? 'scripts' : null);
    if (part === null || (part === 'tests' && status === 'added')) return [];
    if (status === 'changed' && isManifest(path) && before !== undefined && before === after) return [];
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
