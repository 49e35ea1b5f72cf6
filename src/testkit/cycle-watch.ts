import type { Effect, Entry } from '../contract/index.ts';
import type { Run } from '../core/index.ts';

/** Holds every cycle against what is promised about it, counted by other means than the run's own. */
export function watchCycles(complain: (what: string) => void): (run: Run, entry: Entry) => void {
  const cycleOf = new Map<string, number>();
  const told = new Set<number>();
  let cycle = 0;
  const dispatched = (run: Run, { session, input }: Extract<Effect, { type: 'turn-start' }>): void => {
    if ((cycleOf.get(session) ?? cycle) !== cycle)
      complain(`cycle ${cycle} works in the session ${session} of cycle ${cycleOf.get(session)}`);
    cycleOf.set(session, cycle);
    const names = input.parts.map(({ part }) => part);
    // A review need not tell it; one that is an ordinary turn may.
    if (names.includes('cycle')) told.add(cycle);
    if (names.includes('review')) return;
    if (run.mode === 'once') {
      if (names.includes('cycle') || names.includes('wrap-up')) complain('a run of one window saw a cycle');
      return;
    }
    if (!told.has(cycle) && !names.includes('cycle')) complain(`cycle ${cycle} began without being told`);
    if (cycle > run.policy.limits.cyclesMax) complain(`cycle ${cycle} of ${run.policy.limits.cyclesMax}`);
    told.add(cycle);
  };
  return (run, { decision, effects = [] }) => {
    if (decision?.cycle !== undefined) {
      if (decision.cycle !== cycle + 1) complain(`cycle ${decision.cycle} followed ${cycle}`);
      cycle = decision.cycle;
    }
    for (const effect of effects) {
      if (effect.type === 'turn-start') dispatched(run, effect);
      if (effect.type === 'summarise' && run.mode === 'once') complain('a run of one window was summarised');
    }
  };
}

/** After these nobody can be sure what the agent heard, and it is rather told again than never. */
const doubtful: ReadonlySet<string> = new Set([
  ...['keeper killed', 'taken over', 'second keeper', 'released', 'hang', 'disk full'],
  ...['agent died', 'agent died of a turn', 'agent did not start', 'turn failed', 'turn refused'],
]);

/** Where nothing was ever in doubt, every cycle and every wrap-up was told once. */
export function complainIfToldTwice(
  prompts: readonly string[],
  faults: Iterable<string>,
  complain: (what: string) => void,
): void {
  if ([...faults].some((fault) => doubtful.has(fault))) return;
  const told = new Set<string>();
  for (const prompt of prompts)
    for (const [words] of prompt.matchAll(/## Cycle \d+ of|% of cycle \d+ of/g)) {
      if (told.has(words)) complain(`"${words}" was told twice`);
      told.add(words);
    }
}
