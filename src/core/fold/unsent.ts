import type { DeniedAction, Input, InputPart, Text } from '../../contract/index.ts';
import { bounds } from '../bounds.ts';
import { wrapUpBack } from '../cycle/cycle.ts';
import type { Run } from '../run.ts';
import { reviewIn } from './review.ts';

/** The person's words that still wait to be said: the newest, within what a run may remember. */
export function boundedTexts(texts: readonly Text[]): readonly Text[] {
  let chars = 0;
  const kept: Text[] = [];
  for (const text of texts.slice(-bounds.steersMax).reverse()) {
    chars += text.text.length;
    if (chars > bounds.steersCharsMax) break;
    kept.push(text);
  }
  return kept.reverse();
}

/** Every text of the person's in these parts. */
export const steersIn = (parts: readonly InputPart[]): readonly Text[] =>
  parts.flatMap((part) => (part.part === 'steer' ? part.texts : []));

/** Every denial in these parts. */
export const deniedIn = (parts: readonly InputPart[]): readonly DeniedAction[] =>
  parts.flatMap((part) => (part.part === 'denied' ? part.actions : []));

/** Parts that nothing else would say again. */
const isOwed: ReadonlySet<InputPart['part']> = new Set([
  'steer',
  'denied',
  'evidence',
  'findings',
  'cycle',
  'wrap-up',
]);

/** An input the agent did not see: what only it said is said again by the next one. The mission is in every input anyway. */
export const putBack = (run: Run, { parts }: Input): Pick<Run, 'carry' | 'inDoubt'> => ({
  carry: parts.filter(({ part }) => isOwed.has(part)),
  inDoubt: run.inDoubt || parts.some((part) => part.part === 'recovery'),
});

/** A decided turn that is not started after all. */
export const withoutLaunch = (run: Run): Run =>
  run.launch === null
    ? run
    : reviewIn(run.launch.input) !== null
      ? { ...run, launch: null }
      : { ...run, ...putBack(run, run.launch.input), launch: null };

/** Steering that did not reach the agent waits in front of what came later. */
export const steeringBack = (run: Run): Run =>
  run.steering === null
    ? run
    : {
        ...run,
        steering: null,
        steers: boundedTexts([...run.steering.texts, ...run.steers]),
        cycle: run.steering.wrapUp ? wrapUpBack(run.cycle) : run.cycle,
      };
