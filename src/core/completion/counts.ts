import type { CheckResult, Counts } from '../../contract/check.ts';
import { type LineRule, type Said, wordRules } from './count-lines.ts';
import { ecosystems } from './ecosystems/registry.ts';

/** Longest line that can be a summary, in characters; longer ones are data. */
const summaryCharsMax = 2_000;

/** A word of every summary; sorts out nearly all lines of a long output before the rules look at them. */
const mayCount =
  /pass|fail|test|ok\b|skip|error|example|runs|ran|todo|total|pend|flaky|not run|interrupted|cancelled|1\.\.\d/i;

/** What the lines heard so far say, by runner. */
export type Tally = ReadonlyMap<string, Said>;

export const emptyTally: Tally = new Map();

/** The first rule that fits a line reads it. */
const lineRules = [...ecosystems.flatMap((each) => each.counts ?? []), ...wordRules];
const needsPlan = new Set(lineRules.filter((rule) => rule.needsPlan).map((rule) => rule.runner));

/** Hears one line of output. Gives the same tally back for the lines, nearly all, that count nothing. */
export function tallyLine(tally: Tally, rawLine: string): Tally {
  if (rawLine.length > summaryCharsMax || !mayCount.test(rawLine)) return tally;
  const line = withoutColour(rawLine).trimEnd();
  const bare = withoutPackage(line);
  const stamped = firstReading(line) ?? (bare === line ? null : firstReading(bare));
  if (!stamped) return tally;
  const { rule, said } = stamped;
  const before = rule.last ? {} : (tally.get(rule.runner) ?? {});
  return new Map(tally).set(rule.runner, add(before, said));
}

/**
 * The counts of everything heard, or null when no runner was recognised for sure. Several runners, or one that ran
 * for several packages, are summed: a failure anywhere is a failure.
 */
export function countsOf(tally: Tally): Counts | null {
  const left = new Set(lineRules.filter((rule) => tally.has(rule.runner)).map((rule) => rule.repeats));
  const named = [...tally].filter(([runner]) => runner !== 'words' && !left.has(runner));
  const sure = named.filter(([runner, said]) => !needsPlan.has(runner) || said.plan !== undefined);
  const chosen = sure.length > 0 ? sure : [...tally].filter(([runner]) => runner === 'words');
  const counts = chosen.map(([, said]) => settle(said)).filter((each) => each !== null);
  if (counts.length === 0) return null;
  return counts.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    total: a.total + b.total,
  }));
}

/** Reads the test counts out of a whole output. */
export function parseCounts(output: string): Counts | null {
  let tally = emptyTally;
  for (const line of output.split(/\r?\n|\r/)) tally = tallyLine(tally, line);
  return countsOf(tally);
}

/** How a process ended, as the operating system tells it. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOutMs: number | null;
}

/** Exit code and counts judged together: "158 passed 3 failed" is a failure, whatever the exit code says. */
export function outcomeOf(ending: Ending, counts: Counts | null): Pick<CheckResult, 'outcome' | 'because'> {
  if (ending.timedOutMs !== null) {
    return { outcome: 'timed-out', because: `did not end within ${ending.timedOutMs} ms` };
  }
  if (ending.signal !== null) return { outcome: 'failed', because: `ended by ${ending.signal}` };
  if (ending.exitCode === 127)
    return { outcome: 'failed', because: 'exit code 127: the command was not found' };
  if (ending.exitCode !== 0) return { outcome: 'failed' };
  if (counts && counts.failed > 0) {
    return { outcome: 'failed', because: `exit code 0, but the output counts ${counts.failed} failed` };
  }
  return { outcome: 'passed' };
}

function firstReading(line: string): { rule: LineRule; said: Said } | null {
  for (const rule of lineRules) {
    const match = rule.line.exec(line);
    if (match) return { rule, said: rule.read(match) };
  }
  return null;
}

function add(before: Said, said: Said): Said {
  const sum: { -readonly [Part in keyof Said]: number } = { ...before };
  for (const part of Object.keys(said) as (keyof Said)[]) sum[part] = (sum[part] ?? 0) + (said[part] ?? 0);
  return sum;
}

/** Turns what one runner said into counts; what it did not say follows from what it did. */
function settle(said: Said): Counts | null {
  const results = (said.passed ?? 0) + (said.failed ?? 0) + (said.skipped ?? 0);
  const showsTests = results > 0 || said.total !== undefined;
  if (!showsTests && said.units === undefined && said.broken === undefined && said.plan === undefined)
    return null;
  const missing = said.plan !== undefined ? Math.max(0, said.plan - results) : 0;
  const failed = (said.failed ?? 0) + missing || (said.broken ?? 0);
  const skipped = said.skipped ?? 0;
  const told = said.passed ?? (said.total !== undefined ? Math.max(0, said.total - failed - skipped) : 0);
  const passed = showsTests ? told : (said.units ?? 0);
  return { passed, failed, skipped, total: Math.max(said.total ?? 0, passed + failed + skipped) };
}

/** Removes terminal colours and cursor movements. */
export function withoutColour(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, '');
}

/** Removes what tools for several packages write before each line of one package's output. */
function withoutPackage(line: string): string {
  return line.replace(
    /^(?:\[[^\]]{1,100}\]: |[\w@./-]{1,100}(?: [\w:-]{1,50}|:[\w:-]{1,50})?: |[\w.-]{1,60} +\| )/,
    '',
  );
}
