/**
 * `ci-sum.ts [<step> <seconds> <exit code> <report or ->]...`: what each step and each suite took of the hour CI has,
 * and as the last line the sum of all tests. Exits 1 when anything failed.
 */
import { type Counts, readCounts, sum, verdictLine } from './counts.ts';
import { reportsFolder, suiteTimes } from './suite-times.ts';

const hourSeconds = 3_600;

const args = process.argv.slice(2);
const steps = Array.from({ length: args.length / 4 }, (_, i) => {
  const [name = '', seconds, code, report = '-'] = args.slice(i * 4, i * 4 + 4);
  return { name, seconds: Number(seconds), code: Number(code), report };
});

/** A step without tests counts only when it failed. */
const countsOf = ({ code, report }: (typeof steps)[number]): Counts =>
  report === '-' ? { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 } : readCounts(report, code);

const row = (name: string, seconds: number, more = ''): string =>
  `${name.padEnd(28)}${seconds.toFixed(0).padStart(6)} s ${((100 * seconds) / hourSeconds).toFixed(1).padStart(6)} %  ${more}`;

console.log('\nstep, seconds, share of the hour');
for (const { name, seconds, code } of steps)
  console.log(row(name, seconds, code === 0 ? '' : `FAILED (${code})`));
console.log(
  row(
    'all',
    steps.reduce((all, { seconds }) => all + seconds, 0),
  ),
);
console.log('\nsuite, seconds of its files (two run at once), share of the hour');
for (const { suite, seconds, files } of suiteTimes(reportsFolder))
  console.log(row(suite, seconds, `${files} files`));

const total = sum(steps.map(countsOf));
console.log(`\n${verdictLine(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;
