import type { Advice, Certificate, Failure, FailureKind } from '../../src/contract/index.ts';
import { decide, type Ruled } from '../../src/core/decide/decide.ts';
import { firmRules, openRules } from '../../src/core/decide/order.ts';
import type { Rule } from '../../src/core/decide/rule.ts';
import type { Run } from '../../src/core/index.ts';
import { ledgerRun, someCheck } from '../../src/testkit/ledger-run.ts';

export const allRules: readonly Rule[] = [...firmRules, ...openRules];
export const ruleNamed = (name: string): Rule => {
  const found = allRules.find((rule) => rule.name === name);
  if (found === undefined) throw new Error(`there is no rule ${name}`);
  return found;
};

/** A run between two turns, with nothing that speaks against another one. */
export function dueRun(policy: Record<string, unknown> = {}): Run {
  const r = ledgerRun({ policy });
  r.launch();
  r.started();
  r.ended({ message: { text: 'I changed a thing' } });
  const nothing = { tree: false, advice: false, find: false };
  return {
    ...r.run(),
    state: 'deciding',
    waiting: null,
    launch: null,
    awaiting: nothing,
    adviceAsked: false,
    advice: null,
  };
}

/** What the rules say about a run as it stands. */
export const ruled = (run: Run): Ruled => decide(run);
export const spoken = (run: Run): string => ruled(run).decision?.rule ?? 'nobody';

export const withLimits = (run: Run, limits: Partial<Run['policy']['limits']>): Run => ({
  ...run,
  policy: { ...run.policy, limits: { ...run.policy.limits, ...limits } },
});
/** Changes what is known of the last turn; without one there is nothing to change. */
export const withLast = (run: Run, last: Partial<NonNullable<Run['last']>>): Run =>
  run.last === null ? run : { ...run, last: { ...run.last, ...last } };
export const failedWith = (run: Run, kind: FailureKind, more: Partial<Failure> = {}): Run =>
  withLast(run, { status: 'failed', failure: { kind, message: `it was ${kind}`, ...more } });

export const claim = { via: 'closing-line' as const, text: 'done' };
const certificate = (verdict: Certificate['verdict']): Certificate => ({
  verdict,
  because: ['a reason'],
  claim: null,
  checks: [],
  tree: 'unknown',
  fresh: true,
  wrote: [],
  altered: [],
  acceptedBy: null,
});
const proof = (verdict: Certificate['verdict']): Run['proof'] => ({
  certificate: certificate(verdict),
  results: [],
});
export const advice = (over: Partial<Advice> = {}): Advice => ({
  action: 'continue',
  reason: 'it goes well',
  confidence: 0.9,
  problems: [],
  ...over,
});

const prepared = { summary: 'so far', recalled: [] };
/** An autonomous run whose cycle took all its closing turns. */
const cycleOver = (
  run: Run,
  cycle: Partial<Run['cycle']>,
  limits: Partial<Run['policy']['limits']>,
): Run => ({
  ...withLimits(run, limits),
  mode: 'autonomous',
  cycle: { ...run.cycle, wrapUp: true, closingTurns: run.policy.limits.closingTurnsMax, ...cycle },
});

const unreviewed: Run['reviewed'] = { rounds: 0, isPassed: false, isUnclear: false };
const withReview = (run: Run, review: Run['policy']['review']): Run => ({
  ...run,
  policy: { ...run.policy, review },
});

