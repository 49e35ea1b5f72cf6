import { bounds } from '../bounds.ts';
import { away, backoffMs, incurable, jitterMs } from './failures.ts';
import { end, limit, rule, waitRule, waitUntil } from './rule.ts';

/** Group 2 of docs/policy.md: another turn cannot cure it. */
export const unrecoverable = rule('unrecoverable', ({ run }) => {
  const failure = run.last?.status === 'failed' ? run.last.failure : null;
  return (
    failure !== null &&
    incurable.has(failure.kind) &&
    end('failed', failure.message, `failure:${failure.kind}`, 'world')
  );
});

/** Group 3 of docs/policy.md: the world. Waiting spends nothing; it is cancelable, and a restart finds the due time again. */
export const usageLimit = rule('usage-limit', (facts) => {
  const { run, now } = facts;
  if (run.limit === null) return false;
  const { until, because } = run.limit;
  if (until === null)
    return waitUntil(
      facts,
      'usage-limit',
      now + bounds.limitProbeMs,
      `${because}; no reset time was given, probing again later`,
    );
  return waitUntil(
    facts,
    'usage-limit',
    Math.max(now, until) + bounds.limitMarginMs + jitterMs(run.id, run.seq),
    because,
  );
});

/** Unreachable or overloaded: our own clock, no person needed, bounded only by the time budgets. */
export const worldAway = waitRule('away', (facts) => {
  const { run, now } = facts;
  const kind = run.last?.status === 'failed' ? run.last.failure?.kind : undefined;
  if (kind === undefined || !away.has(kind)) return false;
  return waitUntil(
    facts,
    'external',
    now + backoffMs(run.awayInRow),
    `${run.last?.failure?.message ?? kind} (try ${run.awayInRow})`,
  );
});

export const failuresMax = rule('failures-max', ({ run }) => {
  const most = run.policy.limits.failuresMax;
  return (
    run.failuresInRow >= most &&
    limit(
      'failuresMax',
      `${run.failuresInRow} turns failed in a row (failuresMax ${most}); last: ${run.last?.failure?.message ?? 'unknown'}`,
    )
  );
});

export const failedTurn = waitRule('failed-turn', (facts) => {
  const { run, now } = facts;
  if (run.last?.status !== 'failed') return false;
  const kind = run.last.failure?.kind ?? 'other';
  if (away.has(kind) || kind === 'usage-limit') return false;
  return waitUntil(
    facts,
    'backoff',
    now + backoffMs(run.failuresInRow),
    `the turn failed: ${run.last.failure?.message ?? kind}`,
  );
});
