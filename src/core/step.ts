import {
  type Decision,
  type Effect,
  type Entry,
  entryVersion,
  type StampedEvent,
} from '../contract/index.ts';
import { decide } from './decide/decide.ts';
import { fold } from './fold/fold.ts';
import { underPresentId } from './fold/sessions.ts';
import { settle } from './fold/settle.ts';
import { must } from './must.ts';
import { react, startEffects } from './react/react.ts';
import type { Run } from './run.ts';

export interface Stepped {
  readonly run: Run;
  readonly entry: Entry;
}

/** Hear, remember, judge: one event becomes one entry. The same run and event give the same entry on any machine. */
export function step(before: Run | null, stamped: StampedEvent, id: string): Stepped {
  const { run: folded, late } = fold(before, stamped, id);
  const { seq } = folded;
  if (late) return { run: folded, entry: entryOf(stamped, id, seq, undefined, [], true) };
  const ruled = decide(folded);
  const effects = [...react(before, folded, underPresentId(folded, stamped.event))];
  if (ruled.decision === undefined) effects.push(...startEffects(folded, effects.length));
  effects.push(...ruled.effects);
  return {
    run: settle(folded, ruled.decision, effects),
    entry: entryOf(stamped, id, seq, ruled.decision, effects, false),
  };
}

/** One batch of events, in order: the entries of one durable commit and the effects to start after it. */
export function stepAll(
  run: Run | null,
  stamped: readonly StampedEvent[],
  id: string,
): { run: Run; entries: readonly Entry[] } {
  const entries: Entry[] = [];
  let next = run;
  for (const one of stamped) {
    const stepped = step(next, one, id);
    next = stepped.run;
    entries.push(stepped.entry);
  }
  must(next !== null, 'a batch must not be empty');
  return { run: next, entries };
}

function entryOf(
  { at, mono, cause, event }: StampedEvent,
  run: string,
  seq: number,
  decision: Decision | undefined,
  effects: readonly Effect[],
  late: boolean,
): Entry {
  const entry: Entry = { v: entryVersion, run, seq, at, mono, event };
  if (cause !== undefined) entry.cause = cause;
  if (decision !== undefined) entry.decision = decision;
  if (effects.length > 0) entry.effects = [...effects];
  if (late) entry.late = true;
  return entry;
}