/** For every rule, the least that must be true of a run for it to speak. */
export const speaking: Readonly<Record<string, (run: Run) => Run>> = {
  'person-stop': (run) => ({ ...run, asked: { ...run.asked, stop: true } }),
  'person-off': (run) => ({ ...run, asked: { ...run.asked, off: true } }),
  'unanswered-stop': (run) => ({ ...run, unansweredStop: 'may I?' }),
  'person-pause': (run) => ({ ...run, asked: { ...run.asked, pause: true } }),
  'person-steer': (run) => ({ ...run, steers: [{ text: 'look there' }] }),
  unrecoverable: (run) => failedWith(run, 'auth'),
  reach: (run) => ({ ...run, proven: 'asks' }),
  'usage-limit': (run) => ({ ...run, limit: { until: null, because: 'the limit' } }),
  away: (run) => ({ ...failedWith(run, 'unreachable'), awayInRow: 1 }),
  'failures-max': (run) => ({ ...run, failuresInRow: run.policy.limits.failuresMax }),
  'failed-turn': (run) => failedWith(run, 'server-error'),
  background: (run) => ({ ...run, background: [{ id: 'b1', kind: 'shell', label: 'npm run dev' }] }),
  'review-first': (run) => ({
    ...withReview(run, 'before-completion'),
    claim,
    proof: proof('certified'),
    reviewed: unreviewed,
  }),
  'ask-about-findings': (run) => ({
    ...withReview(run, 'before-completion'),
    claim,
    proof: proof('certified'),
    reviewed: { ...unreviewed, rounds: 2 },
  }),
  certified: (run) => ({ ...run, claim, proof: proof('certified') }),
  'ask-altered': (run) => ({ ...run, claim, proof: proof('asks') }),
  'verify-claim': (run) => ({ ...run, claim, checks: [someCheck] }),
  'ask-to-accept': (run) => ({ ...run, claim, checks: [] }),
  'take-baseline': (run) => ({ ...run, claim: null, last: null, baseline: null, checks: [someCheck] }),
  'refused-too-often': (run) => ({ ...run, refusals: { check: 'test', times: 3 } }),
  'turn-budget': (run) => ({ ...run, turns: run.policy.limits.turnsMax }),
  'token-budget': (run) => withUsage(run, { tokensMax: 100 }, { tokens: 100 }),
  'money-budget': (run) => withUsage(run, { moneyMax: 1 }, { money: 1 }),
  'active-time': (run) => ({ ...run, activeMs: run.policy.limits.activeHoursMax * 3_600_000 }),
  'clock-time': (run) => withLimits(run, { until: run.at }),
  'cycle-budget': (run) => cycleOver(run, { n: 1, prepared }, { cyclesMax: 1 }),
  'no-progress': (run) => ({ ...run, noProgressTurns: run.policy.limits.noProgressTurns * 2 }),
  'unsafe-context': (run) => ({ ...run, unsafe: 'it tried to force-push' }),
  unanswered: (run) => ({ ...run, expiriesInRow: run.policy.limits.expiriesMax }),
  'agent-blocked': (run) => withLast(run, { reported: 'blocked', reportedText: 'no key' }),
  'same-error': (run) => ({
    ...run,
    sameError: { kind: 'server-error', times: run.policy.limits.sameErrorTimes },
  }),
  'compaction-loop': (run) => ({
    ...run,
    compactions: Array.from({ length: run.policy.limits.compactionsMax }, () => run.turns),
  }),
  'agent-waiting': (run) => withLast(run, { reported: 'waiting', reportedText: 'the build' }),
  cooldown: (run) => ({ ...run, shortTurns: 1 }),
  'review-after-error': (run) =>
    withLast(failedWith(withReview(run, 'on-error'), 'server-error'), { waited: ['failed-turn'] }),
  'between-cycles': (run) => cycleOver(run, { n: 1 }, {}),
  'next-cycle': (run) => cycleOver(run, { n: 1, prepared }, { cyclesMax: 2 }),
  advice: (run) => ({ ...run, advice: advice({ action: 'pause' }), adviceAsked: true }),
  continue: (run) => run,
};

export function withUsage(
  run: Run,
  limits: Partial<Run['policy']['limits']>,
  used: Partial<Pick<Run['usage'], 'tokens' | 'money'>>,
): Run {
  return { ...withLimits(run, limits), usage: { ...run.usage, ...used }, recentTurns: [] };
}
