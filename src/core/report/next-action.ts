import { autonomousCyclesMax, type RunView } from '../../contract/index.ts';
import { passesByItself } from '../waits.ts';

/** What the next step is read off. */
export type NextFacts = Pick<
  RunView,
  'id' | 'state' | 'cause' | 'waitingOn' | 'gates' | 'turnsMax' | 'tokensMax' | 'cycle'
>;

/** The one next thing a person can safely do, by state; null when there is nothing to do. */
export function nextAction(view: NextFacts): string | null {
  const id = view.id;
  const [gate] = view.gates;
  if (gate !== undefined)
    return gate.kind === 'input'
      ? `tireless answer ${gate.id} "…"`
      : `tireless approve ${gate.id}   or   tireless deny ${gate.id} "why"`;
  if (view.state === 'paused') {
    const limit = /^limit:(.*)/.exec(view.cause ?? '')?.[1] ?? '';
    return `tireless resume ${id}${raising[limit]?.(view) ?? ''}`;
  }
  if (view.waitingOn !== null && passesByItself.has(view.waitingOn))
    return `nothing: it goes on by itself (at once with: tireless resume ${id})`;
  if (view.waitingOn === 'foreign-turn' || view.waitingOn === 'summary')
    return 'nothing: it goes on by itself';
  if (view.state === 'failed') return `tireless logs ${id}   then start a new run`;
  return null;
}

/** The flag that raises a limit, by the limit's name. */
const raising: Readonly<Record<string, (view: NextFacts) => string>> = {
  turnsMax: ({ turnsMax }) => ` --turns ${turnsMax * 2}`,
  tokensMax: ({ tokensMax }) => ` --tokens ${(tokensMax ?? 0) * 2}`,
  moneyMax: () => ' --money <dollars>',
  activeHoursMax: () => ' --hours <hours>',
  until: () => ' --until <time>',
  cyclesMax: ({ cycle }) => ` --cycles ${Math.min(autonomousCyclesMax, (cycle?.max ?? 1) * 2)}`,
};
