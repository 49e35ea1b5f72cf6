import type { CheckResult } from '../../../contract/index.ts';
import type { CheckRun, Report } from '../../../core/report/index.ts';
import { clockTime, span } from '../../cli/format.ts';
import {
  type Block,
  below,
  code,
  faint,
  folded,
  type Piece,
  pill,
  type Section,
  soft,
  strong,
  table,
} from '../document.ts';

/** The last evidence about a claim; what was measured before the first turn proves nothing about the work. */
export const lastChecks = ({ checkRuns }: Report): CheckRun | null =>
  checkRuns.shown.findLast((ran) => !ran.isVoid && ran.purpose === 'claim') ?? null;

const moods = { passed: 'good', failed: 'bad', 'timed-out': 'bad', 'not-run': 'warn' } as const;

/** A check in one line. */
export function resultLine(result: CheckResult): readonly Piece[] {
  const { name, outcome, command, exitCode, counts, coverage, because } = result;
  const parts = [
    exitCode === null ? '' : `exit ${exitCode}`,
    counts === undefined ? '' : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    coverage === undefined ? '' : `${coverage.percent} % of ${coverage.unit} covered`,
    span(result.durationMs),
  ];
  return [
    strong(name),
    pill(outcome, moods[outcome]),
    code(command === name ? '' : command),
    soft(`(${parts.filter((part) => part !== '').join(', ')})`),
    soft(because ?? ''),
  ];
}

/** The same with what tells its output from any other. */
export const evidenceLine = (result: CheckResult): readonly Piece[] => [
  ...resultLine(result),
  faint(`output ${result.outputDigest.slice(0, 12)}`),
];

export function checks(report: Report): Section | null {
  const { checkRuns, asked } = report;
  const last = lastChecks(report);
  if (checkRuns.total === 0 && asked.checks.length === 0) return null;
  if (checkRuns.total === 0) {
    const lines = asked.checks.map((one) => [strong(one.name), code(one.command), faint(one.source)]);
    const items = lines.map((line) => ({ how: 'open', line }) as const);
    return { title: 'Checks, not run yet', blocks: [{ is: 'list', items, isDetail: true }] };
  }
  const rows: Block = table(checkRuns, [
    { name: 'at', as: 'time', cell: ({ at }) => clockTime(at) },
    { name: 'when', cell: whenWords },
    {
      name: 'result',
      as: 'wide',
      cell: (ran) =>
        ran.results.map((result) =>
          below([
            ...evidenceLine(result),
            folded('the end of its output', ran === last ? '' : result.tail.text.trim()),
          ]),
        ),
    },
  ]);
  return {
    title: 'Checks we ran',
    count: checkRuns.total,
    blocks: [{ ...rows, isDetail: true }, ...(last?.results ?? []).flatMap(outputBlock)],
  };
}

/** When a run of the checks happened, in words. */
function whenWords({ purpose, turn, results, isVoid }: CheckRun): string {
  const passed = results.filter((result) => result.outcome === 'passed').length;
  const when = {
    baseline: 'before the first turn',
    task: `for tasks called done, after turn ${turn}`,
    claim: `after turn ${turn}`,
  };
  return `${when[purpose]}: ${passed} of ${results.length} passed${isVoid ? ' (void: the ground moved meanwhile)' : ''}`;
}

function outputBlock({ name, outcome, tail }: CheckResult): readonly Block[] {
  const text = tail.text.trimEnd();
  const title = `${name}: the end of its output`;
  const output: Block = { is: 'output', title, text };
  if (text === '') return [];
  return outcome === 'passed' ? [{ is: 'fold', title, block: output }] : [output];
}
