import type { Coverage } from '../../contract/check.ts';

type Format = Coverage['format'];
type Measured = Pick<Coverage, 'covered' | 'total'>;

/**
 * Reads a coverage report. Null when the text is not a report of that format or covers nothing: an empty report is
 * no evidence. Go counts statements, as `go tool cover` does; the other formats count lines.
 */
export function readCoverage(format: Format, text: string): Coverage | null {
  const measured = readers[format](text);
  if (!measured || !isCount(measured.covered) || !isCount(measured.total)) return null;
  if (measured.total === 0 || measured.covered > measured.total) return null;
  return {
    ...measured,
    percent: Math.floor((measured.covered * 10_000) / measured.total) / 100,
    unit: format === 'go-cover' ? 'statements' : 'lines',
    format,
  };
}

/** True when at least `percentMin` of everything is covered, compared without rounding. */
export function isCoveredTo(coverage: Measured, percentMin: number): boolean {
  return coverage.covered * 100 >= percentMin * coverage.total;
}

/** True when `now` covers no smaller share than `before`, compared without rounding. */
export function isCoveredLike(now: Measured, before: Measured): boolean {
  return now.covered * before.total >= before.covered * now.total;
}

const readers: Readonly<Record<Format, (text: string) => Measured | null>> = {
  'coverage-summary': readSummary,
  lcov: readLcov,
  cobertura: readCobertura,
  'go-cover': readGoCover,
};

/** Istanbul's `coverage-summary.json`: the counts under `total.lines`; its own percentage is rounded. */
function readSummary(text: string): Measured | null {
  const lines = member(member(parseJson(text), 'total'), 'lines');
  const covered = member(lines, 'covered');
  const total = member(lines, 'total');
  return typeof covered === 'number' && typeof total === 'number' ? { covered, total } : null;
}

/** The lines of all `SF` sections; a file that stands there twice counts once, a line covered in either is covered. */
function readLcov(text: string): Measured | null {
  const hits = new Map<string, boolean>();
  const sums: Measured = { covered: 0, total: 0 };
  let file = '';
  let sectionHasLines = false;
  let section = { covered: 0, total: 0 };
  for (const line of text.split(/\r?\n/)) {
    const data = /^DA:(\d+),(\d+)/.exec(line);
    if (line.startsWith('SF:')) {
      file = line;
      sectionHasLines = false;
      section = { covered: 0, total: 0 };
    } else if (data) {
      sectionHasLines = true;
      const key = `${file}\n${data[1]}`;
      hits.set(key, hits.get(key) === true || Number(data[2]) > 0);
    } else if (line.startsWith('LF:')) section.total = Number(line.slice(3)) || 0;
    else if (line.startsWith('LH:')) section.covered = Number(line.slice(3)) || 0;
    else if (line === 'end_of_record' && !sectionHasLines) {
      sums.covered += section.covered;
      sums.total += section.total;
    }
  }
  return addHits(sums, hits);
}

/** Cobertura: the root's counts where it has them, else the lines themselves; its rate alone is rounded. */
function readCobertura(text: string): Measured | null {
  const root = /<coverage\b[^>]*>/.exec(text)?.[0];
  if (!root) return null;
  const covered = attribute(root, 'lines-covered');
  const total = attribute(root, 'lines-valid');
  if (covered !== null && total !== null) return { covered: Number(covered), total: Number(total) };
  const hits = new Map<string, boolean>();
  let file = '';
  for (const [tag] of text.matchAll(/<(?:class|line)\b[^>]*>/g)) {
    if (tag.startsWith('<class')) file = attribute(tag, 'filename') ?? '';
    else {
      const key = `${file}\n${attribute(tag, 'number') ?? ''}`;
      hits.set(key, hits.get(key) === true || Number(attribute(tag, 'hits') ?? 0) > 0);
    }
  }
  return addHits({ covered: 0, total: 0 }, hits);
}

/** A Go cover profile: blocks with their number of statements; a block in several test binaries counts once. */
function readGoCover(text: string): Measured | null {
  const lines = text.split(/\r?\n/);
  if (!/^mode: (?:set|count|atomic)$/.test(lines[0] ?? '')) return null;
  const blocks = new Map<string, { statements: number; hit: boolean }>();
  for (const line of lines.slice(1)) {
    const block = /^(.+:\d+\.\d+,\d+\.\d+) (\d+) (\d+)$/.exec(line);
    if (!block?.[1]) continue;
    const hit = blocks.get(block[1])?.hit === true || Number(block[3]) > 0;
    blocks.set(block[1], { statements: Number(block[2]), hit });
  }
  let covered = 0;
  let total = 0;
  for (const { statements, hit } of blocks.values()) {
    total += statements;
    if (hit) covered += statements;
  }
  return { covered, total };
}

function addHits(sums: Measured, hits: ReadonlyMap<string, boolean>): Measured {
  const covered = [...hits.values()].filter((hit) => hit).length;
  return { covered: sums.covered + covered, total: sums.total + hits.size };
}

function attribute(tag: string, name: string): string | null {
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is the answer "no report" of the caller.
    return null;
  }
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
