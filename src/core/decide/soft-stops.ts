import { bounds } from '../bounds.ts';
import { waitName } from '../waits.ts';
import { backoffMs, cooldownMs } from './failures.ts';
import { pause, rule, waitRule, waitUntil } from './rule.ts';

/** Group 6 of docs/policy.md: signs that going on blindly would waste the night. The nudge at half this count is part of the next input. */
export const noProgress = rule('no-progress', ({ run }) => {
  const most = run.policy.limits.noProgressTurns * 2;
  return (
    run.noProgressTurns >= most &&
    pause(
      `${run.noProgressTurns} turns changed nothing: no files, commits, plan or check results`,
      'no-progress',
    )
  );
});

export const unsafeContext = rule('unsafe-context', ({ run }) => {
  const most = run.policy.limits.denialsMax;
  const denials = run.last?.denials ?? 0;
  if (run.unsafe !== null) return pause(run.unsafe, 'unsafe');
  return denials >= most && pause(`${denials} actions were denied in one turn`, 'unsafe');
});

export const unanswered = rule('unanswered', ({ run }) => {
  const most = run.policy.limits.expiriesMax;
  return (
    run.expiriesInRow >= most &&
    pause(`${run.expiriesInRow} questions in a row stayed unanswered; see: tireless inbox`, 'unanswered')
  );
});

export const agentBlocked = rule(
  'agent-blocked',
  ({ run }) =>
    run.last?.reported === 'blocked' &&
    pause(`the agent says it is blocked: ${run.last.reportedText.slice(0, 300)}`, 'blocked', 'agent'),
);

export const sameError = rule('same-error', ({ run }) => {
  const most = run.policy.limits.sameErrorTimes;
  return (
    run.sameError !== null &&
    run.sameError.times >= most &&
    pause(
      `the same kind of error (${run.sameError.kind}) came ${run.sameError.times} turns in a row`,
      'same-error',
    )
  );
});

export const compactionLoop = rule('compaction-loop', ({ run }) => {
  const recent = run.compactions.filter((turn) => turn > run.turns - bounds.compactionWindowTurns);
  return (
    recent.length >= run.policy.limits.compactionsMax &&
    pause(
      `the context was compacted ${recent.length} times within ${bounds.compactionWindowTurns} turns`,
      'compaction-loop',
    )
  );
});

/** The agent waits for something outside: looked at again on our own clock. */
export const agentWaiting = waitRule('agent-waiting', (facts) => {
  const { run, now } = facts;
  if (run.last?.reported !== 'waiting') return false;
  return waitUntil(
    facts,
    waitName(run, 'agent'),
    now + backoffMs(run.noProgressTurns),
    `the agent waits: ${run.last.reportedText.slice(0, 300)}`,
  );
});

export const cooldown = waitRule('cooldown', (facts) => {
  const { run, now } = facts;
  if (run.shortTurns === 0 || run.last === null) return false;
  return waitUntil(
    facts,
    'backoff',
    now + cooldownMs(run.shortTurns),
    'a short turn changed nothing; cooling down',
  );
});
