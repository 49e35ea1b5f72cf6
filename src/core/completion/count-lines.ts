/** What one line, or all lines of one runner, say. A part nobody told is absent, never 0. */
export interface Said {
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  /** All tests, as the runner declares them. */
  readonly total?: number;
  /** Files, suites or packages that failed as a whole; counts only where no single test did. */
  readonly broken?: number;
  /** Whole packages that passed; counts only where single tests are not shown. */
  readonly units?: number;
  /** How many results the runner announced. */
  readonly plan?: number;
}

export interface LineRule {
  readonly runner: string;
  readonly line: RegExp;
  readonly read: (match: RegExpExecArray) => Said;
  /** The runner repeats its sum for each level: the last one is the whole. */
  readonly last?: true;
}

type Part = 'passed' | 'failed' | 'skipped' | 'total';

/** First words of what runners count. Words not listed (warnings, assertions, filtered out) are no tests. */
const partOf: Readonly<Record<string, Part>> = {
  passed: 'passed',
  pass: 'passed',
  passing: 'passed',
  succeeded: 'passed',
  flaky: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  fail: 'failed',
  failing: 'failed',
  failure: 'failed',
  failures: 'failed',
  error: 'failed',
  errors: 'failed',
  interrupted: 'failed',
  cancelled: 'failed',
  unexpected: 'failed',
  skipped: 'skipped',
  skip: 'skipped',
  skips: 'skipped',
  pending: 'skipped',
  pendings: 'skipped',
  todo: 'skipped',
  ignored: 'skipped',
  xfailed: 'skipped',
  incomplete: 'skipped',
  omissions: 'skipped',
  expected: 'skipped',
  excluded: 'skipped',
  did: 'skipped',
  total: 'total',
  test: 'total',
  tests: 'total',
  doctest: 'total',
  doctests: 'total',
  properties: 'total',
  example: 'total',
  examples: 'total',
  runs: 'total',
};

/** `3 failed, 158 passed`: numbers before words. */
function pairs(text: string): Said {
  return gather([...text.matchAll(/(\d+) +([a-z]+)/gi)].map(([, count, word]) => [word, count]));
}

/** `Failures: 3, Skipped: 1` or `failures=3`: words before numbers. */
function keys(text: string): Said {
  return gather(
    [...text.matchAll(/([a-z]+)(?: [a-z]+)?\s*[:=]\s*(\d+)/gi)].map(([, word, count]) => [word, count]),
  );
}

function gather(found: readonly (readonly (string | undefined)[])[]): Said {
  const said: Partial<Record<Part, number>> = {};
  for (const [word = '', count] of found) {
    const part = Object.hasOwn(partOf, word.toLowerCase()) ? partOf[word.toLowerCase()] : undefined;
    if (part) said[part] = (said[part] ?? 0) + Number(count);
  }
  return said;
}

const ofPairs = (match: RegExpExecArray): Said => pairs(match[1] ?? '');
const ofKeys = (match: RegExpExecArray): Said => keys(match[1] ?? '');
const ofFailed = (match: RegExpExecArray): Said => ({ broken: pairs(match[1] ?? '').failed ?? 0 });

/** A test case of `go test -json`; a package that fails without a failing test did not build. */
function readGoEvent(match: RegExpExecArray): Said {
  const isTest = /"Test":"/.test(match[0]);
  const action = match[1];
  if (!isTest) return action === 'fail' ? { broken: 1 } : {};
  return action === 'pass' ? { passed: 1 } : action === 'fail' ? { failed: 1 } : { skipped: 1 };
}

