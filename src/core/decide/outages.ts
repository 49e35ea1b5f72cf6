import type { Reach } from '../../contract/index.ts';
import { isReachGate, openEffects } from '../approvals/gates.ts';
import { bounds } from '../bounds.ts';
import { waitName } from '../waits.ts';
import { away, backoffMs, incurable, jitterMs } from './failures.ts';
import { end, limit, pause, rule, waitFor, waitRule, waitUntil } from './rule.ts';

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
    waitName(run, 'provider'),
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

/** Work that outlived its turn may still change things: nothing is sent or proven until it ends, or its time is over. */
export const background = waitRule('background', (facts) => {
  const { run, now } = facts;
  if (run.background.length === 0 || run.last === null) return false;
  // The person's words do not wait for it.
  if (run.launch?.input.parts.some(({ part }) => part === 'steer') === true) return false;
  const what = run.background.map(({ kind, label }) => `${kind} ${label}`).join(', ');
  return waitUntil(
    facts,
    'background',
    now + run.policy.limits.backgroundWaitMs,
    `work of the last turn still runs: ${what}`,
  );
});

const depth: Readonly<Record<Reach, number>> = { nothing: 0, asks: 1, 'every-action': 2 };

/** The open session shows that the guard sees less than the person confirmed: they are asked again. */
export const reach = rule('reach', ({ run }) => {
  const { proven, agent, gates, reachDenied } = run;
  if (proven === null || depth[proven] >= depth[agent.sees]) return false;
  const because = `the guard sees ${reachText[proven]}, not ${reachText[agent.sees]} as you confirmed`;
  if (reachDenied) return pause(because, 'reach', 'person');
  const asks = { text: `Go on although ${because}?` };
  const isOpen = gates.some(isReachGate);
  const effects = isOpen
    ? []
    : openEffects(run, { kind: 'approval', asks, digest: '0'.repeat(64), because, rule: 'reach' });
  return waitFor('approval', because, 'rule', effects);
});

const reachText: Readonly<Record<Reach, string>> = {
  nothing: 'nothing of what the agent does',
  asks: 'only what the agent asks about',
  'every-action': 'every action',
};
