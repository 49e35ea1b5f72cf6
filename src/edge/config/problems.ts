/** One thing wrong with a configuration: where it stands, what was found, and what to do about it. */
export interface Problem {
  /** The file, or `flags`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The setting, as `limits.turnsMax` or `checks[0].command`. */
  readonly key?: string;
  readonly message: string;
  /** A whole sentence. */
  readonly fix: string;
}

/** Problems listed in one message; the rest are counted. */
const problemsShownMax = 50;

export function problemLine(problem: Problem): string {
  const { file, line, column, key, message, fix } = problem;
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place} ${key ? `${key}: ` : ''}${message}. ${fix}`;
}

/** A configuration that cannot be used. Lists every problem of every file at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    const lines = problems.slice(0, problemsShownMax).map(problemLine);
    if (problems.length > problemsShownMax) lines.push(`and ${problems.length - problemsShownMax} more`);
    super(lines.join('\n'));
    this.problems = problems;
  }
}
