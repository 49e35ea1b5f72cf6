import { autonomousCyclesMax, type RunView } from '../../contract/index.ts';

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
    const name = view.cause?.startsWith('limit:') === true ? view.cause.slice('limit:'.length) : null;
    const flag = name === null ? '' : raiseFlag(name, view);
    return `tireless resume ${id}${flag}`;
  }
  if (view.waitingOn === 'usage-limit' || view.waitingOn === 'backoff' || view.waitingOn === 'external')
    return `nothing: it goes on by itself (at once with: tireless resume ${id})`;
  if (view.state === 'failed') return `tireless logs ${id}   then start a new run`;
  return null;
}

function raiseFlag(limit: string, view: NextFacts): string {
  switch (limit) {
    case 'turnsMax':
      return ` --turns ${view.turnsMax * 2}`;
    case 'tokensMax':
      return ` --tokens ${(view.tokensMax ?? 0) * 2}`;
    case 'moneyMax':
      return ' --money <dollars>';
    case 'activeHoursMax':
      return ' --hours <hours>';
    case 'until':
      return ' --until <time>';
    case 'cyclesMax':
      return ` --cycles ${Math.min(autonomousCyclesMax, (view.cycle?.max ?? 1) * 2)}`;
    default:
      return '';
  }
}
