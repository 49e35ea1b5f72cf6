import type {
  AgentFacts,
  Check,
  CheckResult,
  Coverage,
  Failure,
  Policy,
  RunView,
} from '../../contract/index.ts';
import { mapExcerpt } from './excerpt.ts';
import type {
  Certificate,
  Changes,
  CheckRun,
  DecisionStory,
  Denial,
  Ending,
  GateStory,
  PersonAct,
  Report,
  Spoken,
  Troubles,
  TurnStory,
} from './report.ts';

/** Names our own code gives have this shape; anything else may be somebody's words. */
const ourName = /^[a-z][a-z0-9:-]{0,60}$/;
const ourCause = /^[a-z][a-z0-9-]{0,40}(:[A-Za-z][A-Za-z0-9-]{0,40})?$/;
const named = (name: string): string => (ourName.test(name) ? name : 'hidden');
const caused = (cause: string | null): string | null =>
  cause === null || ourCause.test(cause) ? cause : 'hidden';

/**
 * The same report for strangers: counts, times, rules, states and digests; no text anybody wrote, no path, no name.
 * Every part is built anew field by field, so that a field added tomorrow is absent until somebody decides to show it.
 */
export function publicReport(report: Report): Report {
  const names = checkNames(report);
  const { v, run, spent, bands, points, refusals } = report;
  return {
    v,
    run,
    isPublic: true,
    spent,
    bands,
    points,
    refusals,
    asked: publicAsked(report, names),
    view: publicView(report, names),
    ending: publicEnding(report.ending),
    unanswered: report.unanswered.map(publicGate),
    turns: mapExcerpt(report.turns, publicTurn),
    decisions: mapExcerpt(report.decisions, publicDecision),
    rules: report.rules.map(({ verdict, rule, times }) => ({ verdict, rule: named(rule), times })),
    gates: mapExcerpt(report.gates, publicGate),
    answers: report.answers.map(({ answer, rule, times }) => ({ answer, rule: named(rule), times })),
    denials: mapExcerpt(report.denials, publicDenial),
    checkRuns: mapExcerpt(report.checkRuns, (one) => publicCheckRun(one, names)),
    certificate: report.certificate === null ? null : publicCertificate(report.certificate, names),
    changes: publicChanges(report.changes),
    people: mapExcerpt(report.people, publicAct),
    troubles: publicTroubles(report.troubles),
    broken: report.broken === null ? null : { seq: report.broken.seq, because: '' },
    ...(report.chain === undefined ? {} : { chain: { ok: report.chain.ok, damage: [] } }),
  };
}

type Names = (name: string) => string;

/** A check keeps its place, not its name: names come from the project. */
function checkNames(report: Report): Names {
  const numbers = new Map<string, number>();
  const number = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, known);
    return known;
  };
  for (const check of report.asked.checks) number(check.name);
  return (name) => `check ${number(name)}`;
}

function publicAsked({ asked }: Report, names: Names): Report['asked'] {
  const { at, mode, policyVersion, configDigest } = asked;
  return {
    mission: '',
    by: '',
    workspace: '',
    at,
    mode,
    policyVersion,
    configDigest,
    agent: publicAgent(asked.agent),
    policy: publicPolicy(asked.policy),
    checks: asked.checks.map(
      (check): Check => ({ name: names(check.name), command: '', cwd: '', source: '' }),
    ),
  };
}

const publicAgent = ({ name, door, sees, usage, finds, steers, resumes }: AgentFacts): AgentFacts => ({
  name: named(name),
  door: named(door),
  sees,
  usage,
  finds,
  steers,
  resumes,
});

const publicPolicy = ({ guards, ...rest }: Policy): Policy => ({
  limits: rest.limits,
  approvals: rest.approvals,
  review: rest.review,
  gates: rest.gates,
  advice: rest.advice,
  recentDecisions: rest.recentDecisions,
  // A person's own rules carry words and paths; the branch names and hosts do too.
  guards: { ...guards, rules: [], hosts: [], protectedBranches: [] },
});

function publicView({ view }: Report, names: Names): Report['view'] {
  const { id, state, toggle, waitingOn, until, turns, turnsMax, tokens, tokensMax, money, activeMs } = view;
  const { createdAt, updatedAt, seq } = view;
  return {
    id,
    state,
    toggle,
    waitingOn,
    until,
    turns,
    turnsMax,
    tokens,
    tokensMax,
    money,
    activeMs,
    createdAt,
    updatedAt,
    seq,
    because: '',
    workspace: '',
    mission: '',
    ...(view.cycle === undefined ? {} : { cycle: view.cycle }),
    cause: caused(view.cause),
    agent: named(view.agent),
    plan: view.plan === null ? null : { done: view.plan.done, total: view.plan.total, current: null },
    lastDecision: view.lastDecision === null ? null : publicNote(view.lastDecision),
    gates: view.gates.map(({ id: gate, kind, digest, askedAt, expiresAt }) => ({
      id: gate,
      kind,
      digest,
      askedAt,
      expiresAt,
      asks: '',
      because: '',
    })),
    checks: view.checks.map(({ name, outcome }) => ({ name: names(name), outcome })),
  };
}