function readTapLine(match: RegExpExecArray): Said {
  if (/# *(?:skip|todo)/i.test(match[2] ?? '')) return { skipped: 1 };
  return match[1] ? { failed: 1 } : { passed: 1 };
}

const goResult: Readonly<Record<string, Said>> = {
  PASS: { passed: 1 },
  FAIL: { failed: 1 },
  SKIP: { skipped: 1 },
};

const counted = '(?:passed|failed|failures?|errors?|skipped|pending|todo|ignored|total)';

/**
 * The lines by which runners sum up, each anchored at both ends so that the same words inside a log line say
 * nothing. The first rule that fits a line reads it.
 */
export const lineRules: readonly LineRule[] = [
  { runner: 'vitest', line: /^ *Tests {2,}(\d+ .+) \(\d+\)$/, read: ofPairs },
  { runner: 'vitest', line: /^ *Test Files {2,}(\d+ .+) \(\d+\)$/, read: ofFailed },
  { runner: 'vitest', line: /^ *(?:Type )?Errors {2,}(\d+ errors?)$/, read: ofFailed },
  { runner: 'jest', line: /^Tests: +(\d+ .+, \d+ total)$/, read: ofPairs },
  { runner: 'jest', line: /^Test Suites: +(\d+ .+) total$/, read: ofFailed },
  { runner: 'pest', line: /^ {2}Tests: {2,}(\d+ .+) \(\d+ assertions?\)$/, read: ofPairs },
  { runner: 'mocha', line: /^ {2}(\d+ (?:passing|pending|failing))(?: \(.+\))?$/, read: ofPairs },
  {
    runner: 'playwright',
    line: /^ {2}(\d+ (?:passed|failed|flaky|skipped|did not run|interrupted))(?: \(.+\))?$/,
    read: ofPairs,
  },
  { runner: 'playwright', line: /^ {2}(\d+ errors?) (?:was|were) not a part of any test/, read: ofPairs },
  {
    runner: 'cypress',
    line: /^ *│ +(Tests|Passing|Failing|Pending|Skipped): +(\d+) +│$/,
    read: (match) => pairs(`${match[2]} ${match[1]}`),
  },
  {
    runner: 'node-test',
    line: /^[#ℹ] (tests|pass|fail|cancelled|skipped|todo) +(\d+)$/,
    read: (match) => pairs(`${match[2]} ${match[1]}`),
  },
  {
    runner: 'pytest',
    line: /^(?:=+ )?(\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|subtests|rerun)\b.*) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/,
    read: ofPairs,
  },
  { runner: 'unittest', line: /^Ran (\d+ tests?) in [\d.]+s$/, read: ofPairs },
  { runner: 'phpunit', line: /^OK \((\d+ tests?), \d+ assertions?\)$/, read: ofPairs },
  { runner: 'phpunit', line: /^(Tests: \d+, Assertions: \d+.*)\.$/, read: ofKeys },
  { runner: 'unittest', line: /^(?:OK|FAILED|NO TESTS RAN) \((.+=\d+)\)$/, read: ofKeys },
  { runner: 'cargo', line: /^test result: (?:ok|FAILED)\. (.+; finished in [\d.]+s)$/, read: ofPairs },
  {
    runner: 'nextest',
    line: /^ *Summary \[.+\] (\d+)(?:\/\d+)?( tests? run: .+)$/,
    read: (m) => pairs(`${m[1]}${m[2]}`),
  },
  {
    runner: 'go',
    line: /^(?: {4})*--- (PASS|FAIL|SKIP): \S+ \([\d.]+s\)$/,
    read: (match) => goResult[match[1] ?? ''] ?? {},
  },
  { runner: 'go', line: /^ok {2}\t\S+\t(?:[\d.]+s|\(cached\)).*$/, read: () => ({ units: 1 }) },
  { runner: 'go', line: /^FAIL\t\S+(?:\t[\d.]+s| \[.+ failed\])$/, read: () => ({ broken: 1 }) },
  { runner: 'go', line: /^\{"Time":.*"Action":"(pass|fail|skip)".*\}$/, read: readGoEvent },
  { runner: 'tap', line: /^1\.\.(\d+)(?: #.*)?$/, read: (match) => ({ plan: Number(match[1]) }) },
  { runner: 'tap', line: /^(not )?ok \d+\b(.*)$/, read: readTapLine },
  { runner: 'dotnet', line: /^(?:Passed|Failed|Skipped)! +- (Failed: .+)$/, read: ofKeys },
  { runner: 'dotnet', line: /^Test summary: (total: .+)$/, read: ofKeys },
  {
    runner: 'counted-list',
    line: /^((?:\d+ (?:doctests?|properties), )?\d+ (?:tests?|examples?|runs), \d+ (?:assertions|failures?)(?:, \d+ [a-z ]+)*)$/,
    read: ofPairs,
  },
  { runner: 'gradle', line: /^(\d+ tests? completed(?:, \d+ (?:failed|skipped))*)$/, read: ofPairs },
  {
    runner: 'maven',
    line: /^(?:\[\w+\] +)?(Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/,
    read: ofKeys,
  },
  { runner: 'bun', line: /^ *(\d+ (?:pass|fail|skip|todo|errors?))$/, read: ofPairs },
  {
    runner: 'bun',
    line: /^Ran (\d+) tests? across \d+ files?\./,
    read: (match) => ({ plan: Number(match[1]) }),
  },
  { runner: 'deno', line: /^(?:ok|FAILED) \| (\d+ passed .+) \([\d.a-z]+\)$/, read: ofPairs },
  {
    runner: 'ava',
    line: /^ {2}(\d+) tests? (passed|failed|skipped|todo)$/,
    read: (match) => pairs(`${match[1]} ${match[2]}`),
  },
  {
    runner: 'ctest',
    line: /^\d+% tests passed, (\d+) tests? failed out of (\d+)$/,
    read: (match) => ({ failed: Number(match[1]), total: Number(match[2]) }),
  },
  {
    runner: 'gtest',
    line: /^\[ {2}PASSED {2}\] (\d+) tests?\.$/,
    read: (match) => ({ passed: Number(match[1]) }),
  },
  {
    runner: 'gtest',
    line: /^\[ {2}(FAILED|SKIPPED) {1,2}\] (\d+) tests?, listed below:$/,
    read: (match) => pairs(`${match[2]} ${match[1]}`),
  },
  {
    runner: 'xctest',
    line: /^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures? /,
    read: (match) => ({ total: Number(match[1]), skipped: Number(match[2] ?? 0), failed: Number(match[3]) }),
    last: true,
  },
  {
    runner: 'words',
    line: new RegExp(`^\\W*((?:\\d+ (?:tests? |specs? )?${counted}\\W*)+)(?: in .+|\\(.*\\))?$`, 'i'),
    read: (match) => pairs((match[1] ?? '').replace(/ (?:tests?|specs?) /gi, ' ')),
  },
  {
    runner: 'words',
    line: new RegExp(`^\\W*((?:(?:tests? )?${counted}: *\\d+\\W*)+)$`, 'i'),
    read: (match) => keys((match[1] ?? '').replace(/tests? /gi, '')),
  },
];
