import { type Finding, type FolderFacts, foldersWith, inFolder, passedOver, taken } from './detect-facts.ts';

/** Lock files that say through which tool a Python project runs its programs. */
const pythonRunners = [
  ['uv.lock', 'uv run pytest'],
  ['poetry.lock', 'poetry run pytest'],
  ['pdm.lock', 'pdm run pytest'],
  ['Pipfile.lock', 'pipenv run pytest'],
  ['Pipfile', 'pipenv run pytest'],
  ['.venv/bin/python', '.venv/bin/python -m pytest'],
  ['venv/bin/python', 'venv/bin/python -m pytest'],
] as const;

const pythonManifests = [
  'pyproject.toml',
  'pytest.ini',
  '.pytest.ini',
  'setup.cfg',
  'tox.ini',
  'setup.py',
  'conftest.py',
  'requirements.txt',
  'requirements-dev.txt',
];

export function pythonFindings(facts: FolderFacts): Finding[] {
  const folders = foldersWith(facts, pythonManifests);
  const places = folders.length > 0 ? folders : hasPythonTests(facts, '.') ? ['.'] : [];
  return places.map((folder) => {
    const because = pytestEvidence(facts, folder);
    if (!because)
      return passedOver(
        'unit',
        `pytest in ${folder}`,
        'a Python project without a pytest setting and without test files',
      );
    const runner = pythonRunners.find(([file]) => facts.files.has(inFolder(folder, file)));
    return taken('unit', folder, runner?.[1] ?? 'python3 -m pytest', because);
  });
}

/** A setting of pytest is enough; a mere mention or a folder needs test files beside it. */
function pytestEvidence(facts: FolderFacts, folder: string): string | null {
  const at = (name: string) => inFolder(folder, name);
  const says = (name: string, pattern: RegExp) => pattern.test(facts.texts.get(at(name)) ?? '');
  if (facts.files.has(at('pytest.ini'))) return `${at('pytest.ini')} is there`;
  if (facts.files.has(at('.pytest.ini'))) return `${at('.pytest.ini')} is there`;
  if (says('pyproject.toml', /^\s*\[tool\.pytest/m)) return `${at('pyproject.toml')} configures pytest`;
  if (says('setup.cfg', /^\[tool:pytest\]/m)) return `${at('setup.cfg')} configures pytest`;
  if (says('tox.ini', /^\[pytest\]/m)) return `${at('tox.ini')} configures pytest`;
  return hasPythonTests(facts, folder)
    ? `${folder === '.' ? 'the workspace' : folder} holds Python test files`
    : null;
}

function hasPythonTests(facts: FolderFacts, folder: string): boolean {
  for (const path of facts.files) {
    if (folder !== '.' && !path.startsWith(`${folder}/`)) continue;
    if (
      /(?:^|\/)(?:test_[^/]+|[^/]+_test)\.py$/.test(path) &&
      !/(?:^|\/)(?:node_modules|\.venv|venv|site-packages)\//.test(path)
    )
      return true;
  }
  return false;
}

export function cargoFindings(facts: FolderFacts): Finding[] {
  return foldersWith(facts, ['Cargo.toml']).map((folder) => {
    const manifest = inFolder(folder, 'Cargo.toml');
    const isWorkspace = /^\s*\[workspace\]/m.test(facts.texts.get(manifest) ?? '');
    return taken(
      'unit',
      folder,
      isWorkspace ? 'cargo test --workspace' : 'cargo test',
      `${manifest} is there`,
    );
  });
}

/** `-v`, because without it Go does not say how many tests ran, and a deleted test would go unnoticed. */
export function goFindings(facts: FolderFacts): Finding[] {
  const folders = facts.files.has('go.mod') ? ['.'] : workspaceModules(facts);
  return (folders ?? foldersWith(facts, ['go.mod'])).map((folder) =>
    taken('unit', folder, 'go test -v ./...', `${inFolder(folder, 'go.mod')} is there`),
  );
}

/** The modules `go.work` names and that are there; null without one. */
function workspaceModules(facts: FolderFacts): string[] | null {
  const text = facts.texts.get('go.work');
  if (text === undefined) return null;
  const listed = [...text.matchAll(/^\s*(?:use\s+)?(?:\.\/)([\w./-]+?)\/?\s*(?:\/\/.*)?$/gm)].map(
    (match) => match[1] ?? '',
  );
  return [...new Set(listed)].filter((folder) => facts.files.has(`${folder}/go.mod`));
}

/** `make test`, unless its recipe only calls what was taken already. */
export function makeFindings(facts: FolderFacts, found: readonly Finding[]): Finding[] {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => facts.files.has(name));
  if (!file) return [];
  const recipe = targetRecipe(facts.texts.get(file) ?? '', 'test');
  if (recipe === null) return [passedOver('unit', 'make test', `${file} has no test target`)];
  const same = found.find((finding) => finding.check && callsSame(recipe, finding.check.command));
  if (same)
    return [
      passedOver(
        'unit',
        'make test',
        `${file} has a test target, but it runs \`${same.what}\`, which is taken`,
      ),
    ];
  return [taken('unit', '.', 'make test', `${file} has a test target`)];
}

/** The prerequisites and commands of a target, or null when the Makefile has none of that name. */
function targetRecipe(makefile: string, target: string): string | null {
  const lines = makefile.split(/\r?\n/);
  const names = (line: string) => /^([^\s:#=][^:#=]*)::?(?!=)(.*)$/.exec(line);
  const start = lines.findIndex((line) => names(line)?.[1]?.trim().split(/\s+/).includes(target));
  if (start < 0) return null;
  const recipe = [names(lines[start] ?? '')?.[2] ?? ''];
  for (const line of lines.slice(start + 1)) {
    if (line.trim() !== '' && !line.startsWith('\t') && !line.startsWith('#')) break;
    recipe.push(line);
  }
  return recipe.join('\n');
}

const sameRunner: readonly [RegExp, RegExp][] = [
  [/^(?:npm|pnpm|yarn|bun)\b|^npx\b/, /\b(?:npm|pnpm|yarn|bun|npx|vitest|jest|mocha|playwright|cypress)\b/],
  [/pytest/, /\bpytest\b/],
  [/^cargo /, /\bcargo (?:test|nextest)\b/],
  [/^go test/, /\bgo test\b|\bgotestsum\b/],
];

function callsSame(recipe: string, command: string): boolean {
  return sameRunner.some(([of, called]) => of.test(command) && called.test(recipe));
}
