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
  /** Anchored at both ends, so that the same words inside a log line say nothing. */
  readonly line: RegExp;
  readonly read: (match: RegExpExecArray) => Said;
  /** The runner repeats its sum for each level: the last one is the whole. */
  readonly last?: true;
  /** A runner whose lines give a second account of the same tests, and are then left out. */
  readonly repeats?: string;
  /** The runner's lines mean something only once this one has announced how many results there are. */
  readonly needsPlan?: true;
}

type Part = 'passed' | 'failed' | 'skipped' | 'total';

/** First words of what runners count. Words not listed (warnings, assertions, filtered out) are no tests. */
const wordsOf: Readonly<Record<Part, string>> = {
  passed: 'passed pass passing succeeded flaky xpassed',
  failed: 'failed fail failing failure failures error errors interrupted cancelled unexpected',
  skipped:
    'skipped skip skips pending pendings todo ignored xfailed incomplete omissions expected excluded did',
  total: 'total test tests doctest doctests properties example examples runs',
};
const partOf = new Map(
  Object.entries(wordsOf).flatMap(([part, words]) => words.split(' ').map((word) => [word, part as Part])),
);

/** `3 failed, 158 passed`: numbers before words. */
export function pairs(text: string): Said {
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
    const part = partOf.get(word.toLowerCase());
    if (part) said[part] = (said[part] ?? 0) + Number(count);
  }
  return said;
}

export const ofPairs = (match: RegExpExecArray): Said => pairs(match[1] ?? '');
/** `Passing: 3`, taken apart. */
export const ofSwapped = (match: RegExpExecArray): Said => pairs(`${match[2]} ${match[1]}`);
export const ofKeys = (match: RegExpExecArray): Said => keys(match[1] ?? '');
export const ofFailed = (match: RegExpExecArray): Said => ({ broken: pairs(match[1] ?? '').failed ?? 0 });

const counted = '(?:passed|failed|failures?|errors?|skipped|pending|todo|ignored|total)';

/** Sums in plain words, for output in which no runner is recognised. */
export const wordRules: readonly LineRule[] = [
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
