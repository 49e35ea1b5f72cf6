import type { ConfigKey, Settings } from '../../contract/config.ts';
import { autonomousCyclesDefault } from '../../contract/constants.ts';
import { momentAt } from './moments.ts';

/** What holds without the project file, to compare with. */
export interface Base {
  readonly settings: Settings;
  readonly nowAt: number;
}

/** When a project file may set a key although nobody trusted the folder, and why. */
export interface Tightening {
  /** For the reference: what counts without trust. */
  readonly counts: string;
  readonly because: string;
  tightens(value: unknown, now: unknown, base: Base): boolean;
}

const lower = (because: string): Tightening => ({
  counts: 'a lower value',
  because,
  tightens: (value, now) => now === undefined || Number(value) <= Number(now),
});
const higher = (because: string): Tightening => ({
  counts: 'a higher value',
  because,
  tightens: (value, now) => Number(value) >= Number(now),
});
/** Words from the strictest to the loosest. */
const stricter = (words: readonly string[], because: string): Tightening => ({
  counts: `a stricter one (${words.join(' < ')})`,
  because,
  tightens: (value, now) =>
    words.includes(String(value)) && words.indexOf(String(value)) <= words.indexOf(String(now)),
});
const stricterFlag = (because: string): Tightening => ({
  counts: 'false',
  because,
  tightens: (value, now) => value === false || value === now,
});
const trusted = (because: string): Tightening => ({
  counts: 'never',
  because,
  tightens: (value, now) => JSON.stringify(value) === JSON.stringify(now),
});

const fewer = 'less work is done unwatched';
const sooner = 'the run comes back to you sooner';

/** Every setting, so that a new one does not compile until somebody has thought about what a stranger's repository may do with it. */
export const tightenings: Readonly<Record<ConfigKey, Tightening>> = {
  'agent.name': trusted('it decides which program works with your login, and how much the guard sees of it'),
  'agent.command': trusted('it runs a program of its choice'),
  'agent.args': trusted('arguments can switch off an agent’s own protection'),
  'agent.model': trusted('another model may cost more or send your code elsewhere'),
  'agent.sandbox': stricter(['read-only', 'workspace-write', 'none'], 'the agent can write less'),
  mode: stricter(['once', 'autonomous'], fewer),
  autonomousMaxCycles: {
    ...lower(fewer),
    tightens: (value, now) => Number(value) <= Number(now ?? autonomousCyclesDefault),
  },
  'limits.turnsMax': lower(fewer),
  'limits.tokensMax': lower(fewer),
  'limits.moneyMax': lower(fewer),
  'limits.activeHoursMax': lower(fewer),
  'limits.until': {
    counts: 'an earlier moment',
    because: fewer,
    tightens: (value, now, { nowAt }) => {
      const limit = now === undefined ? Number.POSITIVE_INFINITY : (momentAt(String(now), nowAt) ?? 0);
      return (momentAt(String(value), nowAt) ?? Number.POSITIVE_INFINITY) <= limit;
    },
  },
  'limits.noProgressTurns': lower(sooner),
  'limits.sameErrorTimes': lower(sooner),
  'limits.compactionsMax': lower(sooner),
  'limits.denialsMax': lower(sooner),
  'limits.failuresMax': lower(sooner),
  'limits.adviceMissesMax': lower(sooner),
  'limits.expiriesMax': lower(sooner),
  'limits.turnSilenceMs': lower('a silent turn ends sooner'),
  'limits.turnTotalMs': lower('a turn ends sooner'),
  'limits.backgroundWaitMs': lower('background work is waited for less'),
  'limits.interruptGraceMs': lower('an interrupted agent ends sooner'),
  'limits.checkTimeoutMs': lower('a check that takes longer counts as not passed'),
  'limits.cycleTokensMax': lower('a cycle ends sooner'),
  'limits.wrapUpAt': lower('the agent is told sooner to wrap up'),
  'limits.closingTurnsMax': lower('a cycle ends sooner'),
  approvals: stricter(['pause', 'policy', 'never-ask'], 'you are asked about more'),
  review: trusted('on, it takes turns and costs; off, it removes a look at the work'),
  'gates.timeoutMs': lower('an unanswered question is denied sooner'),
  'gates.whenUnanswered': stricter(
    ['stop', 'deny', 'wait'],
    'less can happen after a question nobody answered',
  ),
  'advice.enabled': trusted('on, it sends what happened to a model and costs; off, it removes a safeguard'),
  'advice.answers': stricterFlag('more questions are yours to answer'),
  'advice.confidenceMin': higher('more advice only pauses'),
  'advice.model': trusted('it decides who is shown what happened, and who shapes the next input'),
  'advice.baseUrl': trusted('it sends what happened, and a key, to an address of its choice'),
  'advice.timeoutMs': lower('a model that is slow is missed sooner'),
  'memory.model': trusted('it decides who is shown what happened, and what is remembered of it'),
  'memory.baseUrl': trusted('it sends what happened, and a key, to an address of its choice'),
  'memory.embeddings': trusted('it decides who is shown what is remembered'),
  'memory.embeddingsBaseUrl': trusted('it sends what is remembered, and a key, to an address of its choice'),
  'memory.timeoutMs': lower('a model that is slow is missed sooner'),
  recentDecisions: lower('less is sent to the decision model'),
  checks: trusted(
    'checks are commands that run outside the agent’s sandbox, and decide what counts as finished',
  ),
  'notifications.desktop': trusted('off, you would not see that a run needs you'),
  'notifications.webhook': trusted('it sends what happens to an address of its choice'),
  'notifications.slack': trusted('it sends what happens to an address of its choice'),
  'notifications.links': trusted('it sends links that answer for you to an address of its choice'),
  'secrets.env': {
    counts: 'always',
    because: 'it adds to what is removed and takes nothing away',
    tightens: () => true,
  },
  'guards.rules': {
    counts: 'rules that forbid',
    because: 'a rule may allow what would be asked about',
    tightens: (value) => (value as Settings['guards']['rules']).every(({ verdict }) => verdict === 'forbid'),
  },
  'guards.effects': {
    counts: 'effects that become forbidden',
    because: 'it may allow what would be asked about',
    tightens: (value) =>
      Object.values(value as Settings['guards']['effects']).every((verdict) => verdict === 'forbid'),
  },
  'guards.hosts': {
    counts: 'fewer hosts',
    because: 'it lets the agent read from places of its choice',
    tightens: (value, now) => isPartOf(value, now),
  },
  'guards.protectedBranches': {
    counts: 'more branches',
    because: 'it takes the question away from a branch you protect',
    tightens: (value, now) => isPartOf(now, value),
  },
};

function isPartOf(some: unknown, all: unknown): boolean {
  return Array.isArray(some) && Array.isArray(all) && some.every((one) => all.includes(one));
}
