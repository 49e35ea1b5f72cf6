/** `ci-sum.ts <failed setup steps> [<report> <exit code>]...`: prints the sum of all runs, exits 1 when anything failed. */
import { readCounts, sum, verdictLine } from './counts.ts';

const [setupFailed, ...runs] = process.argv.slice(2);
const all = [{ passed: 0, failed: Number(setupFailed), skipped: 0 }];
for (let i = 0; i + 1 < runs.length; i += 2) all.push(readCounts(runs[i] ?? '', Number(runs[i + 1])));
const total = sum(all);
console.log(verdictLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
