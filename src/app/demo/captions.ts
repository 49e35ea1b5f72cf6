import type { Entry } from '../../contract/index.ts';
import type { RuleName } from '../../core/index.ts';
import { duration } from '../cli/format.ts';
import { type Line, linesOf } from '../cli/view/lines.ts';
import { standIn } from './demo-support.ts';

/** A jump of the run's clock smaller than this is not a skipped wait. */
const skipMsMin = 500;

/** The run's own lines, and beside them what a person watching the demo should know: which chapter this is, and what is not real. */
export function demoView(realNow: () => number): {
  lines(entry: Entry): readonly Line[];
  /** The run's time: the real one and what was skipped. */
  now(): number;
} {
  const shown = new Set<string>();
  let aheadMs = 0;
  const lines = (entry: Entry): readonly Line[] => {
    const say = (text: string): Line => ({ at: entry.at, icon: '┆', text: `demo: ${text}`, tone: 'dim' });
    const before: Line[] = [];
    const skippedMs = entry.at - realNow() - aheadMs;
    if (skippedMs > skipMsMin) {
      aheadMs += skippedMs;
      before.push(say(`clock skipped ${duration(skippedMs)}`));
    }
    const { event } = entry;
    if (event.type === 'gate-answered' && event.by === standIn)
      before.push({
        at: entry.at,
        icon: '☞',
        tone: 'warn',
        text: `${standIn} answers: ${event.answer}${event.text === undefined ? '' : `. ${event.text.text}`}`,
      });
    const chapter = chapterOf(entry);
    const isNew = chapter !== null && !shown.has(chapter);
    if (isNew) shown.add(chapter);
    return [...before, ...linesOf(entry), ...(isNew ? [say(chapter)] : [])];
  };
  return { lines, now: () => realNow() + aheadMs };
}

function chapterOf({ decision, effects }: Entry): string | null {
  const parts = decision?.input?.parts.map(({ part }) => part) ?? [];
  if (parts.includes('nudge')) return 'three turns changed nothing; the next input says so and asks why';
  if (parts.includes('evidence')) return '“done” was a claim; our own run of the tests refuted it';
  const isBy = (rule: RuleName): boolean => decision?.rule === rule;
  if (isBy('take-baseline')) return 'first, how do the checks stand before anything is done?';
  if (isBy('ask-altered')) return 'the tests pass, but a test was changed: that is for a person';
  if (isBy('usage-limit')) return 'a real run waits this out; here the clock will be skipped';
  if (effects?.some((effect) => effect.type === 'gate-open' && effect.kind === 'approval') === true)
    return 'an action that needs a person; the turn waits for the answer';
  return null;
}
