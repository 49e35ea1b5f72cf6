import { ofKeys, ofPairs } from '../count-lines.ts';
import { type Finding, type FolderFacts, foldersWith, inFolder, passedOver, taken } from '../detect-facts.ts';
import type { Ecosystem } from './ecosystem.ts';
import { sectionsOf } from './manifest-parts.ts';

/** Programs of a virtual environment whose presence says how Python is run here. */
const environments = ['.venv/bin/python', 'venv/bin/python'];

/** Lock files that say through which tool a Python project runs its programs. */
const pythonRunners = [
  ['uv.lock', 'uv run pytest'],
  ['poetry.lock', 'poetry run pytest'],
  ['pdm.lock', 'pdm run pytest'],
  ['Pipfile.lock', 'pipenv run pytest'],
  ['Pipfile', 'pipenv run pytest'],
  ...environments.map((python) => [python, `${python} -m pytest`] as const),
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

export const python: Ecosystem = {
  name: 'python',
  detect: pythonFindings,
  reads: ['pyproject.toml', 'setup.cfg', 'tox.ini'],
  looksFor: environments,
  skips: ['venv', '.venv', '__pycache__', '.tox'],
  recipe: /\bpytest\b/,
  counts: [
    {
      runner: 'pytest',
      line: /^(?:=+ )?(\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|subtests|rerun)\b.*) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/,
      read: ofPairs,
    },
    { runner: 'unittest', line: /^Ran (\d+ tests?) in [\d.]+s$/, read: ofPairs },
    { runner: 'unittest', line: /^(?:OK|FAILED|NO TESTS RAN) \((.+=\d+)\)$/, read: ofKeys },
  ],
  suite: {
    snapshots: /\.ambr$/,
    'test config': /(^|\/)(\.coveragerc(\.\w+)?|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py)$/,
    tests: /(^|\/)test_[^/]+\.py$|_(test|spec)\.py$/,
  },
  manifests: [
    {
      file: /(^|\/)(pyproject\.toml|setup\.cfg)$/,
      testing: (text) =>
        sectionsOf(text, /^(tool[.:](pytest|coverage|tox|nox|hatch)|pytest|coverage|tox|test)/),
    },
  ],
  environment: ['VIRTUAL_ENV', 'CONDA_PREFIX', 'PYENV_ROOT', 'PYENV_VERSION', 'UV_CACHE_DIR'],
};

function pythonFindings(facts: FolderFacts): Finding[] {
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
