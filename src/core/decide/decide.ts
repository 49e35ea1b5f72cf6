import type { Decision, Effect, Summary } from '../../contract/index.ts';
import { behaves } from '../behaviour.ts';
import { bounds } from '../bounds.ts';
import { must } from '../must.ts';
import { isLaunchReady } from '../react/launch.ts';
import type { Run } from '../run.ts';
import { firmRules, launchRules, openRules, type RuleName } from './order.ts';
import type { Facts, Rule, Say } from './rule.ts';

export interface Ruled {
  readonly decision: Decision | undefined;
  readonly effects: readonly Effect[];
}

const nothing: Ruled = { decision: undefined, effects: [] };

/** A decision is due when the run stands between turns and nothing it needs to know is still on its way. */
const isDue = (run: Run): boolean =>
  (run.state === 'deciding' || (run.state === 'ready' && run.epoch > 0)) &&
  run.turn === null &&
  !run.awaiting.tree &&
  !run.awaiting.advice &&
  !run.awaiting.find;

/**
 * Asks the rules in order; the first that speaks wins. Where only an opinion is missing, asks for that first. A turn
 * that is about to start is held against limits and budgets once more: others may have spent meanwhile.
 */
export function decide(run: Run): Ruled {
  const facts: Facts = { run, now: run.at };
  if (isLaunchReady(run)) {
    const against = first(launchRules, facts);
    return against === null ? nothing : ruled(run, against.rule, against.say);
  }
  if (!isDue(run)) return nothing;
  const firm = first(firmRules, facts);
  if (firm !== null) return ruled(run, firm.rule, firm.say);
  if (run.policy.advice.enabled && !run.adviceAsked && run.last !== null)
    return { decision: undefined, effects: [{ type: 'advice-ask', turn: run.turns }] };
  const open = first(openRules, facts);
  must(open !== null, 'some rule must speak');
  return ruled(run, open.rule, open.say);
}

function first(rules: readonly Rule<RuleName>[], facts: Facts): { rule: RuleName; say: Say } | null {
  for (const rule of rules) {
    const say = rule.evaluate(facts);
    if (say !== false) return { rule: rule.name, say };
  }
  return null;
}

function ruled(run: Run, rule: RuleName, say: Say): Ruled {
  const { advice } = run;
  const decision: Decision = {
    verdict: say.verdict,
    rule,
    because: cut(say.because),
    confidence: say.confidence ?? 1,
    actor: say.actor,
    to: say.to,
    summary: turnSummary(run),
  };
  if (say.cause !== undefined) decision.cause = say.cause;
  if (say.waiting !== undefined) decision.waiting = { ...say.waiting, because: cut(say.waiting.because) };
  if (say.input !== undefined) decision.input = say.input;
  if (say.certificate !== undefined) decision.certificate = say.certificate;
  if (say.cycle !== undefined) decision.cycle = say.cycle;
  if (advice !== null) {
    decision.advice = advice;
    decision.overridden = rule !== 'advice';
  }
  return { decision, effects: [...(say.effects ?? []), ...shutDown(run, say)] };
}

/** Reasons quote what others said, and others say a lot. */
const cut = (because: string): string => because.slice(0, bounds.becauseCharsMax);

/** When the work halts, the agent's process ends and a person is told, once. */
function shutDown(run: Run, say: Say): readonly Effect[] {
  if (say.to === 'waiting' || say.to === 'verifying') return [];
  const close = closing(run, say);
  // What the last cycle learned outlives the run.
  const learned: Effect[] =
    say.to === 'done' && run.mode === 'autonomous' && run.cycle.n > 0 && run.cycle.prepared === null
      ? [{ type: 'summarise', cycle: run.cycle.n }]
      : [];
  return [
    ...close,
    ...learned,
    {
      type: 'notify',
      key: `${run.id}/${say.to}/${say.cause ?? ''}/${run.seq}`,
      title: `Tireless: ${say.to}`,
      text: say.because.slice(0, 2_000),
    },
  ];
}

/** The agent's process ends. One that outlives us is left running while the run only pauses, and ended with the run. */
function closing({ session, agent }: Run, { to, because }: Say): readonly Effect[] {
  const isLeft = agent.outlives === true && to === 'paused';
  // One that is lost is ended anyway.
  if (session === null || session.lost || (!session.open && (isLeft || !session.detached))) return [];
  const how = { keep: isLeft ? true : undefined, attach: session.open ? undefined : true } as const;
  return [{ type: 'session-close', session: session.id, because: because.slice(0, 500), ...how }];
}

/** The turn as the rules saw it: the inputs of a receipt. */
function turnSummary(run: Run): Summary {
  const { last } = run;
  return {
    turn: run.turns,
    lastTurn: last?.status ?? null,
    failure: last?.failure?.kind ?? null,
    tree: run.tree?.tree ?? 'unknown',
    changed: [...run.changed],
    noProgressTurns: run.noProgressTurns,
    items: last?.items ?? 0,
    failedItems: last?.failedItems ?? 0,
    plan: run.plan === null ? null : `${run.plan.done}/${run.plan.total}`,
    ...(behaves(run, 'summarisesMore') ? moreOf(run) : {}),
    tokens: run.usage.tokens,
    money: run.usage.money,
    activeMs: Math.round(run.activeMs),
    openGates: run.gates.length,
    denials: last?.denials ?? 0,
    compactions: run.compactions.length,
    failuresInRow: run.failuresInRow,
    claim: run.claim?.via ?? null,
    checks:
      run.proof === null
        ? null
        : `${run.proof.certificate.verdict}: ${run.proof.results.map((r) => `${r.name} ${r.outcome}`).join(', ')}`,
    recent: run.recent.map((d) => `${d.verdict} (${d.rule})`),
  };
}

const stepsShownMax = 20;

const moreOf = ({ plan, diff, last }: Run): Pick<Summary, 'planSteps' | 'diff' | 'itemKinds'> => ({
  planSteps:
    plan === null || plan.steps.length === 0
      ? undefined
      : plan.steps.slice(0, stepsShownMax).map(({ text, status }) => `${status}: ${text}`.slice(0, 200)),
  diff: diff ?? undefined,
  itemKinds: last === null || last.items === 0 ? undefined : { ...last.kinds },
});
