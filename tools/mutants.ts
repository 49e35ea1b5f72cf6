/**
 * Breaks the rules, limits, lease, fencing, recovery and chain one at a time, in memory, and demands that a test
 * notices. `npm run mutants` runs all of them; `npm run mutants -- TEXT` those whose name contains the text.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { allMutants, type Mutant } from './mutant-list.ts';

const root = resolve(import.meta.dirname, '..');
const atOnce = 2;
const timeoutMs = 300_000;

interface Result {
  readonly mutant: Mutant;
  readonly fate: 'killed' | 'survived' | 'broken';
  /** The test that noticed, or what went wrong. */
  readonly by: string;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'tireless-mutants-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let runs = 0;

/** Runs some test files, with or without a mutant; gives the report, or null when the run had to be ended. */
async function runTests(suites: readonly string[], mutant?: Mutant): Promise<Report | null> {
  const report = join(folder, `${++runs}.json`);
  const args = ['run', '--bail', '1', '--maxWorkers', '1', '--reporter', 'json', '--outputFile', report];
  const files = suites.map((suite) => `test/${suite}.test.ts`);
  const { MUTANT: _none, ...env } = process.env;
  const { file, find, replace } = mutant ?? {};
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args, ...files], {
    cwd: root,
    env: mutant === undefined ? env : { ...env, MUTANT: JSON.stringify({ file, find, replace }) },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== null) return null;
  if (!existsSync(report)) throw new Error(`the tests gave no report:\n${said.slice(-2_000)}`);
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

const failedTest = ({ testResults }: Report): string | undefined =>
  testResults
    .flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${name.split('/').at(-1)}: ${fullName}`),
    )
    .at(0);

const didNotLoad = ({ testResults }: Report): string | undefined =>
  testResults.find(({ message, assertionResults }) => assertionResults.length === 0 && message)?.message;

async function tryMutant(mutant: Mutant): Promise<Result> {
  for (const suites of [mutant.suites, mutant.lastSuites]) {
    if (suites.length === 0) continue;
    const report = await runTests(suites, mutant);
    if (report === null) return { mutant, fate: 'killed', by: 'the tests never ended' };
    const noticed = failedTest(report);
    if (noticed !== undefined) return { mutant, fate: 'killed', by: noticed };
    const broken = didNotLoad(report);
    if (broken !== undefined) return { mutant, fate: 'broken', by: broken.split('\n')[0] ?? '' };
  }
  return { mutant, fate: 'survived', by: '' };
}

/** Each must be found exactly once, or it would break nothing, or too much, and look like one that was caught. */
function stale(mutants: readonly Mutant[]): readonly string[] {
  return mutants.flatMap(({ name, file, find }) => {
    const times = readFileSync(resolve(root, file), 'utf8').split(find).length - 1;
    return times === 1 ? [] : [`${name}: what it breaks occurs ${times} times in ${file}`];
  });
}

async function inTurns(
  mutants: readonly Mutant[],
  told: (result: Result) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = [...mutants];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const result = await tryMutant(next);
      results.push(result);
      told(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

function printTable(results: readonly Result[]): void {
  const groups = [...new Set(results.map(({ mutant }) => mutant.group))];
  const rows = groups.map((group) => {
    const of = results.filter(({ mutant }) => mutant.group === group);
    return { group, mutants: of.length, killed: of.filter(({ fate }) => fate === 'killed').length };
  });
  console.table(rows);
  for (const { mutant, fate, by } of results.filter((one) => one.fate !== 'killed')) {
    console.log(`\n${fate}: ${mutant.name} (${mutant.file}) ${by}`);
    for (const line of mutant.find.split('\n')) console.log(`  - ${line}`);
    for (const line of mutant.replace.split('\n')) console.log(`  + ${line}`);
  }
}

const wanted = process.argv[2] ?? '';
const mutants = allMutants((file) => readFileSync(resolve(root, file), 'utf8')).filter(({ name, group }) =>
  `${group} ${name}`.includes(wanted),
);
const problems = stale(mutants);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

const suites = [...new Set(mutants.flatMap((mutant) => [...mutant.suites, ...mutant.lastSuites]))];
const sound = await runTests(suites);
const alreadyFails = sound === null ? 'they never end' : (failedTest(sound) ?? didNotLoad(sound));
if (alreadyFails !== undefined) {
  console.error(`the tests must pass before anything is broken: ${alreadyFails}`);
  process.exit(1);
}
const results = await inTurns(mutants, ({ mutant, fate, by }) =>
  console.log(`${fate.padEnd(8)} ${mutant.group}: ${mutant.name}${by === '' ? '' : ` – ${by}`}`),
);
printTable(results);
const alive = results.filter(({ fate }) => fate !== 'killed').length;
console.log(`\n${results.length - alive} of ${results.length} mutants were killed`);
process.exitCode = alive === 0 ? 0 : 1;
