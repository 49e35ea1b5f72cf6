import { type Finding, type FolderFacts, folderOf, inFolder, passedOver, taken } from '../../detect-facts.ts';
import { type Manager, type NodePackage, nearPackages, readPackage, workspaceFolders } from './packages.ts';

interface Tool {
  readonly name: string;
  readonly dependency: string;
  readonly config: RegExp;
  readonly runs: RegExp;
  readonly command: string;
}

const endToEndTools: readonly Tool[] = [
  {
    name: 'playwright',
    dependency: '@playwright/test',
    config: /^playwright\.config\.[cm]?[jt]s$/,
    runs: /\bplaywright test\b/,
    command: 'playwright test',
  },
  {
    name: 'cypress',
    dependency: 'cypress',
    config: /^(?:cypress\.config\.[cm]?[jt]s|cypress\.json)$/,
    runs: /\bcypress run\b/,
    command: 'cypress run',
  },
];

const unitRunner =
  /\b(?:vitest|jest|mocha|ava|tap|jasmine|karma|uvu|react-scripts test|node\b.* --test|tsx\b.* --test|bun test|turbo|nx|lerna)\b/;
const waitsForAPerson =
  /(?:^|\s)--(?:watch|watchAll|ui|headed|debug)(?=\s|$)|\bvitest (?:watch|dev)\b|\bcypress open\b/;
/** Names under which projects keep a run that ends by itself beside one that watches. */
const onceNames = ['test:run', 'test:ci', 'test:once', 'test:unit', 'unit'];
const scriptsDeepMax = 5;

/**
 * The checks of Node packages: the test script of the workspace, else of each package of a monorepo; then
 * Playwright and Cypress where no test script runs them already.
 */
export function nodeFindings(facts: FolderFacts): Finding[] {
  const broken: Finding[] = [];
  const read = (folder: string) => readPackage(facts, folder, broken);
  const root = read('.');
  const below = (root ? workspaceFolders(facts, root) : nearPackages(facts))
    .map(read)
    .filter((each) => each !== null);
  const rootUnit = root ? unitFinding(root) : null;
  const units = rootUnit?.check ? [rootUnit] : [...(rootUnit ? [rootUnit] : []), ...below.map(unitFinding)];
  if (rootUnit?.check && below.length > 0) {
    const why = `the script of the whole workspace, \`${rootUnit.check.command}\`, speaks for its packages`;
    units.push(passedOver('unit', `the test scripts of ${below.length} packages`, why));
  }
  const hasUnit = (folder: string) =>
    units.some((unit) => unit.check && ['.', folder].includes(unit.check.cwd));
  const endToEnd = [...(root ? [root] : []), ...below].flatMap((each) =>
    endToEndTools.flatMap((tool) => endToEndFinding(facts, each, tool, hasUnit(each.folder))),
  );
  return [...broken, ...units, ...endToEnd];
}

function unitFinding(each: NodePackage): Finding {
  const manifest = inFolder(each.folder, 'package.json');
  const script = each.scripts.get('test');
  if (script === undefined) {
    return (
      runnerFinding(each) ?? passedOver('unit', manifest, 'it has no test script and no test runner I know')
    );
  }
  if (isPlaceholder(script)) {
    const other = runnerFinding(each);
    return other ?? passedOver('unit', `${manifest} test script`, `\`${cut(script)}\` runs no test`);
  }
  const whole = expand(each, 'test');
  if (waitsForAPerson.test(whole)) return onceFinding(each, script);
  const isEndToEnd = endToEndTools.some((tool) => tool.runs.test(whole)) && !unitRunner.test(whole);
  return taken(
    isEndToEnd ? 'e2e' : 'unit',
    each.folder,
    run(each, 'test'),
    `${manifest} has the test script \`${cut(script)}\``,
  );
}

