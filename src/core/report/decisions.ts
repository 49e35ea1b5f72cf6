import type { Actor, Decision, Entry, RunState, Verdict } from '../../contract/index.ts';
import { cut, type Excerpt, firstAndLast, mapExcerpt, tallied } from './excerpt.ts';
import { caused, named, pick } from './public.ts';
import { reportBounds as max } from './report-bounds.ts';
import type { Watch } from './seen.ts';

export interface DecisionsPart {
  readonly decisions: Excerpt<DecisionStory>;
  readonly rules: readonly RuleCount[];
}

export interface Spoken {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly because: string;
  readonly to: RunState;
}

export interface DecisionStory extends Spoken {
  readonly seq: number;
  readonly at: number;
  readonly turn: number;
  readonly confidence: number;
  readonly actor: Actor;
  readonly cause: string | null;
  readonly advice: {
    readonly action: string;
    readonly confidence: number | null;
    readonly reason: string;
    readonly problems: readonly string[];
    readonly model: string | null;
    /** Given, and another rule spoke first. */
    readonly overridden: boolean;
  } | null;
}

export interface RuleCount {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly times: number;
}

/** Keeps what was decided and why. */
export function watchDecisions(): Watch<DecisionsPart> {
  const decisions = firstAndLast<DecisionStory>(max.decisionsHeadMax, max.decisionsTailMax);
  const rules = tallied(max.rulesMax);
  return {
    see({ entry }) {
      if (entry.decision === undefined) return;
      decisions.add(storyOf(entry, entry.decision));
      rules.add(`${entry.decision.verdict} ${entry.decision.rule}`);
    },
    end: () => ({
      decisions: decisions.end(),
      rules: rules.pairs<Verdict>().map(({ of, ...count }) => ({ verdict: of, ...count })),
    }),
  };
}

const storyOf = ({ seq, at }: Entry, decision: Decision): DecisionStory => ({
  ...spokenOf(decision),
  seq,
  at,
  turn: decision.summary.turn,
  confidence: decision.confidence,
  actor: decision.actor,
  cause: decision.cause ?? null,
  advice: adviceOf(decision),
});

function adviceOf({ advice, overridden }: Decision): DecisionStory['advice'] {
  if (advice === undefined) return null;
  const { action, confidence, reason, problems, model } = advice;
  return {
    action,
    confidence,
    reason: cut(reason, max.becauseCharsMax),
    problems,
    model: model ?? null,
    overridden: overridden === true,
  };
}

export const spokenOf = ({ verdict, rule, because, to }: Spoken): Spoken => ({
  verdict,
  rule,
  because: cut(because, max.becauseCharsMax),
  to,
});

export const publicDecisions = ({ decisions, rules }: DecisionsPart): DecisionsPart => ({
  decisions: mapExcerpt(decisions, (story) => ({
    ...publicSpoken(story),
    ...pick(story, 'seq', 'at', 'turn', 'confidence', 'actor'),
    cause: caused(story.cause),
    advice: publicAdvice(story.advice),
  })),
  rules: rules.map(({ verdict, rule, times }) => ({ verdict, rule: named(rule), times })),
});

const publicAdvice = (advice: DecisionStory['advice']): DecisionStory['advice'] =>
  advice === null
    ? null
    : { ...pick(advice, 'action', 'confidence', 'overridden'), reason: '', problems: [], model: null };

export const publicSpoken = ({ verdict, rule, to }: Spoken): Spoken => ({
  verdict,
  rule: named(rule),
  because: '',
  to,
});
