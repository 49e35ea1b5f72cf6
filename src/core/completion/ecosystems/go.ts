import type { Said } from '../count-lines.ts';
import { type FolderFacts, foldersWith, inFolder, taken } from '../detect-facts.ts';
import type { Ecosystem } from './ecosystem.ts';

const goResult: Readonly<Record<string, Said>> = {
  PASS: { passed: 1 },
  FAIL: { failed: 1 },
  SKIP: { skipped: 1 },
};

export const go: Ecosystem = {
  name: 'go',
  /** `-v`, because without it Go does not say how many tests ran, and a deleted test would go unnoticed. */
  detect(facts) {
    const folders = facts.files.has('go.mod') ? ['.'] : workspaceModules(facts);
    return (folders ?? foldersWith(facts, ['go.mod'])).map((folder) =>
      taken('unit', folder, 'go test -v ./...', `${inFolder(folder, 'go.mod')} is there`),
    );
  },
  reads: ['go.work'],
  recipe: /\bgo test\b|\bgotestsum\b/,
  counts: [
    {
      runner: 'go',
      line: /^(?: {4})*--- (PASS|FAIL|SKIP): \S+ \([\d.]+s\)$/,
      read: (match) => goResult[match[1] ?? ''] ?? {},
    },
    { runner: 'go', line: /^ok {2}\t\S+\t(?:[\d.]+s|\(cached\)).*$/, read: () => ({ units: 1 }) },
    { runner: 'go', line: /^FAIL\t\S+(?:\t[\d.]+s| \[.+ failed\])$/, read: () => ({ broken: 1 }) },
    { runner: 'go', line: /^\{"Time":.*"Action":"(pass|fail|skip)".*\}$/, read: readEvent },
  ],
  suite: { tests: /_(test|spec)\.go$/ },
  environment: ['GOPATH', 'GOROOT', 'GOCACHE', 'GOMODCACHE', 'GOFLAGS', 'GOTOOLCHAIN'],
};

/** The modules `go.work` names and that are there; null without one. */
function workspaceModules(facts: FolderFacts): string[] | null {
  const text = facts.texts.get('go.work');
  if (text === undefined) return null;
  const listed = [...text.matchAll(/^\s*(?:use\s+)?(?:\.\/)([\w./-]+?)\/?\s*(?:\/\/.*)?$/gm)].map(
    (match) => match[1] ?? '',
  );
  return [...new Set(listed)].filter((folder) => facts.files.has(`${folder}/go.mod`));
}

/** A test case of `go test -json`; a package that fails without a failing test did not build. */
function readEvent(match: RegExpExecArray): Said {
  const [line, action = ''] = match;
  if (!/"Test":"/.test(line)) return action === 'fail' ? { broken: 1 } : {};
  return goResult[action.toUpperCase()] ?? {};
}
