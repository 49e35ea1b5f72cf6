import type { Tree } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { lastOf, type Run } from '../run.ts';

/**
 * Judges a turn by its results: a new tree, a new commit, a new plan, tasks added or done, a new note. Identical calls say nothing, and coming back
 * to an earlier tree is not progress. An unknown tree is neither progress nor its absence.
 */
export function judgeProgress(
  run: Run,
  turn: { readonly planBefore: string | null },
  after: Tree,
): { changed: readonly string[]; known: boolean; marks: readonly string[] } {
  const known = after.tree !== 'unknown' && run.tree !== null && run.tree.tree !== 'unknown';
  const fresh = (
    kind: string,
    value: string | null | undefined,
    before: string | null | undefined,
  ): string | null =>
    value != null && value !== before && !wasSeen(run.seenMarks, `${kind}:${value}`) ? value : null;
  const found: [string, string | null][] = [
    ['files', known ? fresh('files', after.tree, run.tree?.tree) : null],
    ['commits', known ? fresh('commits', after.head, run.tree?.head) : null],
    ['plan', fresh('plan', run.plan?.digest, turn.planBefore)],
    ['tasks', fresh('tasks', tasksMark(run), null)],
    ['memory', fresh('memory', run.working.at(-1)?.text.slice(0, noteMarkChars), null)],
  ];
  const changed = found.filter(([, value]) => value !== null).map(([kind]) => kind);
  const marks = found.reduce(
    (seen, [kind, value]) => (value === null ? seen : lastOf(seen, `${kind}:${value}`, bounds.seenMarksMax)),
    run.seenMarks,
  );
  return { changed, known: known || changed.length > 0, marks };
}

/** What a note is recognised by: the same one again is no progress. */
const noteMarkChars = 80;

/** New tasks and finished ones are progress; notes and moves between open states are not. */
const tasksMark = ({ tasks: { next, finished } }: Run): string | null =>
  next === 1 && finished === 0 ? null : `${next}/${finished}`;

/** Looked for from the end: what comes back was mostly here a moment ago. */
function wasSeen(marks: readonly string[], mark: string): boolean {
  for (let n = marks.length - 1; n >= 0; n--) if (marks[n] === mark) return true;
  return false;
}

/** Remembers the tree a turn starts from: whatever it holds was not made by that turn. */
export function markTree(run: Run, tree: Tree): readonly string[] {
  const { tree: id, head } = tree;
  const marks = [`files:${id}`, ...(head === null ? [] : [`commits:${head}`])];
  return marks.reduce(
    (seen, mark) => (wasSeen(seen, mark) ? seen : lastOf(seen, mark, bounds.seenMarksMax)),
    run.seenMarks,
  );
}

/** Turns a result into the counters the soft stops read. */
export function countProgress(
  run: Run,
  judged: ReturnType<typeof judgeProgress>,
  durationMs: number,
): Pick<Run, 'changed' | 'noProgressTurns' | 'shortTurns' | 'seenMarks'> {
  const { changed, known, marks: seenMarks } = judged;
  if (changed.length > 0) return { changed, seenMarks, noProgressTurns: 0, shortTurns: 0 };
  const { noProgressTurns, shortTurns } = run;
  if (!known) return { changed, seenMarks, noProgressTurns, shortTurns };
  const isShort = durationMs < bounds.shortTurnMs;
  return {
    changed,
    seenMarks,
    noProgressTurns: noProgressTurns + 1,
    shortTurns: isShort ? shortTurns + 1 : 0,
  };
}
