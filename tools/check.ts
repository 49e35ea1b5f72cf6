/** The one gate, the same locally and in CI: `npm run check`. Runs every step, then says what each took. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { type Counts, readCounts, sum, verdictLine } from './counts.ts';

interface Step {
  name: string;
  command: string;
  /** A step with a vitest report adds its tests to the count, beside itself. */
  report?: string;
}

const root = resolve(import.meta.dirname, '..');
const reports = resolve(root, 'build/reports');

const steps: Step[] = [
  { name: 'format and lint', command: 'biome ci --error-on-warnings' },
  { name: 'types', command: 'tsc -b' },
  { name: 'tests', command: 'npm test', report: resolve(reports, 'tests.json') },
  {
    name: 'exhaustive tests',
    command: 'npm run test:exhaustive',
    report: resolve(reports, 'exhaustive.json'),
  },
  { name: 'unused code', command: 'knip' },
  { name: 'build', command: 'tsdown --log-level warn' },
  { name: 'package', command: 'publint --strict' },
];

mkdirSync(reports, { recursive: true });
const results = steps.map(run);
const total = sum(results.map((result) => result.counts));
writeFileSync(resolve(reports, 'check.json'), `${JSON.stringify(total)}\n`);

console.log('');
for (const { name, seconds, ok } of results) {
  console.log(`${name.padEnd(18)}${seconds.toFixed(1).padStart(7)} s  ${ok ? 'ok' : 'FAILED'}`);
}
console.log(`${'all'.padEnd(18)}${(performance.now() / 1000).toFixed(1).padStart(7)} s\n`);
console.log(verdictLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;

function run({ name, command, report }: Step): {
  name: string;
  seconds: number;
  ok: boolean;
  counts: Counts;
} {
  console.log(`\n> ${name}: ${command}`);
  if (report) rmSync(report, { force: true });
  const start = performance.now();
  const { status } = spawnSync(command, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: `${resolve(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
      ...(report && { TEST_REPORT: report }),
    },
  });
  const ok = status === 0;
  const step = { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  const counts = report ? sum([step, readCounts(report, 0)]) : step;
  return { name, seconds: (performance.now() - start) / 1000, ok, counts };
}
