import type { Entry } from '../../contract/index.ts';
import { effectsOf } from '../effects.ts';

/** The files as one turn found them and as it left them; `unknown` where they could not be read. */
export interface TurnTrees {
  readonly turn: number;
  readonly before: string;
  readonly after: string | null;
  readonly startedAt: number;
}

/** The trees around every turn of ours, in order. What changed between two turns is the person's. */
export function turnTrees(entries: Iterable<Entry>): readonly TurnTrees[] {
  const turns: TurnTrees[] = [];
  const when = new Map<string, 'before-turn' | 'after-turn'>();
  let before = 'unknown';
  for (const entry of entries) {
    const { event } = entry;
    if (event.type === 'effect-ended' && event.outcome.of === 'tree-read' && entry.late !== true) {
      const { tree } = event.outcome.tree;
      const last = turns.at(-1);
      if (when.get(event.effect) === 'before-turn') before = tree;
      else if (last !== undefined && last.after === null) turns[turns.length - 1] = { ...last, after: tree };
    }
    for (const { id, effect } of effectsOf(entry)) {
      if (effect.type === 'tree-read') when.set(id, effect.when);
      if (effect.type === 'turn-start' || effect.type === 'review-start')
        turns.push({ turn: turns.length + 1, before, after: null, startedAt: entry.at });
    }
  }
  return turns;
}
