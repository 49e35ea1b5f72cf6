import type { Effect } from '../../contract/index.ts';
import { cycleOver } from '../cycle/cycle.ts';
import { isUnderWay, openFresh } from '../react/launch.ts';
import type { Run } from '../run.ts';
import { waitName } from '../waits.ts';
import { goOn } from './go-on.ts';
import { limit, rule, type Say, waitFor } from './rule.ts';

/** Rule 5: the last cycle this run may use is over. What it learned is written down before. */
export const cycleBudget = rule('cycle-budget', ({ run }) => {
  const { cycle, policy } = run;
  const most = policy.limits.cyclesMax;
  const over = cycleOver(run);
  return (
    over !== null &&
    cycle.prepared !== null &&
    cycle.n >= most &&
    limit('cyclesMax', `used all ${most} cycles; ${over}`)
  );
});

/** Nothing of ours happens to a session in which somebody else is at work. */
const afterForeign = (run: Run, over: string): Say | null =>
  run.foreign === null
    ? null
    : waitFor(waitName(run, 'foreign-turn'), `${over}; another turn is at work in this session`, 'rule');

/** A cycle is over: what it learned is distilled, and what the next one should know is recalled. */
export const betweenCycles = rule('between-cycles', ({ run }) => {
  const over = cycleOver(run);
  if (over === null || run.cycle.prepared !== null) return false;
  const foreign = afterForeign(run, over);
  if (foreign !== null) return foreign;
  const because =
    run.cycle.n === 0 ? `${over}; what is remembered is looked up` : `${over}; it is summarised`;
  const effects: Effect[] = isUnderWay(run, 'summarise') ? [] : [{ type: 'summarise', cycle: run.cycle.n }];
  return waitFor(waitName(run, 'summary'), because, 'rule', effects);
});

/** The next cycle: a fresh session that is told the mission, where the run stands, and everything that still waits. */
export const nextCycle = rule('next-cycle', ({ run }) => {
  const over = cycleOver(run);
  if (over === null || run.cycle.prepared === null) return false;
  const foreign = afterForeign(run, over);
  if (foreign !== null) return foreign;
  const cycle = run.cycle.n + 1;
  const say = goOn(run, `cycle ${cycle} of ${run.policy.limits.cyclesMax} begins`, [], cycle);
  return { ...say, cycle, effects: [...openFresh(run), ...(say.effects ?? [])] };
});
