import { cycleOver } from '../cycle/cycle.ts';
import { firstBudget } from './budgets.ts';
import { goOn } from './go-on.ts';
import { end, pause, rule } from './rule.ts';

/** Group 1 of docs/policy.md: the person. What they ask for beats everything below. */
export const personStop = rule(
  'person-stop',
  ({ run }) => run.asked.stop && end('stopped', 'the person asked to stop', 'person', 'person'),
);

export const personOff = rule(
  'person-off',
  ({ run }) => run.asked.off && end('stopped', 'the person turned it off', 'off', 'person'),
);

export const unansweredStop = rule(
  'unanswered-stop',
  ({ run }) =>
    run.unansweredStop !== null &&
    end('stopped', `nobody answered in time: ${run.unansweredStop}`, 'unanswered', 'rule'),
);

export const personPause = rule(
  'person-pause',
  ({ run }) => run.asked.pause && pause('the person asked to pause', 'person', 'person'),
);

/**
 * The person's words are the next input, before failures and claims are looked at. They lift no budget and no
 * usage limit, and a cycle that is over gets none: those wait, and the words wait with them.
 */
export const personSteer = rule('person-steer', (facts) => {
  const { run } = facts;
  if (run.steers.length === 0 || run.limit !== null || firstBudget(facts) !== null) return false;
  if (cycleOver(run) !== null) return false;
  return { ...goOn(run, 'the person gave new directions'), actor: 'person' };
});