const publicNote = ({
  verdict,
  rule,
  confidence,
  at,
}: NonNullable<RunView['lastDecision']>): RunView['lastDecision'] => ({
  verdict,
  rule: named(rule),
  because: '',
  confidence,
  at,
});

const publicEnding = ({ state, at, entries, rule, actor, cause }: Ending): Ending => ({
  state,
  at,
  entries,
  actor,
  because: '',
  lastMessage: '',
  next: null,
  rule: rule === null ? null : named(rule),
  cause: caused(cause),
});

const publicSpoken = ({ verdict, rule, to }: Spoken): Spoken => ({
  verdict,
  rule: named(rule),
  because: '',
  to,
});

const publicFailure = ({ kind }: Failure): Failure => ({ kind, message: '' });

function publicTurn(story: TurnStory): TurnStory {
  const { turn, isForeign, startedAt, endedAt, durationMs, status, tokens, money, input, items } = story;
  const { failedItems, denials, changed, trees, plan, claimed } = story;
  return {
    turn,
    isForeign,
    startedAt,
    endedAt,
    durationMs,
    status,
    tokens,
    money,
    input,
    items,
    failedItems,
    denials,
    changed,
    trees,
    plan,
    claimed,
    message: '',
    failure: story.failure === null ? null : publicFailure(story.failure),
    decided: story.decided.map(publicSpoken),
  };
}

function publicDecision(story: DecisionStory): DecisionStory {
  const { seq, at, turn, confidence, actor, advice } = story;
  return {
    ...publicSpoken(story),
    seq,
    at,
    turn,
    confidence,
    actor,
    cause: caused(story.cause),
    advice:
      advice === null
        ? null
        : {
            action: advice.action,
            confidence: advice.confidence,
            overridden: advice.overridden,
            reason: '',
            problems: [],
            model: null,
          },
  };
}

function publicGate(gate: GateStory): GateStory {
  const { id, kind, turn, never, digest, askedAt, expiresAt, closedAt, end } = gate;
  return {
    id,
    kind,
    turn,
    never,
    digest,
    askedAt,
    expiresAt,
    closedAt,
    end,
    asks: '',
    because: '',
    rule: named(gate.rule),
    said: '',
    by: gate.by === null ? null : 'a person',
  };
}

const publicDenial = ({ at, turn, rule, never }: Denial): Denial => ({
  at,
  turn,
  rule: named(rule),
  because: '',
  action: '',
  never,
});

function publicResult(result: CheckResult, names: Names): CheckResult {
  const { outcome, exitCode, durationMs, outputDigest, counts, coverage } = result;
  return {
    name: names(result.name),
    command: '',
    outcome,
    exitCode,
    durationMs,
    outputDigest,
    tail: { text: '' },
    ...(counts === undefined ? {} : { counts }),
    ...(coverage === undefined ? {} : { coverage: publicCoverage(coverage) }),
  };
}

const publicCoverage = ({ covered, total, percent, unit, format }: Coverage): Coverage => ({
  covered,
  total,
  percent,
  unit,
  format,
});

const publicCheckRun = (ran: CheckRun, names: Names): CheckRun => ({
  at: ran.at,
  turn: ran.turn,
  purpose: ran.purpose,
  isVoid: ran.isVoid,
  treeBefore: ran.treeBefore,
  treeAfter: ran.treeAfter,
  results: ran.results.map((result) => publicResult(result, names)),
});

function publicCertificate(certificate: Certificate, names: Names): Certificate {
  const { at, seq, claim, acceptedBy, tree, plan } = certificate;
  const { baseline, altered, flaky } = certificate;
  return {
    at,
    seq,
    tree,
    plan,
    claim: { via: named(claim.via), text: '' },
    acceptedBy: acceptedBy === null ? null : 'a person',
    checks: certificate.checks.map((result) => publicResult(result, names)),
    ...(baseline === undefined
      ? {}
      : { baseline: baseline.map(({ name, outcome }) => ({ name: names(name), outcome: named(outcome) })) }),
    ...(altered === undefined ? {} : { altered: altered.map(() => ({ what: '', because: '' })) }),
    ...(flaky === undefined ? {} : { flaky: flaky.map(names) }),
  };
}

/** How many paths differ may be told, and by how many lines; which ones may not. */
const publicChanges = (changes: Changes): Changes => ({
  firstTree: changes.firstTree,
  lastTree: changes.lastTree,
  firstHead: null,
  lastHead: null,
  turns: changes.turns,
  ...(changes.paths === undefined ? {} : { paths: changes.paths }),
  ...(changes.files === undefined
    ? {}
    : { files: changes.files.map(({ status, added, removed }) => ({ path: '', status, added, removed })) }),
});

const publicAct = ({ at, act }: PersonAct): PersonAct => ({ at, act, by: '', text: '' });

const publicTroubles = (troubles: Troubles): Troubles => ({
  failures: troubles.failures.map(({ kind, times, lastAt }) => ({ kind, times, lastAt, lastMessage: '' })),
  retriedErrors: troubles.retriedErrors,
  compactions: troubles.compactions,
  lostSessions: troubles.lostSessions,
  keepers: troubles.keepers,
  recoveries: troubles.recoveries,
  sleeps: troubles.sleeps,
  foreignTurns: troubles.foreignTurns,
  late: troubles.late,
  unreadable: { times: troubles.unreadable.times, samples: [] },
});