/** The test script waits for keys: takes the sibling that ends by itself, else the runner itself. */
function onceFinding(each: NodePackage, script: string): Finding {
  const manifest = inFolder(each.folder, 'package.json');
  const once = onceNames.find((name) => each.scripts.has(name) && !waitsForAPerson.test(expand(each, name)));
  if (once) {
    return taken(
      'unit',
      each.folder,
      run(each, once),
      `${manifest}: \`test\` waits for keys, \`${once}\` ends by itself`,
    );
  }
  const why = `\`${cut(script)}\` waits for keys and never ends`;
  return runnerFinding(each) ?? passedOver('unit', `${manifest} test script`, why);
}

/** No usable script, but a runner among the dependencies. */
function runnerFinding(each: NodePackage): Finding | null {
  for (const [dependency, command] of [
    ['vitest', 'vitest run'],
    ['jest', 'jest'],
  ] as const) {
    if (!each.dependencies.has(dependency)) continue;
    const because = `${inFolder(each.folder, 'package.json')} depends on ${dependency} and has no test script that can be used`;
    return taken('unit', each.folder, execute(each, command), because);
  }
  return null;
}

function endToEndFinding(facts: FolderFacts, each: NodePackage, tool: Tool, hasUnit: boolean): Finding[] {
  const manifest = inFolder(each.folder, 'package.json');
  const config = [...facts.files].find(
    (path) => folderOf(path) === each.folder && tool.config.test(path.slice(path.lastIndexOf('/') + 1)),
  );
  const depends = each.dependencies.has(tool.dependency);
  if (!depends && !config) return [];
  const evidence = config ?? `${manifest} depends on ${tool.dependency}`;
  if (each.scripts.has('test') && tool.runs.test(expand(each, 'test'))) {
    return [passedOver('e2e', tool.name, `${evidence}, but the test script of ${manifest} runs it already`)];
  }
  const script = scriptRunning(each, tool);
  if (script) {
    return [
      taken('e2e', each.folder, run(each, script), `${evidence}; the script \`${script}\` runs ${tool.name}`),
    ];
  }
  if (config || !hasUnit) return [taken('e2e', each.folder, execute(each, tool.command), evidence)];
  return [
    passedOver('e2e', tool.name, `${evidence}, but no configuration and no script says what it should run`),
  ];
}

/** The script that runs this tool to its end; one named after end-to-end tests before any other. */
function scriptRunning(each: NodePackage, tool: Tool): string | undefined {
  const fitting = [...each.scripts.keys()].filter((name) => {
    const whole = expand(each, name);
    return tool.runs.test(whole) && !waitsForAPerson.test(whole);
  });
  return (
    fitting.find((name) => /^(?:test[:-])?(?:e2e|integration)$/.test(name)) ??
    fitting.find((name) => /e2e|test/.test(name)) ??
    fitting[0]
  );
}

/** A script with the scripts it calls. */
function expand(each: NodePackage, name: string, deep = 0): string {
  const body = each.scripts.get(name) ?? '';
  if (
    deep >= scriptsDeepMax ||
    !/\b(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all|start-server-and-test)\b/.test(body)
  )
    return body;
  const called = new Set(body.split(/[^\w:.-]+/).filter((word) => word !== name && each.scripts.has(word)));
  return [body, ...[...called].map((word) => expand(each, word, deep + 1))].join('\n');
}

/** Nothing but echo, true and exit: npm's own placeholder, or a test that cannot fail. */
function isPlaceholder(script: string): boolean {
  return script.split(/&&|\|\||;/).every((part) => /^\s*(?:(?:echo|exit|true|:)(?:\s.*)?)?$/.test(part));
}

function run(each: NodePackage, script: string): string {
  if (each.manager === 'bun') return `bun run ${script}`;
  return script === 'test' ? `${each.manager} test` : `${each.manager} run ${script}`;
}

function execute(each: NodePackage, command: string): string {
  const by: Record<Manager, string> = {
    npm: 'npx --no-install',
    pnpm: 'pnpm exec',
    yarn: 'yarn run',
    bun: 'bun run',
  };
  return `${by[each.manager]} ${command}`;
}

function cut(script: string): string {
  return script.length > 200 ? `${script.slice(0, 200)}…` : script;
}
